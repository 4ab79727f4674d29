// The CPU under the recursions: leaves by the packed kernels, rectangles by our GEMM or the provider's.
#pragma once

#include "core/algorithm.hpp"
#include "core/backend.hpp"
#include "core/environment.hpp"
#include "core/plan.hpp"
#include "core/trace.hpp"
#include "cpu/blocking.hpp"
#include "cpu/generic.hpp"
#include "cpu/kernels.hpp"
#include "cpu/pool.hpp"
#include "cpu/provider.hpp"

namespace trigon::cpu {

template <class T>
class Backend {
 public:
  /// `threads` serve the rectangles; leaves are serial (the caller splits right-hand sides: then the plan has more).
  Backend(const core::Plan& plan, int threads)
      : kernels_(kernels<T>()),
        threads_(threads),
        beside_(plan.threads > threads),
        leaf_(plan.path == core::Path::Recursion ? plan.leaf : unlimited),
        provider_(plan.provider) {}

  index leaf(index, index) const { return leaf_; }
  double now() const { return core::now(); }

  void gemm(const T& alpha, const Matrix<T*>& a, const Matrix<T*>& b, const T& beta, const Matrix<T*>& c) const {
    const int parts = rectangle_parts(c, a.cols);
    if (parts == 1) return block(alpha, a, b, beta, c);
    const bool by_rows = c.rows >= c.cols;
    const index lines = by_rows ? c.rows : c.cols;
    const bool contiguous = (by_rows ? c.row_stride : c.col_stride) == 1;
    const index grain =
        share_grain<T>(lines, parts, contiguous ? Division::Contiguous : Division::Apart, kernels_.lanes);
    parallel(parts, [&](int part) {
      const auto [begin, size] = share(lines, parts, part, grain);
      if (size == 0) return;
      if (by_rows)
        block(alpha, a.block(begin, 0, size, a.cols), b, beta, c.block(begin, 0, size, c.cols));
      else
        block(alpha, a, b.block(0, begin, b.rows, size), beta, c.block(0, begin, c.rows, size));
    });
  }

  void solve(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b) const {
    if (!kernels_.solve(alpha, t, b, beside_)) generic::solve(alpha, t, b);
  }

  void multiply(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b) const {
    if (!kernels_.multiply(alpha, t, b, beside_)) generic::multiply(alpha, t, b);
  }

  template <Mirror mirror>
  void product(const T& alpha, const Triangle<T*>& s, const Matrix<T*>& b, const T& beta, const Matrix<T*>& c) const {
    band<mirror>(alpha, s, 0, b, beta, c);
  }

  /// The rows of c := alpha s b + beta c from `first` on, as many as c has.
  template <Mirror mirror>
  void band(const T& alpha, const Triangle<T*>& s, index first, const Matrix<T*>& b, const T& beta,
            const Matrix<T*>& c) const {
    const Form form = mirror == Mirror::Hermitian ? Form::Hermitian : Form::Symmetric;
    own_gemm(alpha, {s.a, form, s.uplo, {}, first}, {core::transpose(b)}, beta, c, Mask::All);
  }

  template <Mirror mirror>
  void update(const T& alpha, const Matrix<T*>& a, const T& beta, const Triangle<T*>& c) const {
    own_gemm(alpha, {a}, {core::bar<mirror>(a)}, beta, c.a, mask_of<T>(mirror, c.uplo));
  }

  template <Mirror mirror>
  void update2(const T& alpha, const Matrix<T*>& a, const Matrix<T*>& b, const T& beta, const Triangle<T*>& c) const {
    if (folds(c.n(), a.cols) && kernels_.gemm_folded(alpha, a, core::bar<mirror>(b), beta, c.a,
                                                     mask_of<T>(mirror, c.uplo), blocking<T>(a.cols)))
      return;
    add2<mirror>(alpha, a, b, a, b, beta, c.a, mask_of<T>(mirror, c.uplo));
  }

  /// The rectangles of a divided update: rows of A (and B) beyond the triangle against rows beside it.
  template <Mirror mirror>
  void rectangle(const T& alpha, const Matrix<T*>& far, const Matrix<T*>& near, const T& beta,
                 const Matrix<T*>& c) const {
    own_gemm(alpha, {far}, {core::bar<mirror>(near)}, beta, c, Mask::All);
  }
  template <Mirror mirror>
  void rectangle2(const T& alpha, const Matrix<T*>& a_far, const Matrix<T*>& b_far, const Matrix<T*>& a_near,
                  const Matrix<T*>& b_near, const T& beta, const Matrix<T*>& c) const {
    add2<mirror>(alpha, a_far, b_far, a_near, b_near, beta, c, Mask::All);
  }

 private:
  static constexpr index unlimited = index{1} << 62;

  /// Whether a rank-2k update is one product and its transpose. Sums must be long enough to pay for the second pass
  /// over C, which stays in the second cache (complex ones compute four times as much for twice of it); and shares of a
  /// triangle would be folded where the whole is not.
  static bool folds(index n, index depth) {
    const index least = is_complex<T> ? 8 + n / 8 : 16 + n / 2;
    return n <= 256 && depth >= least && !core::environment().reproducible;
  }

  static double volume(const Matrix<T*>& c, index depth) {
    return static_cast<double>(c.rows) * static_cast<double>(c.cols) * static_cast<double>(depth);
  }

  int rectangle_parts(const Matrix<T*>& c, index depth) const {
    if (threads_ == 1) return 1;
    const double each = (is_complex<T> ? 8 : 2) * volume(c, depth) / threads_;
    return each >= static_cast<double>(core::tuning().cpu_thread_flops[precision_of<T>]) ? threads_ : 1;
  }

  void block(const T& alpha, const Matrix<T*>& a, const Matrix<T*>& b, const T& beta, const Matrix<T*>& c) const {
    if (provider_ && volume(c, a.cols) >= static_cast<double>(core::tuning().cpu_provider_work[precision_of<T>]))
      if (provider_gemm(alpha, a, b, beta, c)) return;
    own_gemm(alpha, {a}, {core::transpose(b)}, beta, c, Mask::All);
  }

  void own_gemm(const T& alpha, const Factor<T>& a, const Factor<T>& bt, const T& beta, const Matrix<T*>& c,
                Mask mask) const {
    const Blocking sizes = blocking<T>(a.depth());
    if (!kernels_.gemm(alpha, a, bt, beta, c, mask, sizes)) generic::gemm(alpha, a, bt, beta, c, mask, sizes.k);
  }

  /// c := alpha a b1' + alpha' b a1' + beta c: one pass of twice the depth, alpha [a b] [b1 a1]', where the
  /// scalars are equal.
  template <Mirror mirror>
  void add2(const T& alpha, const Matrix<T*>& a, const Matrix<T*>& b, const Matrix<T*>& a1, const Matrix<T*>& b1,
            const T& beta, const Matrix<T*>& c, Mask mask) const {
    if (mirror == Mirror::Hermitian && alpha != core::conj_scalar(alpha)) {
      own_gemm(alpha, {a}, {core::bar<mirror>(b1)}, beta, c, mask);
      own_gemm(core::conj_scalar(alpha), {b}, {core::bar<mirror>(a1)}, T(1), c, mask);
      return;
    }
    own_gemm(alpha, {a, Form::Pair, {}, b}, {core::bar<mirror>(b1), Form::Pair, {}, core::bar<mirror>(a1)}, beta, c,
             mask);
  }

  const Kernels<T>& kernels_;
  int threads_;
  bool beside_;  ///< other threads have the right-hand sides beside these
  index leaf_;
  bool provider_;
};

}  // namespace trigon::cpu
