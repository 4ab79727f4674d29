// The device under the recursions: rectangles and symmetric products by our GEMM kernel, leaves by the panel kernels.
#pragma once

#include "core/backend.hpp"
#include "cuda/cublas.hpp"
#include "cuda/kernels.hpp"

#include <algorithm>
#include <chrono>

namespace trigon::cuda {

using core::Mirror;

/// Seconds, with all done that was enqueued.
inline double now(const Stream& stream) {
  wait(stream);
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What a call is carried out with, beside its operands.
struct Means {
  Choice choice;
  const Cublas* cublas = nullptr;  ///< null: our own kernels alone
  index provider_work = 0;         ///< m n k from which a general product goes to it
  void* workspace = nullptr;       ///< device memory
};

/// Over device pointers. Calls enqueue and return.
template <class T>
class Backend {
 public:
  Backend(const Stream& stream, index leaf, const Means& means) : stream_(stream), leaf_(leaf), means_(means) {}

  /// Solves by inverses of the diagonal tiles of t: invert_tiles(), which is enqueued here. For one solve.
  void solve_by_inverses(const Triangle<T*>& t, T* inverses) {
    invert_tiles(stream_, t, inverses);
    inverses_ = inverses;
    leaf_ = std::max(leaf_, diagonal_tile);  // blocks then begin at multiples of it
  }

  index leaf(index, index) const { return leaf_; }
  double now() const { return cuda::now(stream_); }

  void gemm(T alpha, Matrix<T*> a, Matrix<T*> b, T beta, Matrix<T*> c) const {
    const auto work = static_cast<double>(c.rows) * static_cast<double>(c.cols) * static_cast<double>(a.cols);
    const bool provided = means_.cublas && work >= static_cast<double>(means_.provider_work);
    if (provided && means_.cublas->gemm(alpha, a, b, beta, c)) return;
    run(alpha, {a}, {core::transpose(b)}, beta, c, Mask::All);
  }
  /// Leaves come in the order of substitution.
  void solve(T alpha, Triangle<T*> t, Matrix<T*> b) {
    solve_panel<T>(stream_, alpha, t, b, inverses_ ? inverses_ + diagonal_tile * solved_ : nullptr, means_.choice);
    solved_ += t.n();
  }
  void multiply(T alpha, Triangle<T*> t, Matrix<T*> b) const { multiply_panel(stream_, alpha, t, b, means_.choice); }

  template <Mirror mirror>
  void product(T alpha, Triangle<T*> s, Matrix<T*> b, T beta, Matrix<T*> c) const {
    const bool lower = s.uplo == Uplo::Lower;
    const Form symmetric = lower ? Form::SymmetricLower : Form::SymmetricUpper;
    const Form hermitian = lower ? Form::HermitianLower : Form::HermitianUpper;
    run(alpha, {s.a, mirror == Mirror::Hermitian ? hermitian : symmetric}, {core::transpose(b)}, beta, c, Mask::All);
  }

  template <Mirror mirror>
  void update(T alpha, Matrix<T*> a, T beta, Triangle<T*> c) const {
    run(alpha, {a}, {core::bar<mirror>(a)}, beta, c.a, mask<mirror>(c.uplo));
  }

  /// One product of twice the depth, alpha [a b] [b a]', where the scalars are equal.
  template <Mirror mirror>
  void update2(T alpha, Matrix<T*> a, Matrix<T*> b, T beta, Triangle<T*> c) const {
    const Mask where = mask<mirror>(c.uplo);
    if (mirror == Mirror::Hermitian && alpha != core::conj_scalar(alpha)) {
      run(alpha, {a}, {core::bar<mirror>(b)}, beta, c.a, where);
      return run(core::conj_scalar(alpha), {b}, {core::bar<mirror>(a)}, T(1), c.a, where);
    }
    run(alpha, {a, Form::Pair, b}, {core::bar<mirror>(b), Form::Pair, core::bar<mirror>(a)}, beta, c.a, where);
  }

 private:
  void run(T alpha, const Operand<T>& a, const Operand<T>& b, T beta, Matrix<T*> c, Mask where) const {
    cuda::gemm(stream_, alpha, a, b, beta, c, where, means_.choice);
  }

  template <Mirror mirror>
  static Mask mask(Uplo uplo) {
    if (mirror == Mirror::Hermitian && is_complex<T>)
      return uplo == Uplo::Lower ? Mask::HermitianLower : Mask::HermitianUpper;
    return uplo == Uplo::Lower ? Mask::Lower : Mask::Upper;
  }

  const Stream& stream_;
  index leaf_;
  Means means_;
  const T* inverses_ = nullptr;
  index solved_ = 0;
};

}  // namespace trigon::cuda
