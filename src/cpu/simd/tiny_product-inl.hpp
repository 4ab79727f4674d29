// Products with a symmetric or Hermitian matrix of an order up to eight, whole in registers as in tiny-inl.hpp:
// what is not stored is read across the diagonal. Every entry is rounded as the packed kernel rounds it.
#if defined(TRIGON_CPU_SIMD_TINY_PRODUCT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_TINY_PRODUCT_INL
#undef TRIGON_CPU_SIMD_TINY_PRODUCT_INL
#else
#define TRIGON_CPU_SIMD_TINY_PRODUCT_INL
#endif

#include "cpu/kernels.hpp"
#include "cpu/simd/few_steps-inl.hpp"
#include "cpu/simd/tiny-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// The largest order and number of columns that are worth a transpose, for C with contiguous columns.
inline constexpr int tiny_across = 4;

/// c := s b, or c + s b if it `adds`. The lower triangle of s is stored.
template <class T>
struct TinyProduct {
  const T* s;
  index row, column;
  Tiny<T> b, c;  ///< where they lie; where conj(s) is meant, the parts of both are exchanged
  bool adds;
};

template <bool hermitian, class T, int n, int N, Lie lie>
HWY_NOINLINE void tiny_product_block(const TinyProduct<T>& p, index j, int count) {
  TinyBlock<T, n, N, lie> b, c;
  b.load(p.b, p.b.x + j * p.b.next, count);
  T* const result = p.c.x + j * p.c.next;
  if (p.adds) c.load(p.c, result, count);
#pragma GCC unroll 8
  for (int i = 0; i < n; ++i) {
    TinyRow<T, N> sum;
    sum.clear();
#pragma GCC unroll 8
    for (int k = 0; k < n; ++k) {
      const T s = k <= i ? p.s[i * p.row + k * p.column] : p.s[k * p.row + i * p.column];
      if (hermitian && k == i)
        sum.template add<false>(p.b.conj ? conjugated_if(true, T(real_part(s))) : T(real_part(s)), b.row[k]);
      else if (hermitian && k > i)
        sum.add_conjugated(s, b.row[k]);
      else
        sum.template add<false>(s, b.row[k]);
    }
    if (p.adds)
      c.row[i].add(sum);
    else
      c.row[i] = sum;
  }
  c.store(p.c, result, count);
}

template <bool hermitian, class T, int n>
void tiny_product_blocks(const TinyProduct<T>& p, index cols) {
  constexpr int L = lanes_of<real_t<T>>, N = std::min(L, n <= 4 ? 4 : 8);
  const bool along = is_complex<T> || (p.b.next == 1 && p.c.next == 1);
  index j = 0;
  if constexpr (N < L)
    for (; along && cols - j > N; j += L)
      tiny_product_block<hermitian, T, n, L, Lie::Along>(p, j, static_cast<int>(std::min<index>(L, cols - j)));
  for (; j < cols; j += N) {
    const int count = static_cast<int>(std::min<index>(N, cols - j));
    if (along)
      tiny_product_block<hermitian, T, n, N, Lie::Along>(p, j, count);
    else if constexpr (!is_complex<T> && n <= tiny_across)
      tiny_product_block<hermitian, T, n, N, Lie::Across>(p, j, count);
  }
}

/// c := s b or c + s b, the common cases, for s of an order up to eight; b and c contiguous in the same direction.
template <class T>
HWY_INLINE bool is_tiny_product(const T& alpha, const Factor<T>& s, const Matrix<T*>& b, const T& beta,
                                const Matrix<T*>& c) {
  if (alpha != T(1) || (beta != T(0) && beta != T(1))) return false;
  if (s.form != Form::Symmetric && s.form != Form::Hermitian) return false;
  // With more, what is known of s is worth keeping in order; or, of few steps with sixteen registers, that of a column.
  const bool steps_are_few = registers == 16 && s.a.rows < few_steps<T>;
  const index few = s.a.rows > 4 ? 64 : steps_are_few ? 128 : 512;
  const bool along = b.col_stride == 1 && c.col_stride == 1;
  const bool across = b.row_stride == 1 && c.row_stride == 1 && std::max(c.rows, c.cols) <= tiny_across;
  // Where the columns of c are contiguous the packed kernel broadcasts b: complex sums would have other bits here.
  const bool right = is_complex<T> ? along && c.row_stride != 1 : along || across;
  return s.a.rows <= tiny_order && c.cols <= few && !b.conj && right;
}

template <class T>
HWY_INLINE void tiny_product(const Factor<T>& s, const Matrix<T*>& b, const T& beta, const Matrix<T*>& c) {
  const bool lower = s.uplo == Uplo::Lower, hermitian = is_complex<T> && s.form == Form::Hermitian;
  // An upper triangle is the lower one of the transpose, which is the conjugate of a Hermitian matrix.
  const bool conj = is_complex<T> && s.a.conj != (hermitian && !lower);
  const auto lies = [&](const Matrix<T*>& m) HWY_ATTR {
    return Tiny<T>{nullptr, 0, 0, m.data, m.row_stride, m.col_stride, nullptr, true, conj};
  };
  const TinyProduct<T> p{
      s.a.data,    lower ? s.a.row_stride : s.a.col_stride, lower ? s.a.col_stride : s.a.row_stride, lies(b), lies(c),
      beta == T(1)};
  static_assert(tiny_order <= most_by_name);
  of_few(s.a.rows, [&]<int n>(std::integral_constant<int, n>) HWY_ATTR {
    if constexpr (is_complex<T>)
      if (hermitian) return tiny_product_blocks<true, T, n>(p, c.cols);
    tiny_product_blocks<false, T, n>(p, c.cols);
  });
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
