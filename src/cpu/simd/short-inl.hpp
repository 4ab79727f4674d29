// Products with small triangles and contiguous columns: lanes run down the rows, several columns at a time are read and
// written where they are, and so are columns of the triangle; rows of it are transposed first, a few vectors of them
// that stay in the first cache. Packing B would take it apart and put it together again. Every entry is rounded as the
// packed kernels round it. What lies beyond the diagonal never meets a NaN. AVX-512 and AVX2.
#if defined(TRIGON_CPU_SIMD_SHORT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SHORT_INL
#undef TRIGON_CPU_SIMD_SHORT_INL
#else
#define TRIGON_CPU_SIMD_SHORT_INL
#endif

#include "cpu/in_place.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/complex-inl.hpp"
#include "cpu/simd/tiny-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

inline constexpr bool has_short_tiles = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2;

/// Bytes of right-hand sides that may be in the first cache.
inline constexpr index first_cache = 32 << 10;

/// Above the tiny orders. One column has too few sums to hide their latency; rows of a large triangle have to be
/// transposed, which takes more columns to be worth it.
template <class T>
bool is_short(const Triangle<T*>& t, const Matrix<T*>& b) {
  constexpr index few = 2, some = 5, many = 16, small = 64, quickly_turned = 512 / sizeof(T);
  const bool turns = t.a.row_stride != 1;
  const index columns = !turns || t.n() <= quickly_turned ? few : t.n() <= small || sizeof(T) == 4 ? some : many;
  const bool stays = t.n() <= 2 * small || !crowds<T>(t.a.row_stride == 1 ? t.a.col_stride : t.a.row_stride, t.n());
  return has_short_tiles && t.n() > tiny_order && t.n() <= in_place_product<T>(b.cols) && b.row_stride == 1 &&
         b.cols >= columns && stays;
}

#if HWY_TARGET == HWY_AVX3
/// The lanes [from, to) of a vector on the diagonal.
template <class D>
struct Edge {
  using V = hn::Vec<D>;
  hn::Mask<D> lanes;

  HWY_INLINE Edge(int from, int to) : lanes{static_cast<decltype(hn::Mask<D>::raw)>(((1u << to) - 1) & ~0u << from)} {}
  /// What `multiply_add` takes for a.
  HWY_INLINE V factor(V a) const { return a; }
  /// a b + c in these lanes, c in the others.
  HWY_INLINE V multiply_add(V a, V b, V c) const { return masked_product<false>(lanes, a, b, c); }
};
#elif HWY_TARGET == HWY_AVX2
/// The same without masked arithmetic: the other lanes add what leaves every sum as it is, and raise no flag.
template <class D>
struct Edge {
  using V = hn::Vec<D>;
  hn::Mask<D> lanes;
  V none = hn::Set(D(), nothing_added<hn::TFromD<D>>());

  HWY_INLINE Edge(int from, int to) : lanes(lanes_between(D(), from, to)) {}
  HWY_INLINE V factor(V a) const { return hn::IfThenElse(lanes, a, none); }
  HWY_INLINE V multiply_add(V a, V b, V c) const { return with_product<false>(c, a, hn::IfThenElseZero(lanes, b)); }
};
#endif

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

/// An element in all lanes.
template <class D, class T>
HWY_INLINE hn::Vec<D> broadcast(D d, const T* x) {
  return everywhere<parts_of<T>>(d, reinterpret_cast<const real_t<T>*>(x));
}

/// Some vectors of rows of the triangle: columns in the order of the sums, from the far end to the diagonal.
template <class T>
struct ShortRows {
  const T* a;    ///< the first column's
  index column;  ///< to the next one, negative in an upper triangle
  index before;  ///< columns that meet all rows
  int rows;      ///< of the last vector
  bool unit, conj;
};

/// U vectors down CC columns of B. Unless `whole`, some lanes of the only vector are missing.
template <class T, int CC, int U, bool lower, bool whole>
struct ShortTile {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>, P = parts_of<T>, lines = L / P;
  static constexpr index next = lower ? 1 : -1;
  V sum[CC][U];

  /// Adds what the vectors [first, end) of a column are multiplied by, of vector `crossing` the lanes of `edge`.
  /// Complex: first the real parts of the column, then the imaginary ones, as the packed kernels have it.
  template <int first, int end, int crossing>
  HWY_INLINE void step(const T* a, V sign, const Front<D>& last, const Edge<D>& edge, const T* b, index ldb) {
    const D d;
    V re[U], im[U];
#pragma GCC unroll 4
    for (int v = first; v < end; ++v) {
      const R* const p = reinterpret_cast<const R*>(a) + v * L;
      V av = whole ? hn::LoadU(d, p) : last.load(p);
      if constexpr (loads_twice<CC * P>) av = kept(av);
      if constexpr (is_complex<T>)
        re[v] = hn::DupEven(av), im[v] = hn::Xor(hn::DupOdd(av), sign);
      else
        re[v] = av;
      if (v != crossing) continue;
      re[v] = edge.factor(re[v]);
      if constexpr (is_complex<T>) im[v] = edge.factor(im[v]);
    }
    // Sixteen registers have no room for the edge beside the others.
    constexpr bool apart = registers == 16 && crossing >= 0 && end - first > 1;
    const auto add = [&](int from, int to) TRIGON_INLINE_LAMBDA {
#pragma GCC unroll 8
      for (int c = 0; c < CC; ++c) {
        const V x = broadcast(d, b + c * ldb);
#pragma GCC unroll 4
        for (int v = from; v < to; ++v)
          sum[c][v] = v == crossing ? edge.multiply_add(re[v], x, sum[c][v]) : with_product<false>(sum[c][v], re[v], x);
        if constexpr (is_complex<T>) {
          const V swapped = hn::Reverse2(d, x);
#pragma GCC unroll 4
          for (int v = from; v < to; ++v)
            sum[c][v] = v == crossing ? edge.multiply_add(im[v], swapped, sum[c][v])
                                      : with_product<false>(sum[c][v], im[v], swapped);
        }
      }
    };
    if constexpr (apart) {
      static_assert(crossing == first || crossing == end - 1);
      add(crossing, crossing + 1);
      reload();
      add(crossing == first ? first + 1 : first, crossing == first ? end : end - 1);
    } else {
      add(first, end);
    }
  }

  /// The columns of the triangle that end in vector u.
  template <int u>
  HWY_INLINE void corner(const ShortRows<T>& t, const T*& a, V sign, const Front<D>& last, const T*& b, index ldb) {
    const int count = whole ? lines : t.rows;
    const int off = lower == t.unit ? P : 0;
#pragma GCC unroll 1
    for (int q = 0; q < count; ++q, a += t.column, b += next) {
      const Edge<D> edge(lower ? P * q + off : 0, lower ? P * count : P * (count - 1 - q) + off);
      step<lower ? u : 0, lower ? U : u + 1, u>(a, sign, last, edge, b, ldb);
    }
  }

  /// `y`: the rows of B that become the product; `x`: where the sums begin. `beside`: called with each step.
  template <class Beside>
  HWY_INLINE void multiply(const T& alpha, const ShortRows<T>& t, const T* x, T* y, index ldb, const Beside& beside) {
    const D d;
    const V sign = turning_sign(d, t.conj);
    const Front<D> last(P * t.rows);
    const Edge<D> none(0, 0);
#pragma GCC unroll 8
    for (int c = 0; c < CC; ++c)
#pragma GCC unroll 4
      for (int v = 0; v < U; ++v) sum[c][v] = hn::Zero(d);
    const T* a = t.a;
    if constexpr (whole)
#pragma GCC unroll 1
      for (index k = 0; k < t.before; ++k, a += t.column, x += next) {
        beside();
        step<0, U, -1>(a, sign, last, none, x, ldb);
      }
    corner<lower ? 0 : U - 1>(t, a, sign, last, x, ldb);
    if constexpr (U > 1) corner<lower ? 1 : U - 2>(t, a, sign, last, x, ldb);
    if constexpr (U > 2) corner<lower ? 2 : U - 3>(t, a, sign, last, x, ldb);
    if constexpr (U > 3) corner<lower ? 3 : U - 4>(t, a, sign, last, x, ldb);
    const auto place = [&](int c, int v) HWY_ATTR { return reinterpret_cast<R*>(y + c * ldb) + v * L; };
    if (t.unit)
#pragma GCC unroll 8
      for (int c = 0; c < CC; ++c)
#pragma GCC unroll 4
        for (int v = 0; v < U; ++v)
          sum[c][v] = hn::Add(sum[c][v], whole ? hn::LoadU(d, place(c, v)) : last.load(place(c, v)));
    if (alpha != T(1))
#pragma GCC unroll 8
      for (int c = 0; c < CC; ++c)
#pragma GCC unroll 4
        for (int v = 0; v < U; ++v)
          if constexpr (whole)
            sum[c][v] = multiplied(d, alpha, sum[c][v]);
          else
            sum[c][v] = multiplied(d, alpha, sum[c][v], [&](V x) HWY_ATTR { return last.only(x); });
#pragma GCC unroll 8
    for (int c = 0; c < CC; ++c)
#pragma GCC unroll 4
      for (int v = 0; v < U; ++v) whole ? hn::StoreU(sum[c][v], d, place(c, v)) : last.store(sum[c][v], place(c, v));
  }
};

/// How many vectors of rows are summed at a time, and columns of them: as many as registers hold.
template <class T>
inline constexpr int short_height = registers == 16 || is_complex<T> ? 2 : 3;
template <class T>
inline constexpr int short_columns = registers == 32 ? 8
                                     : is_complex<T> ? 4
                                                     : 6;

template <class T, int CC, int U, bool lower, bool whole>
HWY_NOINLINE void short_tile(const T& alpha, const ShortRows<T>& t, const T* x, T* y, index ldb) {
  ShortTile<T, CC, U, lower, whole> tile;
  tile.multiply(alpha, t, x, y, ldb, [] HWY_ATTR {});
}
/// The same while `columns` more come closer.
template <class T, int U, bool lower>
HWY_NOINLINE void short_tile_fetching(const T& alpha, const ShortRows<T>& t, const T* x, T* y, index ldb,
                                      const T* coming, index columns) {
  ShortTile<T, short_columns<T>, U, lower, true> tile;
  Coming<T> next(coming, ldb, columns);
  tile.multiply(alpha, t, x, y, ldb, [&] HWY_ATTR { next.fetch(); });
}

/// The rows from i on of all columns, about as many of these each time. `fetches`: they come from far.
template <class T, int U, bool lower, bool whole>
void short_band(const T& alpha, const ShortRows<T>& t, index i, const Matrix<T*>& b, bool fetches) {
  constexpr int most = short_columns<T>;
  const index first = lower ? 0 : b.rows - 1, ldb = b.col_stride;
  of_each<most>(b.cols, [&]<int CC>(std::integral_constant<int, CC>, index j) HWY_ATTR {
    T* const column = b.data + j * ldb;
    if constexpr (whole && CC == most)
      if (fetches && j + CC < b.cols)
        return short_tile_fetching<T, U, lower>(alpha, t, column + first, column + i, ldb, column + CC * ldb,
                                                std::min<index>(CC, b.cols - j - CC));
    short_tile<T, CC, U, lower, whole>(alpha, t, column + first, column + i, ldb);
  });
}

/// A triangle's rows, those of a lower one from the last ones up. What is not a whole vector has the least to sum.
template <class T, bool lower>
void multiply_short(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, T* copy) {
  constexpr int lines = unit_lanes<T>, most = short_height<T>;
  const index n = t.n();
  const bool far = n * b.cols * static_cast<index>(sizeof(T)) > first_cache;
  const bool unit = t.diag == Diag::Unit, conj = is_complex<T> && t.a.conj;
  const auto rows = [&]<int U, bool whole>(std::integral_constant<int, U>, std::bool_constant<whole>, index i,
                                           int last) HWY_ATTR {
    constexpr index height = U * lines;
    const index end = i + (whole ? height : last), before = lower ? i : n - end, from = lower ? 0 : i;
    const T* a = t.a.data + i + from * t.a.col_stride;
    index column = t.a.col_stride;
    if (t.a.row_stride != 1) {
      a = copy, column = height;
      for (int v = 0; v < U; ++v) {
        const index row = i + v * lines, k = lower ? 0 : row, k_end = lower ? std::min(end, row + lines) : n;
        turn_blocks<lines, Part::Whole>(t.a.data + row * t.a.row_stride + k, t.a.row_stride,
                                        std::min<index>(lines, n - row), k_end - k,
                                        copy + v * lines + (k - from) * height, height);
      }
    }
    const ShortRows<T> some{
        lower ? a : a + (n - 1 - from) * column, lower ? column : -column, before, last, unit, conj};
    short_band<T, U, lower, whole>(alpha, some, i, b, far && before == n - height);
  };
  of_each<most>(n / lines, [&]<int U>(std::integral_constant<int, U> number, index done) HWY_ATTR {
    rows(number, std::true_type{}, lower ? n - (done + U) * lines : done * lines, lines);
  });
  const int rest = static_cast<int>(n % lines);
  if (rest > 0) rows(std::integral_constant<int, 1>{}, std::false_type{}, lower ? 0 : n - rest, rest);
}
#endif

/// b := alpha t b. False if there is no memory for a copy.
template <class T>
bool multiply_short([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                    [[maybe_unused]] const Matrix<T*>& b) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  constexpr index height = short_height<T> * unit_lanes<T>;
  T* const copy = t.a.row_stride == 1
                      ? nullptr
                      : reinterpret_cast<T*>(scratch<real_t<T>>(
                            0, static_cast<std::size_t>(parts_of<T> * height * round_up(t.n(), unit_lanes<T>))));
  if (!copy && t.a.row_stride != 1) return false;
  // So many columns at a time stay in a cache, as the bands of the triangle come to them; rows of it are transposed for
  // each of those.
  const index near = first_cache / (t.n() * static_cast<index>(sizeof(T)));
  const index most = std::max<index>(copy ? 512 : 128, near);
  for (index j = 0, count; j < b.cols; j += count) {
    count = std::min(b.cols - j, most);
    const Matrix<T*> some = b.block(0, j, b.rows, count);
    if (t.uplo == Uplo::Lower)
      multiply_short<T, true>(alpha, t, some, copy);
    else
      multiply_short<T, false>(alpha, t, some, copy);
  }
#endif
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
