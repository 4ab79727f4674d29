#include "cpu/pool.hpp"

#include "core/environment.hpp"
#include "core/once.hpp"
#include "core/signals.hpp"
#include "core/tuning.hpp"
#include "core/uncancelled.hpp"
#include "cpu/aside.hpp"
#include "cpu/control.hpp"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>

// Known only in programs that use OpenMP.
extern "C" __attribute__((weak)) int omp_in_parallel();

namespace trigon::cpu {
namespace {

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Of this thread: what waiting costs. While others have the processor, or the process is stopped, it stands still.
std::chrono::nanoseconds time_on_processor() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

/// Those that this process may use: its main thread's, since others may be bound to a few.
bool processors(cpu_set_t& set) {
  return sched_getaffinity(getpid(), sizeof set, &set) == 0 || sched_getaffinity(0, sizeof set, &set) == 0;
}

/// One job at a time. `job` wakes the workers; parts are taken from `next`; `left` counts the unfinished.
class Pool {
 public:
  explicit Pool(int workers) : workers_(workers) {}

  void run(int parts, Work work, void* context) {
    if (busy_.exchange(true, std::memory_order_acquire)) return alone(parts, work, context);
    const std::uint32_t job = job_.load(std::memory_order_relaxed) + 1;
    start_workers(job);
    work_.store(work, std::memory_order_relaxed);
    context_.store(context, std::memory_order_relaxed);
    control_.store(Control::now(), std::memory_order_relaxed);
    raised_.store(0, std::memory_order_relaxed);
    left_.store(parts, std::memory_order_relaxed);
    const int here = sched_getcpu();
    caller_.store(here, std::memory_order_relaxed);
    next_.store(ticket(job, parts) + 1, std::memory_order_release);  // the first part is the caller's
    // Who falls asleep says so and looks at the job once more; here it is the other way round: one of both sees it.
    job_.store(job, std::memory_order_seq_cst);
    wake(parts - 1, here);
    work(context, 0);
    left_.fetch_sub(1, std::memory_order_acq_rel);
    take_parts(job, false);
    for (int spins = 1; left_.load(std::memory_order_acquire) != 0; ++spins) linger(spins);
    if (const int flags = raised_.load(std::memory_order_relaxed)) Control::raise(flags);
    busy_.store(false, std::memory_order_release);
  }

 private:
  static void alone(int parts, Work work, void* context) {
    for (int part = 0; part < parts; ++part) work(context, part);
  }

  /// So many workers at least, those that are awake among them: each that is woken costs, and waits a while for the
  /// next job. Who is just falling asleep sees the job by itself.
  void wake(int wanted, int processor) {
    const int asleep = asleep_.load(std::memory_order_seq_cst);
    if (asleep == 0) return;
    for (Aside* a = asides_.load(std::memory_order_acquire); a; a = a->next) a->follow(processor);
    for (int awake = started_ - asleep; awake < std::min(wanted, started_); ++awake) job_.notify_one();
  }

  // A ticket is the job's number, how many parts it has, and the next of them. A late worker whose
  // ticket is of an earlier job finds no part left in it: what it compares is all in the ticket, because the other
  // fields may be those of the next job already.
  static constexpr std::uint64_t ticket(std::uint32_t job, int parts) {
    return std::uint64_t{job} << 32 | static_cast<std::uint64_t>(parts) << 16;
  }

  void take_parts(std::uint32_t job, bool worker) {
    std::uint64_t t = next_.load(std::memory_order_acquire);
    while (t >> 32 == job) {
      const std::uint64_t part = t & 0xffff, parts = t >> 16 & 0xffff;
      if (part >= parts) return;
      if (!next_.compare_exchange_weak(t, t + 1, std::memory_order_acq_rel)) continue;
      // Only a won ticket proves that the job still runs and its fields may be read.
      const Control control = control_.load(std::memory_order_relaxed);
      if (worker) control.apply();
      work_.load(std::memory_order_relaxed)(context_.load(std::memory_order_relaxed), static_cast<int>(part));
      if (const int flags = worker ? control.raised() : 0) raised_.fetch_or(flags, std::memory_order_relaxed);
      left_.fetch_sub(1, std::memory_order_acq_rel);
      t = next_.load(std::memory_order_acquire);
    }
  }

  void start_workers(std::uint32_t job) {
    // Where threads cannot be made, to try takes as long as a small call.
    constexpr std::uint32_t jobs_between_tries = 1000;
    if (started_ == workers_ || (failed_ && job - tried_ < jobs_between_tries)) return;
    const core::Uncancelled until_started;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // Not the caller's processors, which may be bound to one.
    if (cpu_set_t set; processors(set)) pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    constexpr std::size_t enough = 512 << 10;  // a program may have made the default one for tiny threads
    if (std::size_t stack = 0; pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < enough)
      pthread_attr_setstacksize(&attributes, enough);
    const core::SignalsElsewhere here;
    for (pthread_t thread; started_ < workers_; ++started_)
      if (pthread_create(&thread, &attributes, &Pool::main, this) != 0) break;
    failed_ = started_ < workers_, tried_ = job;
    pthread_attr_destroy(&attributes);
  }

  static void* main(void* self) {
    static_cast<Pool*>(self)->serve();
    return nullptr;
  }

  void serve() {
    Aside aside;
    aside.next = asides_.load(std::memory_order_relaxed);
    while (!asides_.compare_exchange_weak(aside.next, &aside, std::memory_order_release)) {
    }
    for (std::uint32_t seen = 0;;) {
      const std::uint32_t job = await(seen, aside);
      take_parts(job, true);
      seen = job;
    }
  }

  std::uint32_t await(std::uint32_t seen, Aside& aside) {
    std::chrono::nanoseconds end{0};
    for (int spins = 1;; ++spins) {
      const std::uint32_t job = job_.load(std::memory_order_acquire);
      if (job != seen) return job;
      if (spins % 1024 == 0) {
        const auto now = time_on_processor();
        if (end.count() == 0) end = now + patience_;
        if (now > end) break;
      }
      linger(spins);
    }
    aside.begin(caller_.load(std::memory_order_relaxed));
    asleep_.fetch_add(1, std::memory_order_seq_cst);
    job_.wait(seen, std::memory_order_seq_cst);
    asleep_.fetch_sub(1, std::memory_order_relaxed);
    aside.end();
    return job_.load(std::memory_order_acquire);
  }

  const int workers_;
  const std::chrono::microseconds patience_{core::tuning().cpu_spin_microseconds};
  int started_ = 0;
  bool failed_ = false;  ///< to start all of them
  std::uint32_t tried_ = 0;
  std::atomic<int> caller_{0};  ///< its processor
  std::atomic<int> asleep_{0};
  std::atomic<Aside*> asides_{nullptr};  ///< of all workers, which never end
  std::atomic<bool> busy_{false};
  // What workers poll, what they take and what the caller polls lie apart: a line that another processor polls costs
  // every store into it a way there and back, and a job is given out with five.
  static constexpr std::size_t apart = 128;           ///< processors fetch lines in pairs
  alignas(apart) std::atomic<std::uint32_t> job_{0};  ///< its number, of the size that can wake one waiter
  alignas(apart) std::atomic<std::uint64_t> next_{0};
  std::atomic<Work> work_{nullptr};
  std::atomic<void*> context_{nullptr};
  std::atomic<Control> control_{};  ///< the caller's
  std::atomic<int> raised_{0};      ///< exceptions of other threads than the caller's
  alignas(apart) std::atomic<int> left_{0};
};

std::atomic<Pool*> current{nullptr};

/// The child of a fork has none of the threads: it starts a pool of its own when it first needs one, with as many as it
/// may use then. The parent's is left behind unfreed; a thread of the parent may have been inside it.
void forget_pool() {
  current.store(nullptr, std::memory_order_relaxed);
  limit_in_force.store(nullptr, std::memory_order_relaxed);
}

Pool* pool() {
  Pool* p = current.load(std::memory_order_acquire);
  if (p) return p;
  Pool* fresh = new (std::nothrow) Pool(thread_limit().threads - 1);
  if (!fresh || current.compare_exchange_strong(p, fresh, std::memory_order_acq_rel)) return fresh;
  delete fresh;
  return p;
}

ThreadLimit limit() {
  const int asked = core::environment().threads;
  constexpr int most = 1024;
  if (asked > most)
    std::fprintf(stderr, "trigon: TRIGON_NUM_THREADS=%d: more than %d are of no use; %d are used\n", asked, most, most);
  if (asked > 0) return {std::min(asked, most), "TRIGON_NUM_THREADS"};
  cpu_set_t set;
  int cpus = processors(set) ? CPU_COUNT(&set) : 0;
  if (cpus < 1) cpus = std::max(1u, std::thread::hardware_concurrency());
  const char* omp = secure_getenv("OMP_NUM_THREADS");
  const int omp_threads = omp ? std::atoi(omp) : 0;
  if (omp_threads > 0 && omp_threads < cpus) return {omp_threads, "OMP_NUM_THREADS"};
  return {std::min(cpus, most), "the processors this process may use"};
}

}  // namespace

constinit std::atomic<const ThreadLimit*> limit_in_force{nullptr};

const ThreadLimit& find_thread_limit() {
  core::once([] { return pthread_atfork(nullptr, nullptr, forget_pool); });
  const core::Uncancelled until_known;
  const ThreadLimit* const fresh = new ThreadLimit(limit());
  const ThreadLimit* known = nullptr;
  if (limit_in_force.compare_exchange_strong(known, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;
  return *known;
}

int threads_now() {
  const int most = thread_limit().threads;
  return most > 1 && omp_in_parallel && omp_in_parallel() ? 1 : most;
}

void linger(int spins) { spins % 1024 ? relax() : std::this_thread::yield(); }

void run_parts(int parts, Work work, void* context) {
  if (Pool* p = pool()) return p->run(parts, work, context);
  for (int part = 0; part < parts; ++part) work(context, part);
}

}  // namespace trigon::cpu
