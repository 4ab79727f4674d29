// A checked call onto its queues.
#pragma once

#include "doors/clblas/check.hpp"
#include "doors/clblas/session.hpp"

#include <algorithm>
#include <limits>

namespace trigon::clblas {

/// A reference to what submits the work of a call. A std::function would take memory, and where nobody catches.
class Work {
 public:
  template <class Run>
  Work(const Run& run)
      : run_(&run),
        invoke_([](const void* it, Lane& lane, const Submission& on) { (*static_cast<const Run*>(it))(lane, on); }) {}
  void operator()(Lane& lane, const Submission& on) const { invoke_(run_, lane, on); }

 private:
  const void* run_;
  void (*invoke_)(const void* run, Lane&, const Submission&);
};

/// Lets `run` submit the work to the first queue, after the wait list; then makes every other queue wait for it, and an
/// event for each. Says what goes wrong; no exception leaves.
clblasStatus submit(Check&, const Queues&, Work run) noexcept;

inline std::complex<double> wide(cl_float v) { return v; }
inline std::complex<double> wide(cl_double v) { return v; }
inline std::complex<double> wide(cl_float2 v) { return {v.s[0], v.s[1]}; }
inline std::complex<double> wide(cl_double2 v) { return {v.s[0], v.s[1]}; }

/// Sizes and offsets are used once they have been found to fit into buffers.
inline index size(size_t n) { return static_cast<index>(n); }
/// Where there is one line only, any leading dimension fits, also one whose bytes are beyond an index.
inline index ld(const Matrix& m) {
  constexpr size_t most = std::numeric_limits<index>::max() / sizeof(std::complex<double>);
  return size(std::min(m.ld, most));
}

inline void set(Op& to, clblasTranspose v) {
  to = v == clblasNoTrans ? Op::NoTrans : v == clblasTrans ? Op::Trans : Op::ConjTrans;
}
inline void set(Uplo& to, clblasUplo v) { to = v == clblasUpper ? Uplo::Upper : Uplo::Lower; }
inline void set(Diag& to, clblasDiag v) { to = v == clblasUnit ? Diag::Unit : Diag::NonUnit; }
inline void set(Side& to, clblasSide v) { to = v == clblasLeft ? Side::Left : Side::Right; }

/// A call of the C++ door, as far as it goes for all.
inline Call begin(Operation operation, Precision precision, clblasOrder order) {
  Call c;
  c.operation = operation, c.precision = precision;
  c.layout = order == clblasRowMajor ? Layout::RowMajor : Layout::ColMajor;
  return c;
}

}  // namespace trigon::clblas
