// GEMM for orders of a few vectors: nothing is packed, lanes run down the columns of C, complex numbers
// stay interleaved. Only factors that are not plain columns in memory are copied, to the stack.
// Every entry is rounded as the packed kernel rounds it, so that its bits do not depend on the size of C.
#if defined(TRIGON_CPU_SIMD_SMALL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SMALL_INL
#undef TRIGON_CPU_SIMD_SMALL_INL
#else
#define TRIGON_CPU_SIMD_SMALL_INL
#endif

#include "cpu/kernels.hpp"
#include "cpu/simd/complex-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

inline constexpr index small_order = 32;

/// A factor: in place, or copied.
template <class T> struct SmallFactor {
  const T* data;
  index row, column;  ///< strides
  bool conj;
};

template <class T> void complete(const Factor<T>& f, T* out) {
  const Matrix<T*>& a = f.a;
  const bool low = f.uplo == Uplo::Lower;
  for (index j = 0; j < a.cols; ++j)
    for (index i = low ? j : 0, end = low ? a.rows : j + 1; i < end; ++i) {
      T x = a.data[i * a.row_stride + j * a.col_stride], mirror = x;
      if constexpr (is_complex<T>) {
        if (f.form == Form::Hermitian) i == j ? x.imag(0), mirror = x : mirror = std::conj(x);
        if (a.conj) x = std::conj(x), mirror = std::conj(mirror);
      }
      out[i + j * a.rows] = x;
      out[j + i * a.rows] = mirror;
    }
}

/// One matrix of a factor. `contiguous`: its columns will be read by vectors. `copy` has room for small_order².
template <class T>
SmallFactor<T> small_factor(const Factor<T>& f, const Matrix<T*>& a, bool contiguous, T* copy) {
  if (f.form == Form::Symmetric || f.form == Form::Hermitian) {
    complete(f, copy);
    return {copy, 1, a.rows, false};
  }
  if (!contiguous || a.row_stride == 1) return {a.data, a.row_stride, a.col_stride, a.conj};
  for (index i = 0; i < a.rows; ++i)
    for (index k = 0; k < a.cols; ++k) copy[i + k * a.rows] = a.data[i * a.row_stride + k * a.col_stride];
  return {copy, 1, a.rows, a.conj};
}

/// U vectors down CC columns of C: sums of a(:, k) x(k, j).
template <class T, int CC, int U> struct SmallTile {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>;
  V sum[CC][U];

  HWY_INLINE void clear() {
    const D d;
#pragma GCC unroll 4
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) sum[j][u] = hn::Zero(d);
  }

  /// `reals`: how many of the U·L lanes exist. Row j of x belongs to column j of C.
  HWY_INLINE void add(const SmallFactor<T>& a, const SmallFactor<T>& x, index depth, int reals) {
    const D d;
    for (index k = 0; k < depth; ++k) {
      const R* const column = reinterpret_cast<const R*>(a.data + k * a.column);
      const T* const row = x.data + k * x.column;
      V av[U], ai[U];  // a and i a
#pragma GCC unroll 4
      for (int u = 0; u < U; ++u) {
        av[u] = load_lanes(d, column + u * L, 0, reals - u * L);
        if constexpr (is_complex<T>) {
          if (a.conj) av[u] = conjugated(d, av[u]);
          ai[u] = times_i(d, av[u]);
        }
      }
#pragma GCC unroll 4
      for (int j = 0; j < CC; ++j) {
        const R* const xj = reinterpret_cast<const R*>(row + j * x.row);
        const V xr = hn::Set(d, xj[0]);
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) sum[j][u] = hn::MulAdd(av[u], xr, sum[j][u]);
        if constexpr (is_complex<T>) {
          const V xi = hn::Set(d, x.conj ? -xj[1] : xj[1]);
#pragma GCC unroll 4
          for (int u = 0; u < U; ++u) sum[j][u] = hn::MulAdd(ai[u], xi, sum[j][u]);
        }
      }
    }
  }

  /// Column j of C, lanes [from, to) of it.
  HWY_INLINE void write(int j, T alpha, T beta, R* c, int from, int to) const {
    const D d;
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) {
      if (to <= u * L || from >= (u + 1) * L) continue;
      V value = scaled(d, alpha, sum[j][u]);
      if (beta != T(0)) {
        const V old = load_lanes(d, c + u * L, from - u * L, to - u * L);
        const V kept = beta == T(1) ? old : scaled(d, beta, old);
        if constexpr (is_complex<T>) value = hn::Add(value, kept);
        else value = hn::MulAdd(hn::Set(d, alpha), sum[j][u], kept);
      }
      store_lanes(value, d, c + u * L, from - u * L, to - u * L);
    }
  }
};

/// One or two pairs of factors (two for a rank-2k update).
template <class T> struct SmallFactors {
  SmallFactor<T> a[2], x[2];
  index depth[2];
  int count;
};

template <class T, int CC, int U>
HWY_NOINLINE void small_block(const SmallFactors<T>& f, index i0, index j0, int reals, T alpha, T beta, const Matrix<T*>& c,
                              Mask mask) {
  constexpr int P = parts_of<T>;
  SmallTile<T, CC, U> tile;
  tile.clear();
  for (int s = 0; s < f.count; ++s) {
    SmallFactor<T> a = f.a[s], x = f.x[s];
    a.data += i0, x.data += j0 * x.row;
    tile.add(a, x, f.depth[s], reals);
  }
#pragma GCC unroll 4
  for (int j = 0; j < CC; ++j) {
    const int diagonal = static_cast<int>(j0 + j - i0) * P;
    const int from = mask == Mask::All || !lower(mask) ? 0 : std::max(0, diagonal);
    const int to = mask == Mask::All || lower(mask) ? reals : std::min(reals, diagonal + P);
    tile.write(j, alpha, beta, reinterpret_cast<real_t<T>*>(c.data + i0 + (j0 + j) * c.col_stride), from, to);
  }
}

/// CC columns of C from column j0 on: the rows that exist there, two vectors at a time.
template <class T, int CC>
void small_columns(const SmallFactors<T>& f, index j0, T alpha, T beta, const Matrix<T*>& c, Mask mask) {
  constexpr int P = parts_of<T>, L = lanes_of<real_t<T>>;
  const index begin = mask == Mask::All || !lower(mask) ? 0 : j0 / (L / P) * (L / P);
  const index end = mask == Mask::All || lower(mask) ? c.rows : std::min(c.rows, j0 + CC);
  for (index i = begin; i < end; i += 2 * L / P) {
    const int reals = static_cast<int>(std::min<index>(2 * L, (end - i) * P));
    if (reals > L) small_block<T, CC, 2>(f, i, j0, reals, alpha, beta, c, mask);
    else small_block<T, CC, 1>(f, i, j0, reals, alpha, beta, c, mask);
  }
}

/// c := alpha a bt^T + beta c, all orders up to small_order; c contiguous in one direction.
template <class T>
void gemm_small(T alpha, const Factor<T>& rows_of_c, const Factor<T>& columns_of_c, T beta, const Matrix<T*>& result,
                Mask mask) {
  const bool turn = result.row_stride != 1;
  const Factor<T>& a = turn ? columns_of_c : rows_of_c;
  const Factor<T>& bt = turn ? rows_of_c : columns_of_c;
  const Matrix<T*> c = turn ? core::transpose(result) : result;
  if (turn) mask = transposed(mask);

  // Of reals, because complex elements would be cleared. A symmetric factor is no pair: two copies at most.
  HWY_ALIGN real_t<T> room[2][parts_of<T> * small_order * small_order];
  const auto copy = [&](int which) HWY_ATTR { return reinterpret_cast<T*>(room[which]); };
  SmallFactors<T> f;
  f.count = a.form == Form::Pair ? 2 : 1;
  for (int s = 0; s < f.count; ++s) {
    const Matrix<T*>& am = s ? a.b : a.a;
    f.a[s] = small_factor(a, am, true, copy(s));
    f.x[s] = small_factor(bt, s ? bt.b : bt.a, false, copy(1 - s));
    f.depth[s] = am.cols;
  }
  const auto make_diagonal_real = [&]() HWY_ATTR {
    if constexpr (is_complex<T>)
      for (index i = 0; i < c.rows && hermitian(mask); ++i) c.data[i * (1 + c.col_stride)].imag(0);
  };
  if (beta != T(0)) make_diagonal_real();
  index j = 0;
  for (; j + 4 <= c.cols; j += 4) small_columns<T, 4>(f, j, alpha, beta, c, mask);
  switch (c.cols - j) {
    case 3: small_columns<T, 3>(f, j, alpha, beta, c, mask); break;
    case 2: small_columns<T, 2>(f, j, alpha, beta, c, mask); break;
    case 1: small_columns<T, 1>(f, j, alpha, beta, c, mask); break;
  }
  make_diagonal_real();
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
