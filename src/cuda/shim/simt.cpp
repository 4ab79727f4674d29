#include "cuda/shim/simt.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>

#include <algorithm>
#include <cfenv>
#include <memory>
#include <mutex>
#include <random>
#include <utility>

namespace trigon::simt {
namespace {

namespace context = boost::context;

constexpr int warp_size = 32;
constexpr std::size_t shared_limit = 48 * 1024;  ///< of static arrays, on any device
constexpr std::size_t widest_exchange = 48;
constexpr int patience = 1000;  ///< rounds in which threads only spin
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stack_bytes = 256 * 1024;
#else
constexpr std::size_t stack_bytes = 64 * 1024;
#endif

enum class State { Ready, AtBlockBarrier, AtWarpBarrier, Done };

std::string words(const Place& p) {
  const std::string file = p.file_name();
  return file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(p.line());
}

bool same(const Place& a, const Place& b) {
  return a.line() == b.line() && a.column() == b.column() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

struct Block;

struct Thread {
  Block* block = nullptr;
  int index = 0;
  State state = State::Ready;
  bool spinning = false;
  Place place;
  unsigned exchanges = 0;  ///< two slots in turn: a fast lane may post the next value before a slow one has read
  alignas(16) std::byte slot[2][widest_exchange];
  context::fiber fibre, scheduler;
};

struct Array {
  Place place;
  std::size_t bytes = 0;
  std::unique_ptr<std::byte[]> memory;
};

struct Block {
  std::int64_t index = 0;
  std::vector<Thread> threads;
  std::vector<Array> statics;
  std::size_t shared_bytes = 0;

  bool done() const {
    return std::all_of(threads.begin(), threads.end(), [](const Thread& t) { return t.state == State::Done; });
  }

  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  /// What a fault leaves unfinished is abandoned, not unwound: device code has nothing that needs it, and sanitizers do
  /// not know its stacks.
  ~Block() {
    static std::mutex mutex;
    static auto& abandoned = *new std::vector<context::fiber>;
    const std::lock_guard lock(mutex);
    for (Thread& t : threads)
      if (t.state != State::Done) abandoned.push_back(std::move(t.fibre));
  }
};

/// The launch that this CPU thread carries out.
struct Running {
  const Grid* grid = nullptr;
  Thread* thread = nullptr;
  std::string failure;  ///< of device code
};
thread_local Running running;

Thread& current() { return *running.thread; }

/// Hands the CPU to the scheduler until it comes back to this thread.
void leave(Thread& t) { t.scheduler = std::move(t.scheduler).resume(); }

void stop_at(State state, const Place& place) {
  Thread& t = current();
  t.state = state;
  t.place = place;
  leave(t);
}

/// Ends the launch from inside a fibre, where nothing may be thrown.
[[noreturn]] void fail(const std::string& words) {
  running.failure = words;
  for (;;) leave(current());
}

/// Whether a mutant shall not stop here. The first time it is asked, the place gets the next number.
bool dropped(const char* kind, const Place& place) {
  thread_local std::vector<Place> known;
  auto& names = report().places;
  if (known.size() != names.size()) known.clear(), names.clear();  // the report was reset
  std::size_t number = 0;
  while (number < known.size() && !same(known[number], place)) ++number;
  if (number == known.size()) {
    known.push_back(place);
    names.push_back(std::string(kind) + " " + words(place));
  }
  return static_cast<int>(number) == settings().drop;
}

std::unique_ptr<std::byte[]> poisoned(std::size_t bytes) {
  auto memory = std::make_unique_for_overwrite<std::byte[]>(std::max<std::size_t>(bytes, 1));
  std::memset(memory.get(), 0xff, bytes);  // NaN in every precision
  return memory;
}

class Launch {
 public:
  Launch(const Grid& grid, const std::function<void()>& kernel)
      : grid_(grid), kernel_(kernel), settings_(settings()), random_(settings_.seed) {
    if (grid.threads <= 0 || grid.threads % warp_size != 0 || grid.threads > 1024)
      throw fault("simt: a block has " + std::to_string(grid.threads) + " threads");
  }

  void run() {
    std::vector<std::unique_ptr<Block>> live;
    for (int idle = 0; next_ < grid_.blocks || !live.empty();) {
      while (static_cast<int>(live.size()) < std::max(1, settings_.resident) && next_ < grid_.blocks)
        live.push_back(start(next_++));
      if (settings_.schedule == Schedule::Random) std::shuffle(live.begin(), live.end(), random_);
      bool progress = false;
      for (const auto& block : live) progress |= round(*block);
      idle = progress ? 0 : idle + 1;
      if (idle > patience) throw fault("simt: threads wait for each other for ever, one of them at " + somewhere(live));
      std::erase_if(live, [](const auto& block) { return block->done(); });
    }
  }

 private:
  std::unique_ptr<Block> start(std::int64_t index) {
    auto block = std::make_unique<Block>();
    block->index = index;
    block->threads.resize(static_cast<std::size_t>(grid_.threads));
    for (int i = 0; i < grid_.threads; ++i) {
      Thread& t = block->threads[static_cast<std::size_t>(i)];
      t.block = block.get();
      t.index = i;
      t.fibre = context::fiber(std::allocator_arg, stacks(), [this, &t](context::fiber&& scheduler) {
        t.scheduler = std::move(scheduler);
        kernel_();
        t.state = State::Done;
        return std::move(t.scheduler);
      });
    }
    return block;
  }

  static context::pooled_fixedsize_stack& stacks() {
    thread_local context::pooled_fixedsize_stack pool(stack_bytes);
    return pool;
  }

  /// Lets the warps of a block run as the schedule says; whether any of them got anywhere.
  bool round(Block& block) {
    const int warps = grid_.threads / warp_size;
    std::vector<int> order(static_cast<std::size_t>(warps));
    for (int w = 0; w < warps; ++w) order[static_cast<std::size_t>(w)] = w;
    if (settings_.schedule == Schedule::Reverse) std::reverse(order.begin(), order.end());
    if (settings_.schedule == Schedule::Random) std::shuffle(order.begin(), order.end(), random_);
    bool progress = false;
    for (const int w : order) {
      std::uint64_t steps = ~std::uint64_t{0};
      if (settings_.schedule == Schedule::Lockstep) steps = 1;
      if (settings_.schedule == Schedule::Random) steps = 1 + random_() % 40;
      while (steps-- > 0 && step(block, w)) progress = true;
    }
    progress |= release(block.threads.data(), grid_.threads, State::AtBlockBarrier);
    return progress;
  }

  /// Every lane that is ready runs to its next barrier; then the warp passes its own. False if nothing happened.
  bool step(Block& block, int warp) {
    Thread* lanes = &block.threads[static_cast<std::size_t>(warp * warp_size)];
    int order[warp_size];
    for (int i = 0; i < warp_size; ++i) order[i] = settings_.schedule == Schedule::Reverse ? warp_size - 1 - i : i;
    if (settings_.schedule == Schedule::Random) std::shuffle(order, order + warp_size, random_);
    bool progress = false;
    for (const int i : order) {
      Thread& t = lanes[i];
      if (t.state != State::Ready) continue;
      resume(t);
      progress |= !t.spinning;
    }
    return release(lanes, warp_size, State::AtWarpBarrier) || progress;
  }

  void resume(Thread& t) {
    t.spinning = false;
    running.thread = &t;
    ++report().switches;
    t.fibre = std::move(t.fibre).resume();
    if (!running.failure.empty()) throw fault(running.failure);
  }

  /// Lets threads pass a barrier that all of them have reached, at one place.
  bool release(Thread* threads, int count, State barrier) {
    const Thread* first = nullptr;
    bool ended = false;
    for (int i = 0; i < count; ++i) {
      const Thread& t = threads[i];
      if (t.state == State::Done) {
        ended = true;
        continue;
      }
      if (t.state != barrier) return false;
      if (!first) first = &t;
      if (!same(t.place, first->place))
        throw fault("simt: one barrier is reached at " + words(t.place) + " and at " + words(first->place));
    }
    if (!first) return false;
    if (ended) throw fault("simt: some threads have ended when others reach the barrier at " + words(first->place));
    for (int i = 0; i < count; ++i) threads[i].state = State::Ready;
    return true;
  }

  static std::string somewhere(const std::vector<std::unique_ptr<Block>>& live) {
    for (const auto& block : live)
      for (const Thread& t : block->threads)
        if (t.state != State::Done) return words(t.place);
    return "no place";
  }

  const Grid& grid_;
  const std::function<void()>& kernel_;
  Settings settings_;
  std::mt19937_64 random_;
  std::int64_t next_ = 0;
};

}  // namespace

Settings& settings() {
  thread_local Settings s;
  return s;
}

Report& report() {
  thread_local Report r;
  return r;
}

void launch(const Grid& grid, const std::function<void()>& kernel) {
  ++report().launches;
  report().blocks += static_cast<std::uint64_t>(grid.blocks);
  struct Restore {
    Running outer;
    std::fenv_t environment;
    ~Restore() {
      running = outer;
      std::fesetenv(&environment);  // devices raise no flags
    }
  } restore{std::exchange(running, {&grid, nullptr, {}}), {}};
  std::fegetenv(&restore.environment);
  Launch(grid, kernel).run();
}

int thread_index() { return current().index; }
int block_threads() { return running.grid->threads; }
std::int64_t block_index() { return current().block->index; }

void sync_block(Place place) {
  if (dropped("sync_block", place)) return;
  stop_at(State::AtBlockBarrier, place);
}

void sync_warp(Place place) {
  if (dropped("sync_warp", place)) return;
  stop_at(State::AtWarpBarrier, place);
}

namespace {

/// Posts a value and waits until all lanes of the warp have posted theirs; returns where lane 0's is.
const Thread* post(const void* value, std::size_t size, unsigned& slot, Place place) {
  if (size > widest_exchange) fail("simt: a shuffle of " + std::to_string(size) + " bytes");
  Thread& me = current();
  slot = me.exchanges++ % 2;
  std::memcpy(me.slot[slot], value, size);
  stop_at(State::AtWarpBarrier, place);
  return &me.block->threads[static_cast<std::size_t>(me.index / warp_size * warp_size)];
}

}  // namespace

std::array<const void*, warp_size> post_to_warp(const void* mine, std::size_t size, Place place) {
  unsigned slot = 0;
  const Thread* const lanes = post(mine, size, slot, place);
  std::array<const void*, warp_size> posted;
  for (std::size_t i = 0; i < posted.size(); ++i) posted[i] = lanes[i].slot[slot];
  return posted;
}

void exchange(const void* mine, void* theirs, std::size_t size, int lane, Place place) {
  unsigned slot = 0;
  const Thread* const lanes = post(mine, size, slot, place);
  std::memcpy(theirs, lanes[lane % warp_size].slot[slot], size);
}

bool vote(bool mine, Place place) {
  unsigned slot = 0;
  const Thread* const lanes = post(&mine, sizeof mine, slot, place);
  return std::all_of(lanes, lanes + warp_size, [&](const Thread& t) { return t.slot[slot][0] != std::byte{0}; });
}

bool skip_wait(Place place) { return dropped("wait", place); }

void spin(Place place) {
  Thread& t = current();
  t.spinning = true;
  t.place = place;
  leave(t);
}

void* shared(std::size_t bytes, Place place) {
  Block& block = *current().block;
  for (const Array& a : block.statics) {
    if (!same(a.place, place)) continue;
    if (a.bytes != bytes) fail("simt: one shared array of two sizes at " + words(place));
    return a.memory.get();
  }
  block.shared_bytes += bytes;
  if (block.shared_bytes > shared_limit)
    fail("simt: a block asks for " + std::to_string(block.shared_bytes) + " bytes of shared memory");
  block.statics.push_back({place, bytes, poisoned(bytes)});
  return block.statics.back().memory.get();
}

}  // namespace trigon::simt
