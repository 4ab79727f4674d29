// The arguments of a call against what they must be, before anything is written. The first that is wrong decides.
#pragma once

#include "doors/clblas/message.hpp"
#include "doors/clblas/operands.hpp"

#include <utility>

namespace trigon::clblas {

/// What every routine has last.
struct Queues {
  cl_uint count;
  cl_command_queue* list;
  cl_uint waits;
  const cl_event* wait_list;
  cl_event* events;
};
#define TRIGON_CLBLAS_GIVEN \
  ::trigon::clblas::Queues { numCommandQueues, commandQueues, numEventsInWaitList, eventWaitList, events }

/// What an operand is called, and with it the statuses about it. clBLAS has none for results: they are those of x or y.
enum class Role { A, B, C, X, Y, ResultX, ResultY };

class Check {
 public:
  /// The session runs, and in this process: that comes first.
  Check(const char* routine, Precision);

  bool ok() const { return status_ == clblasSuccess; }
  clblasStatus status() const { return status_; }
  const char* routine() const { return routine_; }

  Check& flags(clblasOrder order);
  Check& flags(clblasTranspose);
  Check& flags(clblasUplo);
  Check& flags(clblasDiag);
  Check& flags(clblasSide);
  /// The op of a rank-k update: Hermitian ones have no transposition, complex symmetric ones no conjugation.
  Check& update(clblasTranspose, bool hermitian);

  /// A matrix of `rows` by `columns` as stored.
  Check& matrix(Role, const Matrix&, clblasOrder, size_t rows, size_t columns);
  /// op of it is `rows` by `columns`.
  Check& matrix(Role, const Matrix&, clblasOrder, clblasTranspose, size_t rows, size_t columns);
  Check& vector(Role, const Strided&);

  /// `count` numbers of `bytes` each.
  Check& result(Role, cl_mem, size_t offset, size_t bytes, size_t count = 1);

  /// Queues, events, what the device can do, and whether all are of one context. The last check.
  Check& queues(const Queues&);

 private:
  static constexpr int most_operands = 5;

  Check& fail(clblasStatus, const Words&);
  /// A buffer that holds so many elements beyond the offset.
  Check& buffer(Role, cl_mem, size_t offset, unsigned __int128 elements, size_t element_bytes);

  const char* routine_;
  Precision precision_;
  clblasStatus status_ = clblasSuccess;
  std::pair<Role, cl_context> contexts_[most_operands];
  int operands_ = 0;
};

}  // namespace trigon::clblas
