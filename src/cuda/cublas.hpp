// cuBLAS as a provider of GEMM beside our own kernels. It is opened at run time: nothing of it is needed to build,
// nothing of it is linked, and no other routine of it is ever looked up.
#pragma once

#include "core/view.hpp"
#include "cuda/memory.hpp"

#include <string>

namespace trigon::cuda {

/// The library.
struct CublasLibrary {
  std::string path;  ///< of the file; empty: none was opened
  std::string why;   ///< … for this reason
};

/// Opens it on first use: the file `name`, or what is installed if that is "cublas". The first name that is asked for
/// decides.
const CublasLibrary& open_cublas(const std::string& name);

/// cuBLAS on one stream, with what keeps the promises of docs/numerics.md: default math mode (no TF32, no other format
/// below that of the operands), no atomics, scalars by host address, and a workspace of its own, so that nothing is
/// allocated in a call, and the bits do not depend on what else runs.
class Cublas {
 public:
  /// What cuBLAS itself takes on its largest devices.
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

  /// Allocates and may wait. After open_cublas(). Throws failure.
  explicit Cublas(const Stream&);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  /// c := alpha a b + beta c, enqueued. False, with nothing done, where BLAS has no words for the operands: a conjugate
  /// that is not transposed, elements of a column and of a row both apart, or complex ones at addresses that are no
  /// multiple of their size. Throws failure.
  template <class T>
  bool gemm(T alpha, core::Matrix<T*> a, core::Matrix<T*> b, T beta, core::Matrix<T*> c) const;

 private:
  DeviceMemory workspace_;
  void* handle_ = nullptr;
};

}  // namespace trigon::cuda
