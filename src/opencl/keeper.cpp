#include "opencl/keeper.hpp"

#include "opencl/cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace trigon::opencl {
namespace {

struct Job {
  cl_program program;
  cl_device_id device;
  std::filesystem::path folder;
  std::string key;
};

/// What a program is asked that has an answer for each device of its context.
template <class Answer>
bool ask(cl_program program, cl_program_info what, std::vector<Answer>& answers) {
  return clGetProgramInfo(program, what, answers.size() * sizeof(Answer), answers.data(), nullptr) == CL_SUCCESS;
}

std::string binary_of(cl_program program, cl_device_id device) {
  const auto count = value_of<cl_uint>(clGetProgramInfo, program, CL_PROGRAM_NUM_DEVICES);
  std::vector<cl_device_id> devices(count);
  std::vector<std::size_t> sizes(count);
  if (!ask(program, CL_PROGRAM_DEVICES, devices) || !ask(program, CL_PROGRAM_BINARY_SIZES, sizes)) return {};
  const auto at = static_cast<std::size_t>(std::find(devices.begin(), devices.end(), device) - devices.begin());
  if (at == count) return {};
  std::string binary(sizes[at], '\0');
  std::vector<unsigned char*> binaries(count);  // null for those that are not wanted
  binaries[at] = reinterpret_cast<unsigned char*>(binary.data());
  return ask(program, CL_PROGRAM_BINARIES, binaries) ? binary : std::string();
}

/// One thread, started by the first job. Never destroyed, but stopped when the process ends, before the runtime is.
class Keeper {
 public:
  void add(Job job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    last_ = std::chrono::steady_clock::now();
    if (!started_) start();
    wake_.notify_one();
  }

  void stop() {
    if (getpid() != owner_) return;  // a forked child has no such thread, and perhaps the lock of one
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      wake_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

 private:
  void start();

  void run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      if (jobs_.empty()) {
        wake_.wait(lock);
      } else if (std::chrono::steady_clock::now() < last_ + std::chrono::seconds(2)) {
        wake_.wait_until(lock, last_ + std::chrono::seconds(2));
      } else {
        const Job job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        try {
          cache::write(job.folder, job.key, binary_of(job.program, job.device));
        } catch (const std::exception&) {  // not to be kept is no failure
        }
        clReleaseProgram(job.program);
        lock.lock();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  std::chrono::steady_clock::time_point last_;
  bool started_ = false, stopping_ = false;
  pid_t owner_ = 0;
  std::thread thread_;
};

Keeper& keeper() {
  static Keeper& k = *new Keeper;
  return k;
}

void Keeper::start() {
  started_ = true;
  owner_ = getpid();
  // Signals are for the program's own threads.
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  try {
    thread_ = std::thread([this] { run(); });
    std::atexit([] { keeper().stop(); });
  } catch (const std::system_error&) {
    // Without a thread nothing is kept.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void keep_later(cl_program program, cl_device_id device, const std::filesystem::path& folder, const std::string& key) {
  if (folder.empty() || key.empty()) return;
  clRetainProgram(program);
  keeper().add({program, device, folder, key});
}

}  // namespace trigon::opencl
