// Products with a few lines of C, a matrix times a vector among them. Where the steps of the longer factor lie next to
// each other lanes run along them, and sums of lanes are put together at the end; where its rows do, lanes run down
// rows and are scattered if those of C lie apart. Nothing is copied but a short factor whose steps do. Sums have an
// order of their own: not for reproducible bits.
#if defined(TRIGON_CPU_SIMD_FEW_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_FEW_LINES_INL
#undef TRIGON_CPU_SIMD_FEW_LINES_INL
#else
#define TRIGON_CPU_SIMD_FEW_LINES_INL
#endif

#include "cpu/kernels.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/lane_sums-inl.hpp"
#include "cpu/simd/small_tile-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// How many lines are summed at a time, along steps or down rows.
inline constexpr int dotted_together = 4;
template <class T>
inline constexpr int down_together = std::max(1, std::min(8, unit_lanes<T> / 2));

/// Vectors of rows that are summed at a time: as many as registers hold sums of.
template <class T, int X>
inline constexpr int down_vectors = std::clamp((registers == 32 ? 24 : 10) / (X * parts_of<T>), 1, 8);

/// The ways of a product with few lines of C: sums of lanes that run along steps, lanes down rows, or, since a row
/// whose entries are next to each other has lanes as a column, whatever is best for that one.
enum class FewWay { None, Dotted, Down, AsColumn };

/// Which way suits c := alpha a bt^T + beta c best, None: another. Lines and rows are those of C or of its transpose,
/// whatever is longer; the longer factor has the rows.
///
/// Dotted, where steps of the longer factor are next to each other: one line is worth half a vector of them or a whole
/// one, several as many as there are lines or more, of complex numbers, which have two sums each, more; with more than
/// six lines other ways are slower where rows are few. Copying lines of the short factor, whose steps lie apart,
/// is repaid by some rows. What meets all rows again and again has to stay near.
///
/// Down, where rows of the longer factor are: if entries of a column of C are apart, unless half a vector holds fewer
/// lines than there are, rows fill less than half of it, or sums are too short for scattering (sooner of single and of
/// complex numbers, and of few lines with two vectors of rows); and if they are next to each other, in thirty-two
/// registers, of a longer factor that the first cache does not hold, of which these tiles read more of a column at a
/// time than others, and of a single line, whose sums would wait for each other.
template <class T, class View>
HWY_INLINE FewWay few_way(const View& a, index bt_row_stride, index bt_col_stride, const View& c) {
  constexpr index N = unit_lanes<T>, most = 8, size = sizeof(T);
  constexpr bool complex = is_complex<T>;
  const index lines = std::min(c.rows, c.cols), rows = std::max(c.rows, c.cols), depth = a.cols;
  if (lines > most || rows < 2) return FewWay::None;
  const bool turned = c.rows < c.cols;
  // How far apart rows and steps of the longer factor are, and steps of the other one.
  const index row = turned ? bt_row_stride : a.row_stride, step = turned ? bt_col_stride : a.col_stride;
  const index other = turned ? a.col_stride : bt_col_stride;
  if (step == 1 && row != 1) {
    constexpr index near = 512 << 10, none = index{1} << 40;
    const bool copied = lines > 1 && other != 1;
    // With sixteen registers fewer sums are under way, which wait for each other.
    const index of_sixteen = lines == 1   ? (complex ? 2 * N : N)
                             : lines == 2 ? (complex ? 4 : 1) * N
                             : lines <= 4 ? (complex ? 16 : 5) * N
                             : rows <= 20 ? (complex ? 32 : 10) * N
                                          : none;
    const index of_few = lines == 3 && (!copied || rows > 32) ? 2 * N : 3 * N;
    const index of_all = lines == 1   ? (complex ? 2 * N : N / 2)
                         : lines == 2 ? (complex ? 16 : N)
                         : lines <= 4 ? (complex ? 64 : of_few)
                         : lines <= 6 ? (complex ? 16 : 6) * N
                         : rows <= 20 ? (complex ? 32 : 10) * N
                         : size == 4  ? 8 * N
                                      : none;
    const index least = registers == 32 ? of_all : of_sixteen;
    const bool stays = (lines == 1 && other == 1) || lines * depth * size <= near;
    return depth >= least && stays && (!copied || rows >= 16) ? FewWay::Dotted : FewWay::None;
  }
  if (row != 1) return FewWay::None;
  if ((turned ? c.col_stride : c.row_stride) != 1) {
    const index least = complex ? 3 : size == 4 ? 8 : rows >= 2 * N && lines <= 3 ? 8 : 40;
    return depth >= least && (complex ? 1 : 2) * rows >= N && lines <= down_together<T> ? FewWay::Down : FewWay::None;
  }
  constexpr index first_cache = 48 << 10;
  const bool waits = lines == 1 && depth >= (complex ? 16 : size == 4 ? 24 : 48);  // for the last step
  const bool large = depth >= 8 && rows * depth * size > first_cache;
  if (registers == 32 && (waits || large) && lines <= std::min(4, down_together<T>)) return FewWay::Down;
  return c.rows == 1 && c.row_stride == 1 && rows > N ? FewWay::AsColumn : FewWay::None;
}

/// c(i, j) becomes beta c(i, j) + alpha times the sum of a(i, k) x(j, k).
template <class T>
struct FewLines {
  Matrix<T*> a, x, c;
  InterleavedScaling<T> scaling;

  bool lies() const { return c.row_stride == 1; }

  /// Sums of X lines for `rows` <= G rows from i on, those of a row next to each other in `room` as its entries are in
  /// C: to the lines from j on. Old entries are all read before the first is written, part of a vector as each may be.
  template <int X, int G>
  HWY_INLINE void write_rows(const real_t<T>* room, index i, int rows, index j) const {
    using R = real_t<T>;
    constexpr int P = parts_of<T>, reals = X * P, most = lanes_of<R>, all = X == 3 ? 4 * P : reals;
    constexpr int lanes = std::min(all, most), vectors = (reals + lanes - 1) / lanes;
    const hn::CappedTag<R, lanes> d;
    const InterleavedScaling<T, decltype(d)> own(scaling.alpha, scaling.beta);
    constexpr bool masked = reals % lanes != 0;  // the last one
    const Front<decltype(d)> front(reals - (vectors - 1) * lanes);
    const auto whole = [](int v) { return !masked || v + 1 < vectors; };
    const auto load = [&](const R* p, auto v) TRIGON_INLINE_LAMBDA {
      return whole(v) ? hn::LoadU(d, p + v * lanes) : front.load(p + v * lanes);
    };
    R* const first = reinterpret_cast<R*>(c.data + i * c.row_stride + j);
    const index next = P * c.row_stride;
    hn::Vec<decltype(d)> fresh[G][vectors];
    unrolled<G * vectors>([&](auto s) TRIGON_INLINE_LAMBDA {
      constexpr int r = s / vectors;
      const std::integral_constant<int, s % vectors> v;
      if (r >= rows) return;
      const auto old = own.reads ? load(first + r * next, v) : hn::Zero(d);
      fresh[r][v] = own.combine(load(room + r * reals, v), old);
    });
    unrolled<G * vectors>([&](auto s) TRIGON_INLINE_LAMBDA {
      constexpr int r = s / vectors, v = s % vectors;
      if (r >= rows) return;
      R* const p = first + r * next + v * lanes;
      whole(v) ? hn::StoreU(fresh[r][v], d, p) : front.store(fresh[r][v], p);
    });
  }

  /// Sums of X lines in `room`, those of a line `stride` reals apart, for `rows` rows from i on: to the lines from j
  /// on.
  template <int X>
  HWY_INLINE void write(const real_t<T>* room, index stride, index i, int rows, index j) const {
    using R = real_t<T>;
    constexpr int P = parts_of<T>, L = lanes_of<R>;
    const Tag<R> d;
#pragma GCC unroll 1
    for (int line = 0; line < X; ++line, room += stride) {
      T* const first = c.data + i * c.row_stride + (j + line) * c.col_stride;
#pragma GCC unroll 1
      for (int r = 0; r < rows * P; r += L) {
        const Front<Tag<R>> front(std::min(L, rows * P - r));
        const auto sum = front.only(hn::LoadU(d, room + r));
        HWY_ALIGN R apart[L];
        T* const entries = reinterpret_cast<T*>(apart);
        T* const here = first + r / P * c.row_stride;
        const int count = front.count / P;
        R* const p = lies() ? reinterpret_cast<R*>(here) : apart;
        if (!lies() && scaling.reads)
          for (int q = 0; q < count; ++q) entries[q] = here[q * c.row_stride];
        front.store(scaling.combine(sum, scaling.reads ? front.load(p) : hn::Zero(d)), p);
        if (!lies())
          for (int q = 0; q < count; ++q) here[q * c.row_stride] = entries[q];
      }
    }
  }
};

/// The rows [i, i + rows) of X lines from j on, `rows` <= G: sums along steps, of E groups of lanes at a time where so
/// few entries would wait for each other.
template <class T, int X, int G>
HWY_NOINLINE void dotted_rows(const FewLines<T>& f, index i, int rows, index j) {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  const D d;
  constexpr int P = parts_of<T>, L = lanes_of<R>, E = std::max(1, 8 / (G * X * P));
  const R *a[G], *x[X];
  unrolled<G>([&](auto g) TRIGON_INLINE_LAMBDA {
    a[g] = reinterpret_cast<const R*>(f.a.data + (i + std::min<int>(g, rows - 1)) * f.a.row_stride);
  });
  unrolled<X>([&](auto q)
                  TRIGON_INLINE_LAMBDA { x[q] = reinterpret_cast<const R*>(f.x.data + (j + q) * f.x.row_stride); });
  V sum[E][P][X * G];
  unrolled<E>([&](auto e) TRIGON_INLINE_LAMBDA {
    unrolled<P * X * G>([&](auto s) TRIGON_INLINE_LAMBDA { sum[e][s % P][s / P] = hn::Zero(d); });
  });
  const auto step = [&](auto e, index k, const auto& load) TRIGON_INLINE_LAMBDA {
    V straight[X], exchanged[X];
    unrolled<X>([&](auto q) TRIGON_INLINE_LAMBDA {
      straight[q] = load(x[q] + k);
      if constexpr (loads_twice<G>) straight[q] = kept(straight[q]);
      if constexpr (is_complex<T>) exchanged[q] = hn::Reverse2(d, straight[q]);
    });
    unrolled<G>([&](auto g) TRIGON_INLINE_LAMBDA {
      V v = load(a[g] + k);
      if constexpr (loads_twice<X * P>) v = kept(v);
      unrolled<X>([&](auto q) TRIGON_INLINE_LAMBDA {
        V(&s)[P][X * G] = sum[e];
        s[0][q * G + g] = hn::MulAdd(v, straight[q], s[0][q * G + g]);
        if constexpr (is_complex<T>) s[1][q * G + g] = hn::MulAdd(v, exchanged[q], s[1][q * G + g]);
      });
    });
  };
  using First = std::integral_constant<int, 0>;
  const auto whole = [&](const R* p) TRIGON_INLINE_LAMBDA { return hn::LoadU(d, p); };
  const index depth = f.a.cols * P;
  index k = 0;
  if constexpr (E > 1)
    for (; k + E * L <= depth; k += E * L) unrolled<E>([&](auto e) TRIGON_INLINE_LAMBDA { step(e, k + e * L, whole); });
  for (; k + L <= depth; k += L) step(First{}, k, whole);
  if (k < depth) {
    const Front<D> front(static_cast<int>(depth - k));
    step(First{}, k, [&](const R* p) TRIGON_INLINE_LAMBDA { return front.load(p); });
  }
  HWY_ALIGN R room[P * X * G + 2 * L];
  // A line's sums next to each other, or a row's, as entries of C are.
  const auto to_room = [&](auto place) TRIGON_INLINE_LAMBDA {
    V total[P * X * G];
    unrolled<X * G>([&](auto s) TRIGON_INLINE_LAMBDA {
      unrolled<P>([&](auto part) TRIGON_INLINE_LAMBDA {
        V& t = total[place(s) * P + part];
        t = sum[0][part][s];
        unrolled<E>([&](auto e) TRIGON_INLINE_LAMBDA {
          if constexpr (e > 0) t = hn::Add(t, sum[e][part][s]);
        });
        if constexpr (is_complex<T>) {
          const bool ca = f.a.conj, cx = f.x.conj;
          t = hn::Xor(t, part == 0 ? signs(d, false, ca == cx) : signs(d, cx, ca));
        }
      });
    });
    store_lane_sums<P * X * G>(d, total, room);
  };
  if (f.lies()) {
    to_room([](int s) TRIGON_INLINE_LAMBDA { return s; });
    f.template write<X>(room, P * G, i, rows, j);
  } else {
    to_room([](int s) TRIGON_INLINE_LAMBDA { return s % G * X + s / G; });
    f.template write_rows<X, G>(room, i, rows, j);
  }
}

/// X lines from j on, all rows.
template <class T, int X>
void dotted_lines(const FewLines<T>& f, index j) {
  // As many rows at a time as have sums that hide their latency, and registers hold.
  constexpr int some = X == 1 || (X == 2 && registers == 32) ? 8 : registers == 32 || X == 2 ? 4 : 2;
  constexpr int G = X == 1 && registers == 32 ? some : std::max(1, some / parts_of<T>);
  index i = 0;
  for (; i + G <= f.c.rows; i += G) dotted_rows<T, X, G>(f, i, G, j);
  const int left = static_cast<int>(f.c.rows - i);
  if (left == 0) return;
  constexpr int half = std::max(1, G / 2), quarter = std::max(1, G / 4);
  (left > half      ? dotted_rows<T, X, G>
   : left > quarter ? dotted_rows<T, X, half>
                    : dotted_rows<T, X, quarter>)(f, i, left, j);
}

/// G vectors of rows from i on, of X lines from j on: sums down rows, E of each by turns where so few would wait for
/// each other. Unless `whole`, lanes of the last vector are missing.
template <class T, int X, int G, bool whole>
HWY_NOINLINE void down_rows(const FewLines<T>& f, index i, int rows, index j) {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  const D d;
  constexpr int P = parts_of<T>, L = lanes_of<R>, E = registers == 32 ? std::clamp(8 / (P * X * G), 1, 4) : 1;
  const Front<D> last(rows * P - (G - 1) * L);
  V sum[E][P][X][G];
  unrolled<E>([&](auto e) TRIGON_INLINE_LAMBDA {
    unrolled<P * X * G>([&](auto s) TRIGON_INLINE_LAMBDA { sum[e][s % P][s / P / G][s / P % G] = hn::Zero(d); });
  });
  const R* a = reinterpret_cast<const R*>(f.a.data + i);
  const R* x = reinterpret_cast<const R*>(f.x.data + j * f.x.row_stride);
  const index line = f.x.row_stride * P, next_a = f.a.col_stride * P, next_x = f.x.col_stride * P;
  const auto step = [&](auto e) TRIGON_INLINE_LAMBDA {
    V factor[X][P];  // in registers: with as many loads as sums these would wait
    unrolled<X * P>([&](auto s)
                        TRIGON_INLINE_LAMBDA { factor[s / P][s % P] = kept(hn::Set(d, x[s / P * line + s % P])); });
    unrolled<G>([&](auto g) TRIGON_INLINE_LAMBDA {
      const bool masked = !whole && g == G - 1;
      V v = masked ? last.template factor<P>(a + g * L) : hn::LoadU(d, a + g * L);
      if constexpr (loads_twice<X * P>) v = kept(v);
      unrolled<X * P>([&](auto s) TRIGON_INLINE_LAMBDA {
        V& to = sum[e][s % P][s / P][g];
        to = masked ? last.add(to, v, factor[s / P][s % P]) : hn::MulAdd(v, factor[s / P][s % P], to);
      });
    });
    a += next_a, x += next_x;
  };
  index depth = f.a.cols;
  for (; depth >= E; depth -= E) unrolled<E>(step);
  if constexpr (E > 1)
    for (; depth > 0; --depth) step(std::integral_constant<int, 0>{});
  unrolled<E>([&](auto e) TRIGON_INLINE_LAMBDA {
    if constexpr (e > 0)
      unrolled<P * X * G>([&](auto s) TRIGON_INLINE_LAMBDA {
        V& to = sum[0][s % P][s / P / G][s / P % G];
        to = hn::Add(to, sum[e][s % P][s / P / G][s / P % G]);
      });
  });
  HWY_ALIGN R room[X * G * L];
  const bool ca = f.a.conj, cx = f.x.conj;
  unrolled<X * G>([&](auto s) TRIGON_INLINE_LAMBDA {
    V total = sum[0][0][s / G][s % G];
    if constexpr (is_complex<T>)
      total = hn::Add(hn::Xor(total, signs(d, false, ca)),
                      hn::Xor(hn::Reverse2(d, sum[0][1][s / G][s % G]), signs(d, ca == cx, cx)));
    hn::Store(total, d, room + s * L);
  });
  f.template write<X>(room, G * L, i, rows, j);
}

/// X lines from j on, the rows from i on: G vectors at a time, then fewer.
template <class T, int X, int G>
HWY_INLINE void down_lines(const FewLines<T>& f, index i, index j) {
  constexpr int N = unit_lanes<T>;
  for (; i + G * N <= f.c.rows; i += G * N) down_rows<T, X, G, true>(f, i, G * N, j);
  if constexpr (G > 1)
    down_lines<T, X, G / 2>(f, i, j);
  else if (i < f.c.rows)
    down_rows<T, X, 1, false>(f, i, static_cast<int>(f.c.rows - i), j);
}

/// c := alpha a bt^T + beta c as few_way says. False, with nothing written, if there is no memory for a copy.
template <class T>
HWY_NOINLINE bool gemm_few_lines(FewWay way, const T& alpha, const Matrix<T*>& a, const Matrix<T*>& bt, const T& beta,
                                 const Matrix<T*>& c) {
  const bool turned = c.rows < c.cols;
  FewLines<T> f{turned ? bt : a, turned ? a : bt, turned ? core::transpose(c) : c, {alpha, beta}};
  const index lines = f.c.cols, depth = f.a.cols;
  if (way == FewWay::Down) {
    of_each<down_together<T>>(lines, [&]<int X>(std::integral_constant<int, X>, index j)
                                         HWY_ATTR { down_lines<T, X, down_vectors<T, X>>(f, 0, j); });
    return true;
  }
  if (f.x.col_stride != 1) {
    // Its lines are next to each other: they are transposed by as many as there are, or eight.
    constexpr int N = std::min(4, unit_lanes<T>);
    const index line = round_up(depth, std::max(8, unit_lanes<T>));
    T* const copy = scratch<T>(1, static_cast<std::size_t>(lines * line));
    if (!copy) return false;
    if (lines <= N)
      turn_blocks<N, Part::Whole>(f.x.data, f.x.col_stride, depth, lines, copy, line);
    else
      turn(f.x.data, f.x.col_stride, depth, lines, Part::Whole, copy, line);
    f.x.data = copy, f.x.row_stride = line, f.x.col_stride = 1;
  }
  of_each<dotted_together>(lines,
                           [&]<int X>(std::integral_constant<int, X>, index j) HWY_ATTR { dotted_lines<T, X>(f, j); });
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
