#include "opencl/keeper.hpp"

#include "core/signals.hpp"
#include "opencl/cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
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
  void add(const Job& job) {
    const std::lock_guard lock(mutex_);
    if (!started_) start();
    if (!started_) return;
    jobs_.push_back(job);
    clRetainProgram(job.program);
    last_ = std::chrono::steady_clock::now();
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

/// Without a thread nothing is kept, until one can be started.
void Keeper::start() {
  const core::SignalsElsewhere here;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::exception&) {
    return;
  }
  started_ = true;
  owner_ = getpid();
  std::atexit([] { keeper().stop(); });
}

}  // namespace

void keep_later(cl_program program, cl_device_id device, const std::filesystem::path& folder, const std::string& key) {
  if (folder.empty() || key.empty()) return;
  try {
    keeper().add({program, device, folder, key});
  } catch (const std::bad_alloc&) {  // the next process compiles it once more
  }
}

}  // namespace trigon::opencl
