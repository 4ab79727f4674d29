// What crosses from the core to a backend, plug-ins included: canonical operands and, for the backends
// that need them, batch, queue, events and workspace. Plain data, stamped with its size, so that the
// table of a plug-in never has to change shape.
#pragma once

#include "core/backend.hpp"
#include "core/view.hpp"

#include <cstddef>
#include <cstdio>

namespace trigon::core {

/// A type-erased view: the handle is a host or device address or a cl_mem, the offset counts elements.
struct Operand {
  void* handle = nullptr;
  index offset = 0;
  index rows = 0, cols = 0, row_stride = 1, col_stride = 0;
  bool conj = false;
};

/// `count` problems. Strided: problem p lies p * step elements on. Pointers: handles are arrays of pointers
/// and, when `sizes` is given, every problem has its own.
struct Batch {
  enum class Form : unsigned char { Single, Strided, Pointers } form = Form::Single;
  index count = 1;
  index step_a = 0, step_b = 0, step_c = 0;
  const index* sizes = nullptr;  ///< per problem: m, n, k, lda, ldb, ldc
  int* info = nullptr;           ///< per problem, optional
};

/// Where operands lie: host addresses, or what a backend's devices call memory (a cl_mem, a device address).
enum class Memory : unsigned char { Host, Device };

/// Where the words behind a status go.
struct Message {
  char* text = nullptr;
  std::size_t bytes = 0;

  void operator()(const char* words) const {
    if (bytes > 0) std::snprintf(text, bytes, "%s", words);
  }
};

enum class Status : int { Success = 0, InvalidArgument, Unavailable, OutOfMemory, DeviceError };

/// A call after check and canonicalisation: left side, no transposition.
///
/// Gemm      c := alpha a b + beta c
/// Symm/Hemm c := alpha a b + beta c, a the stored triangle `uplo` of a symmetric or Hermitian matrix
/// Syrk/Herk c := alpha a a' + beta c on the triangle `uplo` of c
/// Syr2k/…   c := alpha a b' + alpha' b a' + beta c on the triangle `uplo` of c
/// Trmm/Trmv b := alpha a b, Trsm/Trsv b := alpha a^-1 b, a triangular
struct Request {
  std::size_t size = sizeof(Request);
  Operation operation{};
  Precision precision{};
  Uplo uplo = Uplo::Lower;
  Diag diag = Diag::NonUnit;
  Solve solve = Solve::Exact;  ///< Exact or Inverted; TRSM and TRSV
  std::complex<double> alpha = 1, beta = 0;
  Operand a, b, c;
  Batch batch;
  Memory memory = Memory::Host;
  void* queue = nullptr;             ///< of the plug-in's Queues; for Memory::Device
  void* const* wait_list = nullptr;  ///< native events that must have come before anything is read
  unsigned waits = 0;
  void** event = nullptr;     ///< where the native event of the call goes, which its caller then owns
  void* workspace = nullptr;  ///< device memory of the caller's, or null: the queue's pool serves
  std::size_t workspace_bytes = 0;
  Message message;
};

constexpr Mirror mirror_of(Operation operation) {
  return operation == Operation::Hemm || operation == Operation::Herk || operation == Operation::Her2k
             ? Mirror::Hermitian
             : Mirror::Symmetric;
}

template <class T>
T scalar(std::complex<double> z) {
  if constexpr (is_complex<T>)
    return T(z);
  else
    return static_cast<T>(z.real());
}

/// The view of a host operand.
template <class T>
[[gnu::always_inline]] inline Matrix<T*> host_view(const Operand& o) {
  return {static_cast<T*>(o.handle) + o.offset, o.rows, o.cols, o.row_stride, o.col_stride, o.conj};
}

}  // namespace trigon::core
