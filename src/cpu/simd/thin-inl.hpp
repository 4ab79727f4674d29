// As many right-hand sides as fill some vectors, but too few to repay packing a triangle: X is packed, and tiles
// of it are summed as in triangular-inl.hpp, with the elements of the triangle broadcast from where they lie.
#if defined(TRIGON_CPU_SIMD_THIN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_THIN_INL
#undef TRIGON_CPU_SIMD_THIN_INL
#else
#define TRIGON_CPU_SIMD_THIN_INL
#endif

#include "cpu/rounds.hpp"
#include "cpu/simd/paired-inl.hpp"
#include "cpu/simd/triangular-inl.hpp"
#include "cpu/simd/twofold-inl.hpp"

#include <algorithm>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Vectors more than half full, or sooner where rows are contiguous: sums of those in place need an addition of lanes
/// each, and half a vector of columns has tiles of its own. Small triangles have no stream to make the most
/// of.
template <class T>
bool is_thin(const Triangle<T*>& t, index rhs) {
  using R = real_t<T>;
  constexpr index small = 64, few = registers == 32 ? 4 : 1, half = lanes_of<R> / 2;
  constexpr index by_rows =
      std::min<index>(half, is_complex<T> ? sizeof(R) == 4 ? 3 : 2 : std::max<index>(2, half / 2));
  static_assert(half <= most_by_name, "update-inl.hpp serves the others");
  return rhs > (t.a.row_stride == 1 ? half : by_rows) || (t.n() < small && rhs > few);
}

/// The tile: a power of two of rows, as strips and bands have.
template <class T>
struct ThinShape {
  static constexpr int rows = (registers == 32 ? 8 : 4) / parts_of<T>, vectors = 3;
  static constexpr int columns = vectors * lanes_of<real_t<T>>;
};

/// In place of a number of vectors, for columns that half a vector holds: complex ones are `paired` there, real ones
/// `twofold` if rows of the triangle are contiguous, read onward or backward. More than a vector of complex ones may be
/// `halved`, added to their number: the last one is.
inline constexpr int paired = 0, twofold = -1, twofold_back = -2, halved = 8;
template <class T, int MR, int NV>
struct ThinTiles {
  using Type = Tile<T, MR, NV>;
};
template <class T, int MR>
struct ThinTiles<T, MR, paired> {
  using Type = PairedTile<T, MR>;
};
template <class T, int MR, int NV>
requires(NV < 0) struct ThinTiles<T, MR, NV> {
  using Type = TwofoldTile<T, MR, NV == twofold_back>;
};
template <class T, int MR, int NV>
requires(NV > halved) struct ThinTiles<T, MR, NV> {
  static constexpr int vectors = NV - halved;
  using Type = HalvedTile<T, MR, vectors - 1, vectors * lanes_of<real_t<T>>, false>;
};
template <class T, int MR, int NV>
using ThinTile = typename ThinTiles<T, MR, NV>::Type;
template <class T>
inline constexpr bool has_half = lanes_of<real_t<T>> > 2;

/// The order of the corners of a solve on threads. Wider ones cost the first thread more, and the others wait for the
/// last two; narrower ones cost more short columns, or rows, and more lines that two threads write.
template <class T>
inline constexpr int shared_width = sizeof(T) == 4   ? 192
                                    : sizeof(T) == 8 ? 128
                                                     : 96;

/// How far ahead elements are asked for.
template <class T>
inline constexpr index thin_ahead = 384 / sizeof(T);

/// A lower triangle in place: an upper one has negative strides. Not conjugated.
template <class T>
struct ThinTriangle {
  const T* data;
  index n, row, column;
  Pivots pivots;
  real_t<T>* corners;  ///< those of the tiles
  bool packed;         ///< corners are, since the first panel

  bool by_columns() const { return row == 1 || row == -1; }
  const T* at(index i, index k) const { return data + i * row + k * column; }
  real_t<T>* corner(index i) const {
    constexpr int MR = ThinShape<T>::rows;
    return corners + round_up(i, MR) * MR * parts_of<T>;
  }
  /// Rows and columns [s, end), where tiles begin.
  ThinTriangle block(index s, index end) const { return {at(s, s), end - s, row, column, pivots, corner(s), packed}; }
};

/// Columns that are taken at a time: as many as caches hold a line each of, more of them where tiles of 32 registers
/// would be loaded and stored again and again, unless columns meet in a set. Of contiguous rows all, unless a tile has
/// too few sums to hide their latency: then rows beyond a strip go by two tiles. Memory wants longer rows than caches.
template <int NV, class T>
index thin_strip(const ThinTriangle<T>& t) {
  constexpr bool large = registers == 32 && NV >= 2 && !is_complex<T>;
  if (t.by_columns()) return large && !falls_together<T>(t.column) ? 128 : 32;
  return NV <= 1 && ThinShape<T>::rows < 8 ? std::max<index>(128, round_up(t.n / 8, 16)) : t.n;
}

/// How columns are taken, `width` at a time. Where tiles do not divide the order the first one has fewer rows, because
/// it meets none; its columns belong to the first strip. Rows that lie in pairs are cut at the end.
template <class T, int NV>
struct ThinStrips {
  static constexpr bool cut_first = NV >= 0;
  index n, width;

  /// Rows of the first tile if it is not whole, else 0.
  index first() const { return cut_first ? n % ThinShape<T>::rows : 0; }
  index count() const { return std::max<index>(1, (n - first() + width - 1) / width); }
  index begin(index q) const { return q == 0 ? 0 : std::min(n, first() + q * width); }
};

/// How rows and columns of the lower triangle run through memory: elements of a column (of a row) one after the
/// other, or one before the other; or fewer rows than a tile has, in any way.
enum class ThinRun { Down, Up, Right, Left, Few };

/// Columns that come from memory pass 32 registers a line at a time, each from another page: nothing sees that coming.
/// Eight lines of one column after the other are asked for instead, into the second cache, while the eight before them
/// are used. Of complex numbers each line is worth four times the work, and hides the way of the next.
template <class T, int NV, ThinRun run>
inline constexpr bool fetches_lines =
    registers == 32 && !is_complex<T> && NV >= 2 && (run == ThinRun::Down || run == ThinRun::Up);
template <class T, int MR>
class LinesComing {
 public:
  static constexpr int lines = 8;
  static constexpr index line = 64 / sizeof(T), rows = lines * line;

  /// From `first` on, where the elements of a column are `along` (1 or -1) apart: line by line in all tiles of MR rows.
  HWY_INLINE LinesComing(const T* first, index along, index column)
      : at_(first), along_(along * each), column_(column - along * rows) {}
  HWY_INLINE void fetch() {
    __builtin_prefetch(at_, 0, 2);
    at_ += along_;
    if (--left_ == 0) at_ += column_, left_ = rows / each;
  }

 private:
  static constexpr index each = std::min<index>(MR, line);  // the steps of a tile ask as often as it has such parts
  static_assert(MR <= line);
  const T* at_;
  index along_, column_, left_ = rows / each;
};

/// tile += (or -=) t(i …, k …) x for `depth` steps k, a multiple of those that the tile takes at once. `coming`: what
/// is asked for meanwhile, if that is another part of the triangle.
struct NextRows {};
template <bool minus, ThinRun run, int MR, class T, class Tile_, class Coming_>
HWY_INLINE void accumulate_in_place(Tile_& tile, const ThinTriangle<T>& t, index i, index k, index depth,
                                    const real_t<T>* HWY_RESTRICT x, Coming_& coming) {
  using R = real_t<T>;
  constexpr bool by_columns = run == ThinRun::Down || run == ThinRun::Up;
  constexpr index along = run == ThinRun::Down || run == ThinRun::Right ? 1 : -1, line = 64 / sizeof(T);
  const index rows = t.n - i, row = by_columns ? along : t.row,
              step = by_columns || run == ThinRun::Few ? t.column : along;
  const T* a = t.at(i, k);
  while (depth > 0) {
    const index some = by_columns ? depth : std::min(line, depth);
    // Sixteen registers leave few loads to spare, and a page beyond the triangle may be missing.
    const bool fetches = registers == 32 || (by_columns ? rows : depth) > thin_ahead<T>;
    depth -= some;
    if (fetches && (run == ThinRun::Right || run == ThinRun::Left))
#pragma GCC unroll 8
      for (int r = 0; r < MR; ++r) hwy::Prefetch(a + r * row + along * thin_ahead<T>);
#pragma GCC unroll 1
    for (index q = 0; q < some; q += Tile_::steps, a += Tile_::steps * step, x += Tile_::steps * Tile_::x_step) {
      typename Tile_::V xr[Tile_::vectors], xi[Tile_::vectors];
      Tile_::load_x(x, xr, xi);
      if constexpr (!std::is_same_v<Coming_, NextRows>)
        coming.fetch();
      else if (fetches && by_columns)
#pragma GCC unroll 4
        for (index r = 0; r < MR; r += line) hwy::Prefetch(a + along * (thin_ahead<T> + r));
      // Four pointers and three distances: addresses that instructions can form by themselves.
      const T* const fours[] = {a, a + 4 * row, a + 8 * row, a + 12 * row};
#pragma GCC unroll 16
      for (int r = 0; r < MR; ++r) {
        const T* here = by_columns ? a + r * row : fours[r / 4] + r % 4 * row;
        if constexpr (run == ThinRun::Few) here = a + std::min<index>(r, rows - 1) * row;  // the last one again
        const R* const parts = reinterpret_cast<const R*>(here);
        tile.template add_row<minus>(r, parts, parts + parts_of<T> - 1, xr, xi);
      }
    }
  }
  tile.fold();
}

/// The corner of a tile, packed, `diagonal` as for pack_sliver.
template <class T, class Diagonal>
HWY_INLINE void pack_thin_corner(const ThinTriangle<T>& t, index i, int rows, Diagonal diagonal) {
  pack<ThinShape<T>::rows>(t.corner(i), t.at(i, i), t.row, t.column, rows, rows, false);
  put_diagonal<ThinShape<T>::rows>(t.corner(i), t.at(i, i), t.row + t.column, rows, false, t.pivots, diagonal);
}

template <int MR, class Tile_>
HWY_INLINE void store_rows(Tile_& tile, typename Tile_::R* x, int rows = MR) {
#pragma GCC unroll 16
  for (int r = 0; r < MR; ++r)
    if (r < rows) tile.finish_row(r), tile.store_row(r, x + r * Tile_::x_step);
}

/// MR rows of y beyond the columns [s, end): what these and x do to them. y may be x.
template <bool inverse, ThinRun run, class T, int MR, int NV, class Coming_ = NextRows>
HWY_INLINE void thin_beyond(const ThinTriangle<T>& t, index i, index s, index end, const real_t<T>* x, real_t<T>* y,
                            Coming_&& coming = {}) {
  using Tile_ = ThinTile<T, MR, NV>;
  Tile_ tile;
  tile.load(y + i * Tile_::x_step);
  accumulate_in_place<inverse, run, MR>(tile, t, i, s, end - s, x + s * Tile_::x_step, coming);
  store_rows<MR>(tile, y + i * Tile_::x_step);
}

/// The rows of one tile, `rows` of them, against the columns from s to their own corner of the triangle, which is among
/// them.
template <bool inverse, ThinRun run, class T, int NV>
HWY_INLINE void thin_within(const ThinTriangle<T>& t, index i, index s, real_t<T>* x, int rows = ThinShape<T>::rows) {
  constexpr int MR = ThinShape<T>::rows;
  constexpr bool whole = run != ThinRun::Few;
  using Tile_ = ThinTile<T, MR, NV>;
  real_t<T>* const here = x + i * Tile_::x_step;
  if (!t.packed && inverse && t.pivots == Pivots::Factors)
    pack_thin_corner(t, i, rows, Reciprocal{});
  else if (!t.packed)
    pack_thin_corner(t, i, rows, Itself{});
  const real_t<T>* const corner = t.corner(i);
  Tile_ tile;
  if constexpr (inverse)
    tile.load(here);
  else
    tile.clear();
  NextRows coming;
  accumulate_in_place<inverse, run, MR>(tile, t, i, s, i - s, x + s * Tile_::x_step, coming);
  if constexpr (inverse) {
    solve_corner<whole, T>(tile, corner, here, rows, t.pivots);
  } else {
    multiply_corner<whole, T>(tile, corner, here, rows, t.pivots);
    store_rows<MR>(tile, here, rows);
  }
}

/// The rows [i, end), fewer than a tile has: the first ones or the last ones.
template <bool inverse, class T, int NV>
HWY_NOINLINE void thin_few_within(const ThinTriangle<T>& t, index i, index end, index s, real_t<T>* x) {
  if (i < end) thin_within<inverse, ThinRun::Few, T, NV>(t, i, s, x, static_cast<int>(end - i));
}
/// The last ones beyond the columns [s, end).
template <bool inverse, class T, int NV>
HWY_NOINLINE void thin_few_beyond(const ThinTriangle<T>& t, index i, index s, index end, const real_t<T>* x,
                                  real_t<T>* y) {
  thin_beyond<inverse, ThinRun::Few, T, ThinShape<T>::rows, NV>(t, i, s, end, x, y);
}

/// The rows [from, to) beyond the columns [s, end).
template <bool inverse, ThinRun run, class T, int NV>
HWY_INLINE void thin_rows(const ThinTriangle<T>& t, index from, index to, index s, index end, const real_t<T>* x,
                          real_t<T>* y) {
  constexpr int MR = ThinShape<T>::rows, twice = NV <= 1 ? 2 * MR : MR;  // as many sums as hide their latency
  index i = from;
  if constexpr (fetches_lines<T, NV, run>)
    if (core::triangle_bytes(t.n, sizeof(T)) > core::cached_bytes) {
      using Lines_ = LinesComing<T, MR>;
      constexpr index along = run == ThinRun::Down ? 1 : -1;
      // The first line of those that come was the last one of those before: columns begin anywhere in a line.
      for (; i + 2 * Lines_::rows + Lines_::line <= to; i += Lines_::rows) {
        Lines_ coming(t.at(i + Lines_::rows + Lines_::line, s), along, t.column);
        for (index r = 0; r < Lines_::rows; r += MR)
          thin_beyond<inverse, run, T, MR, NV, Lines_&>(t, i + r, s, end, x, y, coming);
      }
    }
  // More contiguous rows than a set of the first cache has ways must not meet in one.
  if (twice <= 8 || t.by_columns() || !falls_together<T>(t.row))
    for (; i + twice <= to; i += twice) thin_beyond<inverse, run, T, twice, NV>(t, i, s, end, x, y);
  for (; i + MR <= to; i += MR) thin_beyond<inverse, run, T, MR, NV>(t, i, s, end, x, y);
  if (i < to) thin_few_beyond<inverse, T, NV>(t, i, s, end, x, y);
}

/// X := L^-1 X for one packed panel of X, as far as the strips [first, last) are concerned.
template <ThinRun run, class T, int NV>
HWY_NOINLINE void solve_thin(const ThinTriangle<T>& t, real_t<T>* x, const ThinStrips<T, NV>& strips, index first,
                             index last) {
  constexpr int MR = ThinShape<T>::rows;
  if (first == 0) thin_few_within<true, T, NV>(t, 0, strips.first(), 0, x);
  for (index q = first; q < last; ++q) {
    const index s = strips.begin(q), end = strips.begin(q + 1);
    index i = q == 0 ? strips.first() : s;
    for (; i + MR <= end; i += MR) thin_within<true, run, T, NV>(t, i, s, x);
    if constexpr (!ThinStrips<T, NV>::cut_first) thin_few_within<true, T, NV>(t, i, end, s, x);
    thin_rows<true, run, T, NV>(t, end, t.n, s, end, x, x);
  }
}

/// X := L X, likewise: the last strip first, in it the last rows first.
template <ThinRun run, class T, int NV>
HWY_NOINLINE void multiply_thin(const ThinTriangle<T>& t, real_t<T>* x, const ThinStrips<T, NV>& strips, index first,
                                index last) {
  constexpr int MR = ThinShape<T>::rows;
  for (index q = last - 1; q >= first; --q) {
    const index s = strips.begin(q), end = strips.begin(q + 1), begin = q == 0 ? strips.first() : s;
    index i = begin + (end - begin) / MR * MR;
    thin_rows<false, run, T, NV>(t, end, t.n, s, end, x, x);
    if constexpr (!ThinStrips<T, NV>::cut_first) thin_few_within<false, T, NV>(t, i, end, s, x);
    while ((i -= MR) >= begin) thin_within<false, run, T, NV>(t, i, s, x);
  }
  if (first == 0) thin_few_within<false, T, NV>(t, 0, strips.first(), 0, x);
}

/// All of it.
template <bool inverse, ThinRun run, class T, int NV>
void apply_thin(const ThinTriangle<T>& t, real_t<T>* x) {
  const ThinStrips<T, NV> strips{t.n, thin_strip<NV>(t)};
  if constexpr (inverse)
    solve_thin<run, T, NV>(t, x, strips, 0, strips.count());
  else
    multiply_thin<run, T, NV>(t, x, strips, 0, strips.count());
}

/// X := L^-1 X on threads: by columns the rows beyond a wide strip are shared, by rows those of the strip itself.
template <ThinRun run, class T, int NV>
void solve_thin_in_shares(const ThinTriangle<T>& t, const Blocks& blocks, real_t<T>* x, int threads) {
  constexpr int MR = ThinShape<T>::rows;
  constexpr index step = ThinTile<T, MR, NV>::x_step;
  const auto rows = [&](index from, index to, index first, index beyond) HWY_ATTR {
    const index strip = t.by_columns() ? thin_strip<NV>(t) : beyond;
    for (index k = first; k < beyond; k += strip)
      thin_rows<true, run, T, NV>(t, from, to, k, std::min(beyond, k + strip), x, x);
  };
  const auto solve = [&](int k) HWY_ATTR {
    const index s = blocks.begin(k), end = blocks.end(k);
    if (k > 0) rows(s, end, blocks.begin(k - 1), s);
    const ThinTriangle<T> own = t.block(s, end);
    apply_thin<true, run, T, NV>(own, x + s * step);
  };
  const auto carry = [&](int j, int part, int sharing) HWY_ATTR {
    const index begin = blocks.end(j + 1), end = t.by_columns() ? t.n : blocks.end(j + 2);
    const index from = t.by_columns() ? blocks.begin(j) : 0, to = blocks.end(j);
    const auto [first, size] = share_beside_block(end - begin, to - from, blocks.width, sharing, part, 2 * MR);
    if (size > 0) rows(begin + first, begin + first + size, from, to);
  };
  in_rounds(blocks, threads, solve, carry);
}

/// Y := L X on threads, in bands of rows; then `finish` of each. X stays, so that nobody waits.
template <ThinRun run, class T, int NV, class Finish>
void multiply_thin_in_shares(const ThinTriangle<T>& t, const real_t<T>* x, real_t<T>* y, int threads,
                             const Finish& finish) {
  constexpr int MR = ThinShape<T>::rows;
  constexpr index step = ThinTile<T, MR, NV>::x_step;
  parallel(threads, [&](int part) HWY_ATTR {
    const auto [from, to] = equal_band(t.n, threads, part);
    if (from == to) return;
    const index strip = thin_strip<NV>(t), padded = to == t.n ? round_up(to, MR) : to;
    std::copy(x + from * step, x + padded * step, y + from * step);
    const ThinTriangle<T> own = t.block(from, to);
    apply_thin<false, run, T, NV>(own, y + from * step);
    for (index k = 0; k < from; k += strip)
      thin_rows<false, run, T, NV>(t, from, to, k, std::min(from, k + strip), x, y);
    finish(from, to - from);
  });
}

/// X := alpha X, and then the conjugate of it where that is asked for.
template <class T, int NV>
void scale_thin(real_t<T>* x, index rows, const T& alpha, bool conj) {
  constexpr int W = ThinTile<T, 1, NV>::width, L = std::min(W, lanes_of<real_t<T>>);
  const hn::CappedTag<real_t<T>, L> d;
  for (index i = 0; i < rows; ++i, x += W * parts_of<T>)
    for (int w = 0; w < W; w += L) {
      auto re = hn::Load(d, x + w);
      if constexpr (is_complex<T>) {
        auto im = hn::Load(d, x + W + w);
        if (alpha != T(1)) product_by(d, re, im, alpha.real(), alpha.imag());
        hn::Store(re, d, x + w);
        hn::Store(conj ? hn::Neg(im) : im, d, x + W + w);
      } else {
        hn::Store(hn::Mul(re, hn::Set(d, alpha)), d, x + w);
      }
    }
}

/// f(std::integral_constant<ThinRun, r>) for the way in which the triangle lies.
template <class T, class F>
HWY_INLINE void with_run(const ThinTriangle<T>& t, const F& f) {
  if (t.row == 1) return f(std::integral_constant<ThinRun, ThinRun::Down>{});
  if (t.row == -1) return f(std::integral_constant<ThinRun, ThinRun::Up>{});
  if (t.column == 1) return f(std::integral_constant<ThinRun, ThinRun::Right>{});
  f(std::integral_constant<ThinRun, ThinRun::Left>{});
}

/// Some right-hand sides of b, the place where they are packed, and what is done to them.
template <class T>
struct ThinPlace {
  real_t<T>* x;
  Matrix<T*> b;
  const T& alpha;
  bool conj;
};

/// NV vectors of them.
template <bool inverse, class T, int NV>
struct ThinPanel {
  using Tile_ = ThinTile<T, ThinShape<T>::rows, NV>;
  static constexpr int MR = ThinShape<T>::rows, W = Tile_::width, step = W * parts_of<T>;

  static void begin(const ThinPlace<T>& p) {
    const index n = p.b.rows;
    pack<W>(p.x, p.b.data, p.b.col_stride, p.b.row_stride, static_cast<int>(p.b.cols), n, !inverse && p.conj);
    if (inverse && (p.alpha != T(1) || p.conj)) scale_thin<T, NV>(p.x, n, p.alpha, p.conj);
    for (index k = n; k < round_up(n, MR); ++k) std::memcpy(p.x + k * step, p.x + (n - 1) * step, step * sizeof(*p.x));
    if constexpr (NV < 0) Tile_::interleave(p.x, round_up(n, MR));
  }
  /// Strip q of the triangle, of those that are so wide.
  static void apply(const ThinTriangle<T>& t, const ThinPlace<T>& p, index width, index q) {
    const ThinStrips<T, NV> strips{t.n, width};
    each_run(t, [&]<ThinRun r>(std::integral_constant<ThinRun, r>) HWY_ATTR {
      if constexpr (inverse)
        solve_thin<r, T, NV>(t, p.x, strips, q, q + 1);
      else
        multiply_thin<r, T, NV>(t, p.x, strips, q, q + 1);
    });
  }
  /// Rows of the result, at y, go back to b.
  static void finish(const ThinPlace<T>& p, real_t<T>* y, index from, index rows) {
    real_t<T>* const here = y + from * step;
    if constexpr (NV < 0) Tile_::separate(here, round_up(rows, MR));
    if (p.conj) scale_thin<T, NV>(here, rows, T(1), true);
    if (!inverse && p.alpha != T(1)) scale_thin<T, NV>(here, rows, p.alpha, false);
    unpack<W>(here, p.b.data + from * p.b.row_stride, p.b.col_stride, p.b.row_stride, static_cast<int>(p.b.cols), rows);
  }

  /// All of it.
  static void whole(const ThinTriangle<T>& t, const ThinPlace<T>& p, int threads) {
    begin(p);
    real_t<T>* const y =
        inverse || threads == 1 ? nullptr : scratch<real_t<T>>(0, static_cast<std::size_t>(step * round_up(t.n, MR)));
    if (y) {
      each_run(t, [&]<ThinRun r>(std::integral_constant<ThinRun, r>) HWY_ATTR {
        multiply_thin_in_shares<r, T, NV>(t, p.x, y, threads,
                                          [&](index from, index rows) HWY_ATTR { finish(p, y, from, rows); });
      });
      return;
    }
    const Blocks blocks{t.n, shared_width<T>, t.by_columns()};
    if (inverse && threads > 1 && blocks.rounds() > 0)
      each_run(t, [&]<ThinRun r>(std::integral_constant<ThinRun, r>)
                      HWY_ATTR { solve_thin_in_shares<r, T, NV>(t, blocks, p.x, threads); });
    else
      each_run(t,
               [&]<ThinRun r>(std::integral_constant<ThinRun, r>) HWY_ATTR { apply_thin<inverse, r, T, NV>(t, p.x); });
    finish(p, p.x, 0, t.n);
  }

 private:
  template <class F>
  static HWY_INLINE void each_run(const ThinTriangle<T>& t, const F& f) {
    if constexpr (NV < 0)
      f(std::integral_constant < ThinRun, NV == twofold ? ThinRun::Right : ThinRun::Left > {});
    else
      with_run(t, f);
  }
};

/// ThinPanel for a number of vectors, or for columns that half a vector holds, if it may take `halves`.
template <class T>
struct ThinKernels {
  void (*begin)(const ThinPlace<T>&);
  void (*apply)(const ThinTriangle<T>&, const ThinPlace<T>&, index width, index q);
  void (*finish)(const ThinPlace<T>&, real_t<T>* y, index from, index rows);
  void (*whole)(const ThinTriangle<T>&, const ThinPlace<T>&, int threads);
};
template <bool inverse, class T>
ThinKernels<T> thin_kernels(const ThinTriangle<T>& t, index cols, bool halves) {
  const auto of = [&]<int NV>(std::integral_constant<int, NV>) {
    using Panel_ = ThinPanel<inverse, T, NV>;
    return ThinKernels<T>{Panel_::begin, Panel_::apply, Panel_::finish, Panel_::whole};
  };
  if constexpr (has_half<T>)
    if (halves && cols <= lanes_of<real_t<T>> / 2) {
      if constexpr (is_complex<T>)
        return of(std::integral_constant<int, paired>{});
      else if (!t.by_columns())
        return t.column == 1 ? of(std::integral_constant<int, twofold>{})
                             : of(std::integral_constant<int, twofold_back>{});
    }
  constexpr index L = lanes_of<real_t<T>>;
  const auto vectors = [&]<int NV>(std::integral_constant<int, NV> number) {
    if constexpr (cuts_vectors<T> && NV > 1)
      if (NV * L - cols >= L / 2) return of(std::integral_constant<int, halved + NV>{});
    return of(number);
  };
  switch (vectors_for<T, ThinShape<T>>(cols)) {
    case 1: return vectors(std::integral_constant<int, 1>{});
    case 2: return vectors(std::integral_constant<int, 2>{});
    default: return vectors(std::integral_constant<int, ThinShape<T>::vectors>{});
  }
}

/// Whether panels go through the columns of the triangle side by side, a strip at a time: sixteen registers hold so few
/// right-hand sides that a triangle which no near cache holds would otherwise come from far away again and again. Rows
/// are no strips: cut to pieces they took up to twice as long.
template <class T>
bool side_by_side(const ThinTriangle<T>& t, index panels, int threads) {
  return registers == 16 && threads == 1 && panels > 1 && panels <= most_together && t.by_columns() &&
         core::triangle_bytes(t.n, sizeof(T)) > core::cached_bytes;
}

/// b := alpha t^-1 b or alpha t b, rows shared between `threads`. Without `halves` every entry is summed as packed
/// kernels sum it. False, with nothing written, if there is no memory to pack b into.
template <bool inverse, class T>
bool thin(const T& alpha, const Triangle<T*>& triangle, const Matrix<T*>& result, int threads, bool halves) {
  constexpr int MR = ThinShape<T>::rows, NR = ThinShape<T>::columns, L = lanes_of<real_t<T>>;
  const bool lower = triangle.uplo == Uplo::Lower, conj = is_complex<T> && triangle.a.conj;
  Matrix<T*> a = lower ? triangle.a : core::reversed(triangle.a);
  const Matrix<T*> b = lower ? result : core::reversed_rows(result);
  const Pivots pivots = pivots_of<inverse>(a, triangle.diag);
  const index n = triangle.n(), tiles = round_up(n, MR);
  // Two panels of about two vectors take less time than one of three and one of one.
  const Panels<T, ThinShape<T>> panels(b.cols, false, L);
  ThinTriangle<T> t{a.data, n, a.row_stride, a.col_stride, pivots, nullptr, false};
  const bool together = side_by_side(t, panels.count(), threads);
  const index width = together ? round_up(b.cols, L) + L : std::min<index>(NR, round_up(b.cols, L));
  real_t<T>* const x = scratch<real_t<T>>(1, static_cast<std::size_t>(parts_of<T> * (width + MR) * tiles));
  if (!x) return false;
  t.corners = x + parts_of<T> * width * tiles;
  const auto place = [&](index j, int cols, real_t<T>* at) {
    return ThinPlace<T>{at, b.block(0, j, b.rows, cols), alpha, conj};
  };
  if (!together) {
    panels.each([&](index j, int cols) HWY_ATTR {
      thin_kernels<inverse>(t, cols, halves).whole(t, place(j, cols, x), threads);
      t.packed = true;
    });
    return true;
  }
  const auto each = [&](const auto& f) HWY_ATTR {
    panels.each([&](index j, int cols)
                    HWY_ATTR { f(thin_kernels<inverse>(t, cols, halves), place(j, cols, x + panels.at(j) * tiles)); });
  };
  each([&](const ThinKernels<T>& panel, const ThinPlace<T>& p) HWY_ATTR { panel.begin(p); });
  const index strip = 32, strips = ThinStrips<T, 1>{n, strip}.count();  // by columns, where all are cut alike
  for (index q = 0; q < strips; ++q) {
    t.packed = false;
    each([&](const ThinKernels<T>& panel, const ThinPlace<T>& p) HWY_ATTR {
      panel.apply(t, p, strip, inverse ? q : strips - 1 - q);
      t.packed = true;
    });
  }
  each([&](const ThinKernels<T>& panel, const ThinPlace<T>& p) HWY_ATTR { panel.finish(p, p.x, 0, n); });
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
