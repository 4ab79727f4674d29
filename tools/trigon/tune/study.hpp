// What is tuned: an entry of the table, the values it may have, and the calls that tell them apart.
#pragma once

#include <trigon/call.hpp>

#include <string>
#include <utility>
#include <vector>

namespace trigon::tune {

/// How an entry governs calls.
enum class Kind {
  Choice,  ///< every call, by its value: all values are timed
  UpTo,    ///< something is done to calls up to the value: they are timed with it never and always
  From,    ///< something is done to calls from the value on: they are timed with it always and never
  Sets,    ///< several entries that only make sense together: values are places in `sets`
};

struct Trial {
  Call call;     ///< no operands
  index at = 0;  ///< where the call stands on the scale of the entry; Choice: nowhere
};

struct Study {
  std::string entry;  ///< as `trigon info` lists it: "cpu.leaf.d"
  Kind kind = Kind::Choice;
  std::vector<index> values;  ///< to be timed; UpTo and From: one below all trials, one above
  std::vector<Trial> trials;
  int threads = 1;
  bool zero_is_never = false;                 ///< a table says 0 where this says the last of `values`
  std::vector<std::string> entries = {};      ///< Sets: of the table
  std::vector<std::vector<index>> sets = {};  ///< … and what they may be, each in the order of `entries`
  std::string kernels = {};                   ///< not empty: only calls whose plan says so know the entry

  /// What a table says of a value: entries and their values.
  std::vector<std::pair<std::string, index>> settings(index value) const;

  index in_table(index value) const { return zero_is_never && value == values.back() ? 0 : value; }
  index from_table(index value) const { return zero_is_never && value == 0 ? values.back() : value; }
};

/// The studies of the CPU's entries for the letters of `precisions`, in an order in which each can use
/// what those before have found. Those of threads are left out for `threads` = 1.
std::vector<Study> cpu_studies(const std::string& precisions, int threads);

/// The same of the OpenCL device in use.
std::vector<Study> opencl_studies(const std::string& precisions, int threads);

/// The same of CUDA and HIP devices. One entry is about all precisions at once.
std::vector<Study> cuda_studies(const std::string& precisions);

/// Those of a backend that has some.
bool has_studies(const std::string& backend);
std::vector<Study> studies_of(const std::string& backend, const std::string& precisions, int threads);

/// Takes away calls with a size above `most`, and studies of which nothing is left.
void leave_out_larger(std::vector<Study>&, index most);

/// Measured times: for each trial, the time with each of `values`, relative to any of them. Infinite: the table was
/// refused, or given up as too slow.
using Times = std::vector<std::vector<double>>;

struct Decision {
  index value = 0;
  double gain = 1;  ///< the present value's time over the chosen one's, the geometric mean over `calls`
  int calls = 0;    ///< the trials that the choice makes a difference to
};

/// The values that were timed in all trials, fastest first, at most `most`, with their mean speed over the present
/// one's.
std::vector<std::pair<index, double>> best(const Study&, const Times&, index present, std::size_t most);

/// What it takes to time a decision again: the trials that the two values make a difference to and, unless they are on
/// a scale, no other value.
Study narrowed(const Study&, index present, index chosen);

/// The present value's time over the chosen one's, the geometric mean over the trials of a narrowed study.
double gain(const Study& narrowed, const Times&, index present, index chosen);

/// A decision that changes something is timed twice: what one busy moment of the machine has made faster is not faster.
struct Verdict {
  Decision first;
  double again = 1;  ///< the gain when timed again
  bool holds = true;

  index value(index present) const { return holds ? first.value : present; }
};
Verdict judge(const Decision&, double again, double margin);

/// The value with the least total time, unless it is within `margin` of the present one where they differ.
Decision decide(const Study&, const Times&, index present, double margin);

}  // namespace trigon::tune
