// Products with large triangles and contiguous columns: lanes run down the rows of the triangle, of which some vectors
// are packed at a time. Columns of B are broadcast from where they lie, several at a time, and overwritten, the rows
// with the longest sums first: nothing of B is packed or transposed. Every entry is rounded as where B is packed.
#if defined(TRIGON_CPU_SIMD_MULTIPLY_IN_PLACE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_MULTIPLY_IN_PLACE_INL
#undef TRIGON_CPU_SIMD_MULTIPLY_IN_PLACE_INL
#else
#define TRIGON_CPU_SIMD_MULTIPLY_IN_PLACE_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/complex-inl.hpp"
#include "cpu/simd/pack-inl.hpp"
#include "cpu/simd/strides-inl.hpp"
#include "cpu/simd/tile-inl.hpp"

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3
/// Some vectors of rows of a triangle, packed: its columns in the order of the sums, from the far end to the diagonal.
template <class T>
struct PackedRows {
  const real_t<T>* a;
  index before;  ///< columns that meet all rows; as many as there are rows follow
  int last;      ///< rows of the last vector
  bool unit;
};

/// NV vectors of rows of as many columns as a tile has. Unless `whole`, lanes of the last vector are missing.
template <class T, int NV, bool lower, bool whole>
struct ColumnsTile : Tile<T, Shape<T>::rows, NV> {
  using Base = Tile<T, Shape<T>::rows, NV>;
  using Base::re, Base::im;
  using typename Base::D, typename Base::R, typename Base::V;
  static constexpr int L = Base::L, CC = Base::rows;
  static constexpr index next = lower ? 1 : -1;

  /// Adds what the vectors [first, end) of a column are multiplied by: of vector `crossing` the lanes of `inside`, of
  /// the last one those that `exist`, since what is packed for others may raise a flag. Complex: first the real parts
  /// of the column, then the imaginary ones, as where these are broadcast.
  template <int first, int end, int crossing, class M>
  HWY_INLINE void step(const R* a, const M& inside, const M& exist, const T* x, const Strides<const T>& columns) {
    const D d;
    V ar[NV], ai[NV];
#pragma GCC unroll 4
    for (int v = first; v < end; ++v) {
      ar[v] = hn::Load(d, a + v * L);
      if constexpr (is_complex<T>) ai[v] = hn::Load(d, a + Base::width + v * L);
    }
    const auto add = [&]<bool minus>(std::bool_constant<minus>, V& sum, V factor, V by, int v) TRIGON_INLINE_LAMBDA {
      sum = v == crossing           ? with_product_in<minus>(inside, sum, factor, by)
            : !whole && v == NV - 1 ? with_product_in<minus>(exist, sum, factor, by)
                                    : with_product<minus>(sum, factor, by);
    };
    constexpr std::false_type plus;
    constexpr std::true_type minus;
    unrolled<CC>([&](auto c) TRIGON_INLINE_LAMBDA {
      const R* const parts = reinterpret_cast<const R*>(columns.template of<c>(x));
      const V xr = hn::Set(d, parts[0]);
#pragma GCC unroll 4
      for (int v = first; v < end; ++v) add(plus, re[c][v], ar[v], xr, v);
      if constexpr (is_complex<T>) {
        const V xi = hn::Set(d, parts[1]);
#pragma GCC unroll 4
        for (int v = first; v < end; ++v) add(plus, im[c][v], ar[v], xi, v);
#pragma GCC unroll 4
        for (int v = first; v < end; ++v) add(minus, re[c][v], ai[v], xi, v);
#pragma GCC unroll 4
        for (int v = first; v < end; ++v) add(plus, im[c][v], ai[v], xr, v);
      }
    });
  }

  /// The columns of the triangle that end in vector u.
  template <int u, class M>
  HWY_INLINE void corner(const PackedRows<T>& t, const M& exist, const R*& a, const T*& x,
                         const Strides<const T>& columns) {
    const D d;
    const int count = whole || u + 1 < NV ? L : t.last;
#pragma GCC unroll 1
    for (int q = 0; q < count; ++q, a += Base::x_step, x += next) {
      const auto inside = lower ? lanes_between(d, q + t.unit, count) : lanes_before(d, count - q - t.unit);
      step<lower ? u : 0, lower ? NV : u + 1, u>(a, inside, exist, x, columns);
    }
  }

  /// y := alpha t x: the rows of B that become the product, and where its sums begin. `beside`: called with each step.
  template <class Beside>
  HWY_INLINE void multiply(const T& alpha, const PackedRows<T>& t, const T* x, T* y, index ldb, const Beside& beside) {
    const D d;
    const Strides<const T> columns(ldb);
    const auto exist = lanes_before(d, t.last);
    const R* a = t.a;
    this->clear();
    for (index k = 0; k < t.before; ++k, a += Base::x_step, x += next) {
      beside();
#pragma GCC unroll 16
      for (int j = 0; j < Base::x_step; j += 64 / static_cast<int>(sizeof(R))) hwy::Prefetch(a + 12 * Base::x_step + j);
      step<0, NV, -1>(a, exist, exist, x, columns);
    }
    if constexpr (!lower && NV > 2) corner<2>(t, exist, a, x, columns);
    if constexpr (!lower && NV > 1) corner<1>(t, exist, a, x, columns);
    corner<0>(t, exist, a, x, columns);
    if constexpr (lower && NV > 1) corner<1>(t, exist, a, x, columns);
    if constexpr (lower && NV > 2) corner<2>(t, exist, a, x, columns);
    static_assert(NV <= 3);
    if (t.unit) add_itself(t, y, ldb);
    if (alpha != T(1)) scale_by(alpha, exist);
    if constexpr (whole) return this->put(y, ldb, CC);
    this->write_some(
        T(1), T(0), y, ldb, CC, [](int) HWY_ATTR { return 0; }, [&](int) HWY_ATTR { return (NV - 1) * L + t.last; });
  }

 private:
  /// What the ones on the diagonal add.
  HWY_INLINE void add_itself(const PackedRows<T>& t, const T* y, index ldb) {
#pragma GCC unroll 8
    for (int c = 0; c < CC; ++c)
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) {
        Run<L, T> own;
        own.load_up_to(y + c * ldb + v * L, whole || v + 1 < NV ? L : t.last);
        re[c][v] = hn::Add(re[c][v], own.re);
        if constexpr (is_complex<T>) im[c][v] = hn::Add(im[c][v], own.im);
      }
  }
  /// Lanes that are missing may hold a zero, which shall not meet an infinite alpha.
  template <class M>
  HWY_INLINE void scale_by(const T& alpha, const M& exist) {
    const D d;
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v) {
      const auto only = [&](V s) HWY_ATTR { return whole || v + 1 < NV ? s : hn::IfThenElseZero(exist, s); };
      const V sr = only(hn::Set(d, real_part(alpha))), si = only(hn::Set(d, imag_part(alpha)));
#pragma GCC unroll 8
      for (int c = 0; c < CC; ++c)
        if constexpr (is_complex<T>)
          product_by(re[c][v], im[c][v], sr, si);
        else
          re[c][v] = hn::Mul(re[c][v], sr);
    }
  }
};

/// The same while the next columns, from `coming` on, come into the second cache. Of reals, those that are summed
/// upwards have to be asked for again.
template <class T, int NV, bool lower, bool whole>
HWY_NOINLINE void columns_tile(const T& alpha, const PackedRows<T>& t, const T* x, T* y, index ldb, const T* coming) {
  ColumnsTile<T, NV, lower, whole> tile;
  constexpr index CC = tile.CC, line = 64 / sizeof(T), ahead = 16;
  const T* soon = x - ahead;
  int column = 0;
  tile.multiply(alpha, t, x, y, ldb, [&] HWY_ATTR {
    __builtin_prefetch(coming, 0, 2);
    coming += ldb;
    if constexpr (!lower && !is_complex<T>) hwy::Prefetch(soon), soon += ldb;
    if (++column == CC) coming += line - CC * ldb, soon -= CC * (1 + ldb), column = 0;
  });
}

/// b := alpha t b for a triangle of which `lower` tells where it is.
template <class T, bool lower>
void multiply_in_place(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, real_t<T>* packed, T* rest) {
  using R = real_t<T>;
  constexpr int CC = Shape<T>::rows, L = lanes_of<R>, height = Shape<T>::columns;
  const Matrix<T*>& a = t.a;
  const index n = t.n(), whole = b.cols / CC * CC, ld_rest = round_up(n, L);
  const int some = static_cast<int>(b.cols - whole);
  const auto column = [&](int c) { return b.data + (whole + std::min(c, some - 1)) * b.col_stride; };
  if (some > 0)
    for (int c = 0; c < CC; ++c) std::memcpy(rest + c * ld_rest, column(c), static_cast<std::size_t>(n) * sizeof(T));
  const auto rows = [&]<int NV, bool all>(std::integral_constant<int, NV>, std::bool_constant<all>, index i,
                                          index count) HWY_ATTR {
    const index depth = lower ? i + count : n - i, first = lower ? 0 : n - 1, turn = lower ? 1 : -1;
    pack<NV * L>(packed, a.data + i * a.row_stride + first * a.col_stride, a.row_stride, turn * a.col_stride,
                 static_cast<int>(count), depth, a.conj);
    const PackedRows<T> some_rows{packed, depth - count, static_cast<int>(count - (NV - 1) * L), t.diag == Diag::Unit};
    const auto tile = [&](T* x, index ldb, const T* coming) HWY_ATTR {
      columns_tile<T, NV, lower, all>(alpha, some_rows, x + first, x + i, ldb, coming + (lower ? 0 : i));
    };
    for (index j = 0; j < whole; j += CC) {
      T* const x = b.data + j * b.col_stride;
      tile(x, b.col_stride, j + CC < whole ? x + CC * b.col_stride : x);
    }
    if (some > 0) tile(rest, ld_rest, rest);
  };
  constexpr auto vectors = std::integral_constant<int, Shape<T>::vectors>();
  for (index end = n; end >= height; end -= height)
    rows(vectors, std::true_type{}, lower ? end - height : n - end, height);
  const index left = n % height, i = lower ? 0 : n - left;
  of_few<Shape<T>::vectors>((left + L - 1) / L, [&]<int NV>(std::integral_constant<int, NV> number)
                                                    HWY_ATTR { rows(number, std::false_type{}, i, left); });
  for (int c = 0; c < some; ++c) std::memcpy(column(c), rest + c * ld_rest, static_cast<std::size_t>(n) * sizeof(T));
}

#endif

/// Whether rows of the triangle are packed rather than right-hand sides. A small complex triangle of floats, whose
/// vectors are long, is mostly corners.
template <class T>
bool is_multiplied_in_place(const Triangle<T*>& t, const Matrix<T*>& b) {
  constexpr index small = !is_complex<T> ? 0 : sizeof(T) == 8 ? 128 : 48, few = 32;
  return HWY_TARGET == HWY_AVX3 && b.row_stride == 1 && (t.n() > small || b.cols <= few);
}

/// The same of few right-hand sides, for which a triangle would not be packed otherwise: of doubles and of complex
/// floats that is as fast.
template <class T>
bool is_multiplied_in_place_of_few(const Triangle<T*>& t, const Matrix<T*>& b) {
  constexpr index least = 24, most = 1024;
  return (sizeof(T) == 4 || sizeof(T) == 16) && b.cols >= least && t.n() <= most && is_multiplied_in_place(t, b);
}

/// b := alpha t b. False if there is no memory to pack into.
template <class T>
bool multiply_in_place([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                       [[maybe_unused]] const Matrix<T*>& b) {
#if HWY_TARGET == HWY_AVX3
  using R = real_t<T>;
  constexpr index P = parts_of<T>;
  const index n = t.n();
  R* const packed = scratch<R>(0, static_cast<std::size_t>(P * Shape<T>::columns * n));
  R* const rest = scratch<R>(1, static_cast<std::size_t>(P * Shape<T>::rows * round_up(n, lanes_of<R>)));
  if (!packed || !rest) return false;
  if (t.uplo == Uplo::Lower)
    multiply_in_place<T, true>(alpha, t, b, packed, reinterpret_cast<T*>(rest));
  else
    multiply_in_place<T, false>(alpha, t, b, packed, reinterpret_cast<T*>(rest));
  return true;
#else
  return false;
#endif
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
