// An implementation that is timed: in this process, or in one of its own that sleeps while others run.
#pragma once

#include <trigon/error.hpp>
#include <trigon/inspect.hpp>
#include <trigon/verify.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trigon/bench/blas_library.hpp"
#include "trigon/bench/operands.hpp"
#include "trigon/bench/statistics.hpp"
#include "trigon/bench/sweep.hpp"

namespace trigon::bench {

/// How an implementation is entered.
enum class Entry { Fortran, Cblas, Cpp, Device };

/// An implementation as the command line names it.
struct Contender {
  std::string name, path, version;
  Entry entry = Entry::Fortran;
  bool is_trigon = false;
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< of a process of its own, over this one's
  std::string tuning = {};  ///< Trigon in a process of its own: the source of the table in force there
};

/// What the check of one result found.
struct Checked {
  bool right = false;
  double ratio = 0;   ///< worst error / bound
  std::string words;  ///< what is wrong
};

/// What Trigon counted in a process.
struct Counted {
  std::vector<PathCount> paths;
  unsigned long long provider_gemms = 0;
};

class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual const Contender& who() const = 0;
  /// Makes the row's operands ready. False, with a reason, when the implementation lacks the routine.
  virtual bool prepare(const Row&, std::uint64_t seed, std::string& why) = 0;
  /// One call, its result judged.
  virtual Checked check() = 0;
  /// Seconds per call over `inner` calls in a row, from restored operands; cold: evicted from the caches before.
  virtual double sample(int inner, bool cold) = 0;
  /// The plan of the prepared row, for Trigon.
  virtual PlanInfo plan() = 0;
  virtual Counted counted() = 0;
  /// Lets go of the operands.
  virtual void release() = 0;
};

/// Opens the implementation in this process. Contestants of one process share operands through `pool`.
struct OperandPool {
  std::string key;
  std::shared_ptr<Operands> operands;
  std::shared_ptr<Operands> get(const Row&, std::uint64_t seed);
};
std::unique_ptr<Contestant> open_here(Contender, std::shared_ptr<OperandPool> pool);

/// Trigon, or CLBlast, on operands in the memory of the device that TRIGON_BACKEND and TRIGON_DEVICE name.
std::unique_ptr<Contestant> open_on_device(Contender, std::shared_ptr<OperandPool> pool);
/// Whether they name one: then everybody is timed by the clock.
bool measures_a_device();
/// What those two name, as a Queue is made of it.
std::string device_by_name();

/// How much of a result is looked at.
Sample sample_for(const Call&, std::uint64_t seed);
/// How often a call may follow on its own result before alpha or beta drive it to overflow or to subnormals.
int repeats(const Call&);

/// What is said where no memory holds a row's operands, here or in a process of its own.
inline constexpr const char* out_of_memory_words = "out of memory";

/// A process of its own has ended in the middle of its work, which no implementation is excused for.
struct worker_died : backend_error {
  using backend_error::backend_error;
};

/// Starts a process for the implementation with `threads` threads; it is stopped except while it is asked something.
std::unique_ptr<Contestant> open_apart(Contender, int threads);

/// The life of such a process: answers requests until its input ends.
int serve(const Contender&, int threads);

/// The environment that gives every known BLAS this number of threads.
std::vector<std::pair<std::string, std::string>> thread_environment(int threads);

std::string to_string(Entry);
Entry parse_entry(const std::string&);

}  // namespace trigon::bench
