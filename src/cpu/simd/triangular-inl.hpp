// Packed TRSM and TRMM: the triangle becomes slivers of MR rows that end on the diagonal, B a panel of a
// few vectors; each tile first meets the rows before it, then its own corner of the triangle. Where MR does not divide
// the order it is the first sliver that has fewer rows, because it meets none. Slivers are packed when the first panels
// come to them.
// An upper triangle is a lower one read backwards, so there is one direction only. Inside the corner k is
// bounded per row: nothing that was padded ever meets a NaN.
#if defined(TRIGON_CPU_SIMD_TRIANGULAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_TRIANGULAR_INL
#undef TRIGON_CPU_SIMD_TRIANGULAR_INL
#else
#define TRIGON_CPU_SIMD_TRIANGULAR_INL
#endif

#include "cpu/reciprocal.hpp"
#include "cpu/simd/gemm-inl.hpp"
#include "cpu/simd/multiply_in_place-inl.hpp"
#include "cpu/simd/tiny-inl.hpp"
#include "cpu/simd/unpacked-inl.hpp"

#include <numeric>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Where sliver b of a triangle of order n begins.
template <class T>
constexpr index sliver_begin(index b, index n) {
  constexpr int MR = Shape<T>::rows;
  return std::max<index>(0, b * MR + n - round_up(n, MR));
}

/// Elements before sliver b: slivers 0 … b-1 have 1 … b square corners each, or room for as many.
template <class T>
constexpr index sliver_offset(index b) {
  constexpr index corner = Shape<T>::rows * Shape<T>::room * parts_of<T>;
  return b * (b + 1) / 2 * corner;
}

/// Elements of sliver b.
template <class T>
constexpr index sliver_size(index b) {
  return sliver_offset<T>(b + 1) - sliver_offset<T>(b);
}

/// What a row of a tile meets on the diagonal: a factor (in a solve a reciprocal), a divisor, or nothing. 1 is no
/// factor: (1, 0) times an infinity is a NaN.
enum class Pivots : unsigned char { Factors, Divisors, None };

/// For t^-1 with `inverse`, else for t.
template <bool inverse, class T>
Pivots pivots_of(const Matrix<T*>& a, Diag diag) {
  if (diag == Diag::Unit) return Pivots::None;
  return inverse && !reciprocals_are_safe(a) ? Pivots::Divisors : Pivots::Factors;
}

/// Over the diagonal of a packed corner goes what a tile shall scale by, `diagonal(d)` for the elements d at a,
/// `step` apart.
template <int room, class T, class Diagonal>
HWY_INLINE void put_diagonal(real_t<T>* corner, const T* a, index step, int rows, bool conj, Pivots pivots,
                             Diagonal diagonal) {
  for (int k = 0; k < rows; ++k, corner += room * parts_of<T>) {
    T x = pivots == Pivots::None ? T(1) : a[k * step];
    if constexpr (is_complex<T>)
      if (conj) x = std::conj(x);
    put<room>(corner, k, diagonal(x), false);
  }
}

/// Packs sliver b of the lower triangle; `diagonal(d)` is what is stored for a diagonal element. Its corner is packed
/// as a square, of which the kernels use the lower triangle; room for another row takes the next one.
template <class T, class Diagonal>
void pack_sliver(real_t<T>* dst, const Matrix<T*>& a, index b, Pivots pivots, Diagonal diagonal) {
  constexpr int MR = Shape<T>::rows, room = Shape<T>::room, step = room * parts_of<T>;
  const index i0 = sliver_begin<T>(b, a.rows);
  const int rows = static_cast<int>(sliver_begin<T>(b + 1, a.rows) - i0);
  const int lines = static_cast<int>(std::min<index>(room, a.rows - i0));
  pack<room>(dst, a.data + i0 * a.row_stride, a.row_stride, a.col_stride, lines, i0 + rows, a.conj);
  put_diagonal<room>(dst + i0 * step, a.data + i0 * (a.row_stride + a.col_stride), a.row_stride + a.col_stride, rows,
                     a.conj, pivots, diagonal);
}

/// The corner of a tile: its own MR × MR triangle. Only a whole one may ignore `rows`: what is padded must
/// not raise an exception flag either.
template <bool whole, class T, class Tile_>
HWY_INLINE void solve_corner(Tile_& tile, const real_t<T>* a, real_t<T>* x, int rows, Pivots pivots) {
  using R = real_t<T>;
  constexpr int MR = Tile_::rows, im = Tile_::room;
#pragma GCC unroll 8
  for (int k = 0; k < MR; ++k, a += Tile_::a_step) {
    if (!whole && k >= rows) break;
    tile.finish_row(k);
    if (HWY_UNLIKELY(pivots == Pivots::Divisors))
      tile.divide_row(k, a[k], is_complex<T> ? a[im + k] : R(0));
    else if (pivots == Pivots::Factors)
      tile.scale_row(k, a[k], is_complex<T> ? a[im + k] : R(0));
    tile.store_row(k, x + k * Tile_::x_step);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
      if (r > k && (whole || r < rows)) {
        if constexpr (requires { tile.lose(r, a, k); })
          tile.lose(r, a, k);
        else
          tile.template add_row<true>(r, a, tile.re[k], tile.im[k]);
      }
  }
}

template <bool whole, class T, class Tile_>
HWY_INLINE void multiply_corner(Tile_& tile, const real_t<T>* a, const real_t<T>* x, int rows,
                                [[maybe_unused]] Pivots pivots) {
  constexpr int MR = Tile_::rows;
#pragma GCC unroll 8
  for (int k = 0; k < MR; ++k, a += Tile_::a_step) {
    if (!whole && k >= rows) break;
    typename Tile_::V xr[Tile_::vectors], xi[Tile_::vectors];
    Tile_::load_row(k, x, xr, xi);
    if constexpr (is_complex<T>) {  // of reals the sum is the same
      if (pivots == Pivots::None)
        tile.add_x(k, xr, xi);
      else
        tile.template add_row<false>(k, a, xr, xi);
    }
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
      if (r >= k + is_complex<T> && (whole || r < rows)) tile.template add_row<false>(r, a, xr, xi);
  }
}

/// The first `rows` rows times alpha. Others may hold anything, which shall raise no flag.
template <class T, class Tile_>
HWY_INLINE void scale_tile(Tile_& tile, const T& alpha, int rows) {
  if (alpha == T(1)) return;
#pragma GCC unroll 8
  for (int r = 0; r < Tile_::rows; ++r)
    if (r < rows) tile.scale_row(r, real_part(alpha), imag_part(alpha));
}

/// Some right-hand sides of B, and x, where they are packed.
template <class T>
struct Place {
  real_t<T>* x;
  T* b;
  index n, ws, ks;  ///< rows; from a right-hand side of B to the next, from a row to the next
  int cols;
  bool at_once;  ///< all of it is taken before any of it goes back
};

/// NV vectors of them.
template <class T, int NV>
struct Panel {
  using R = real_t<T>;
  static constexpr int L = lanes_of<R>, W = NV * L, step = W * parts_of<T>;
  static constexpr index chunk = std::lcm(L, Shape<T>::rows);  ///< rows that come and go at once, from the last ones on
  R* const x;
  T* const b;
  const index n, ws, ks;
  const int cols;
  const bool at_once;

  explicit HWY_INLINE Panel(const Place<T>& p)
      : x(p.x), b(p.b), n(p.n), ws(p.ws), ks(p.ks), cols(p.cols), at_once(p.at_once) {}

  /// Packs `rows` rows from `begin` on.
  void take(index begin, index rows) const { pack<W>(x + begin * step, b + begin * ks, ws, ks, cols, rows, false); }
  /// Whether a chunk begins with row i, and how many rows the one has that does.
  HWY_INLINE bool begins_chunk(index i) const { return i == 0 || (n - i) % chunk == 0; }
  HWY_INLINE index chunk_rows(index i) const { return i == 0 ? (n - 1) % chunk + 1 : chunk; }
  /// Brings `rows` rows that begin there closer.
  HWY_INLINE void fetch(const T* from, index rows) const {
    constexpr index line = 64 / sizeof(T);
    if (ws == 1) {
#pragma GCC unroll 1
      for (index k = 0; k < rows; ++k, from += ks)
#pragma GCC unroll 8
        for (index w = 0; w < W; w += line) hwy::Prefetch(from + w);
    } else {
#pragma GCC unroll 1
      for (int w = 0; w < cols; ++w, from += ws) {
        hwy::Prefetch(from);
        hwy::Prefetch(from + (rows - 1) * ks);
      }
    }
  }
  /// Lines that a tile asks for while it is summed, one with each step: `times` times `count` of them.
  struct Lines {
    const T* at;
    index count, apart, turn;
    int times;
  };
  /// Those of `rows` rows that begin there. So few steps take less time than it costs to interrupt them: then all of
  /// them are asked for at once.
  HWY_INLINE Lines lines(index begin, index rows, index steps) const {
    constexpr index line = 64 / sizeof(T), few = 256;
    const T* const from = b + begin * ks;
    if (begin >= n) return {from, 0, 0, 0, 0};
    if (steps < few) {
      fetch(from, rows);
      return {from, 0, 0, 0, 0};
    }
    if (ws == 1) return {from, rows, ks, line, static_cast<int>((cols + line - 1) / line)};
    return {from, cols, ws, (rows - 1) * ks, 2};
  }
  /// Whether rows are whole vectors of B.
  HWY_INLINE bool contiguous() const { return ws == 1 && cols == W; }
  HWY_INLINE void put_back(index begin, index rows) const {
    unpack<W>(x + begin * step, b + begin * ks, ws, ks, cols, rows);
  }
  /// What goes back once the rows up to `end`, or from `begin` on, are computed: all of them if they were taken at
  /// once, else each chunk as soon as it is whole, so that lines of B come and go meanwhile.
  HWY_INLINE void put_back_to(index end) const {
    if (at_once ? end == n : (n - end) % chunk == 0) {
      const index begin = at_once ? 0 : std::max<index>(0, end - chunk);
      put_back(begin, end - begin);
    }
  }
  HWY_INLINE void put_back_from(index begin) const {
    if (at_once ? begin == 0 : begins_chunk(begin)) put_back(begin, at_once ? n : chunk_rows(begin));
  }
};

/// The tile for NV vectors of right-hand sides; if they are `cut`, for the first half of the last one. Such a panel is
/// never read or written where it lies.
template <class T, int NV, bool cut, int MR = Shape<T>::rows, int W = NV* lanes_of<real_t<T>>>
using PanelTile = std::conditional_t<cut, HalvedTile<T, MR, NV - 1, W, false>, Tile<T, MR, NV>>;

/// X := alpha L^-1 X by row tiles of a panel, from the first on.
template <class T, int NV, bool cut>
struct Solve {
  using Tile_ = PanelTile<T, NV, cut>;

  static HWY_NOINLINE void begin(const Place<T>& place) {
    if (place.at_once) Panel<T, NV>(place).take(0, place.n);
  }

  /// The `count` tiles from the b-th on, whose slivers follow each other from a on.
  static HWY_NOINLINE void tiles(const real_t<T>* a, const Place<T>& place, index b, index count, const T& alpha,
                                 Pivots pivots) {
    const Panel<T, NV> panel(place);
    for (; count > 0; --count, a += sliver_size<T>(b), ++b)
      tile(a, panel, sliver_begin<T>(b, panel.n), sliver_begin<T>(b + 1, panel.n), alpha, pivots);
  }

 private:
  static HWY_INLINE void tile(const real_t<T>* a, const Panel<T, NV>& p, index i0, index end, const T& alpha,
                              Pivots pivots) {
    constexpr int MR = Shape<T>::rows;
    const int rows = static_cast<int>(end - i0);
    real_t<T>* const here = p.x + i0 * Tile_::x_step;
    Tile_ tile;
    typename Panel<T, NV>::Lines lines{p.b, 0, 0, 0, 0};
    if (p.at_once) {
      tile.load(here);
    } else if (!cut && rows == MR && p.contiguous()) {
      lines = p.lines(i0 + MR, MR, i0);
      if constexpr (!cut) tile.read(p.b + i0 * p.ks, p.ks);
    } else {
      if (p.contiguous() || p.begins_chunk(i0)) {
        const index taken = p.contiguous() ? rows : p.chunk_rows(i0);
        p.take(i0, taken);
        lines = p.lines(i0 + taken, p.chunk, i0);
      }
      tile.load(here);
    }
    scale_tile(tile, alpha, rows);
    index k = 0;
    for (; HWY_UNLIKELY(lines.times > 0); --lines.times, lines.at += lines.turn, k += lines.count)
      tile.template accumulate<true>(lines.count, a + k * Tile_::a_step, p.x + k * Tile_::x_step, lines.at,
                                     lines.apart);
    tile.template accumulate<true>(i0 - k, a + k * Tile_::a_step, p.x + k * Tile_::x_step);
    a += i0 * Tile_::a_step;
    if (rows == MR)
      solve_corner<true, T>(tile, a, here, rows, pivots);
    else
      solve_corner<false, T>(tile, a, here, rows, pivots);
    p.put_back_to(i0 + rows);
  }
};

/// X := alpha L X by row tiles of a panel, from the last on.
template <class T, int NV, bool cut>
struct Multiply {
  using Tile_ = PanelTile<T, NV, cut>;

  /// The first tile sums all rows: it packs those before its own. Sixteen registers hold too little for that.
  static HWY_INLINE bool packs(const Panel<T, NV>& p) {
    return !cut && p.contiguous() && !p.at_once && !(is_complex<T> && registers == 16);
  }

  static HWY_NOINLINE void begin(const Place<T>& place) {
    const Panel<T, NV> p(place);
    const index first = packs(p) ? std::max<index>(0, p.n - Shape<T>::rows) : 0;
    p.take(first, p.n - first);
  }

  /// The `count` tiles from the b-th on, backwards; `a`: the sliver of the b-th, which others precede.
  static HWY_NOINLINE void tiles(const real_t<T>* a, const Place<T>& place, index b, index count, const T& alpha,
                                 Pivots pivots) {
    const Panel<T, NV> panel(place);
    for (;; a -= sliver_size<T>(b)) {
      tile(a, panel, sliver_begin<T>(b, panel.n), sliver_begin<T>(b + 1, panel.n), alpha, pivots);
      if (--count == 0) break;
      --b;
    }
  }

 private:
  static HWY_INLINE void tile(const real_t<T>* a, const Panel<T, NV>& p, index i0, index end, const T& alpha,
                              Pivots pivots) {
    constexpr int MR = Shape<T>::rows;
    const int rows = static_cast<int>(end - i0);
    real_t<T>* const here = p.x + i0 * Tile_::x_step;
    Tile_ tile;
    tile.clear();
    if (HWY_UNLIKELY(i0 + rows == p.n && packs(p))) {
      if constexpr (!cut) tile.accumulate_from(i0, a, p.b, p.ks, p.x);
    } else {
      tile.template accumulate<false>(i0, a, p.x);
    }
    a += i0 * Tile_::a_step;
    if (rows == MR)
      multiply_corner<true, T>(tile, a, here, rows, pivots);
    else
      multiply_corner<false, T>(tile, a, here, rows, pivots);
    scale_tile(tile, alpha, rows);
    // No row that is still to come needs these.
    if constexpr (!cut)
      if (p.contiguous()) return tile.put(p.b + i0 * p.ks, p.ks, rows);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
      if (r < rows) tile.store_row(r, here + r * Tile_::x_step);
    p.put_back_from(i0);
  }
};

/// Solve or Multiply for a number of columns.
template <class T>
struct PanelKernels {
  void (*begin)(const Place<T>&);
  void (*tiles)(const real_t<T>* a, const Place<T>&, index b, index count, const T& alpha, Pivots);
};
template <bool inverse, class T>
PanelKernels<T> panel_kernels(int cols) {
  constexpr int L = lanes_of<real_t<T>>;
  const auto of = [&]<int NV>(std::integral_constant<int, NV>) {
    const auto kernels = []<bool cut>(std::bool_constant<cut>) {
      using Kernel = std::conditional_t<inverse, Solve<T, NV, cut>, Multiply<T, NV, cut>>;
      return PanelKernels<T>{Kernel::begin, Kernel::tiles};
    };
    if constexpr (cuts_vectors<T> && NV > 1)  // half a vector alone would wait for its sums
      if (NV * L - cols >= L / 2) return kernels(std::true_type{});
    return kernels(std::false_type{});
  };
  switch (vectors_for<T>(cols)) {
    case 1: return of(std::integral_constant<int, 1>{});
    case 2: return of(std::integral_constant<int, 2>{});
    default: return of(std::integral_constant<int, Shape<T>::vectors>{});
  }
}

inline constexpr index most_together = 16;

/// How many panels go through the triangle side by side, `panel` reals each and `all` of them: those few that are all
/// there are, so that slivers need not be kept, or, of large triangles, some whose rows are beside each other in the
/// pages of B. Packed right-hand sides stay in the second cache.
template <class T>
index panels_together(const Matrix<T*>& b, index triangle, index panel, index all) {
  constexpr index kilobyte = 1024 / sizeof(real_t<T>), small = 768 * kilobyte, room = 640 * kilobyte;
  if (triangle <= small) return 1;
  if (all <= most_together && all * panel <= 1024 * kilobyte) return all;
  return b.col_stride == 1 ? std::clamp<index>(room / panel, 1, 4) : 1;
}

/// Whether panels are taken and put back whole although their columns do not meet: where these are contiguous, tiles of
/// sixteen registers have so few sums that a few rows at a time cost up to a quarter of a solve.
template <class T>
bool takes_at_once(const Matrix<T*>& b) {
  return registers == 16 && b.col_stride != 1;
}

/// `meets`: see meets_others.
template <bool inverse, class T>
HWY_NOINLINE bool triangular_packed(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& result, bool meets) {
  using R = real_t<T>;
  constexpr int MR = Shape<T>::rows, room = Shape<T>::room, NR = Shape<T>::columns, L = lanes_of<R>;
  const index n = t.n(), slivers = (n + MR - 1) / MR;
  const Matrix<T*> a = t.uplo == Uplo::Lower ? t.a : core::reversed(t.a);
  const Matrix<T*> b = t.uplo == Uplo::Lower ? result : core::reversed_rows(result);
  const Panels<T> panels(b.cols, false, L);  // two of about two vectors take less time than one of three and one of one
  const index length = parts_of<T> * NR * slivers * MR, all = panels.count();
  const index together = panels_together(b, sliver_offset<T>(slivers), length, all);
  const bool keeps = together < all;
  R* const packed =
      scratch<R>(0, static_cast<std::size_t>(keeps ? sliver_offset<T>(slivers) : slivers * MR * room * parts_of<T>));
  R* const x = scratch<R>(1, static_cast<std::size_t>(together * length));
  if (!packed || !x) return false;

  const Pivots pivots = pivots_of<inverse>(a, t.diag);
  struct Member {
    Place<T> place;
    PanelKernels<T> kernels;
  };
  const bool at_once = meets || takes_at_once(b);
  Member group[most_together];
  index count = 0, done = 0;
  const auto pack = [&](R* sliver, index b) HWY_ATTR {
    if (inverse && pivots == Pivots::Factors)
      pack_sliver(sliver, a, b, pivots, Reciprocal{});
    else
      pack_sliver(sliver, a, b, pivots, Itself{});
  };
  const auto run = [&]() HWY_ATTR {
    for (index q = 0; q < count; ++q) group[q].kernels.begin(group[q].place);
    const index first = inverse ? 0 : slivers - 1, turn = inverse ? 1 : -1;
    if (count == 1 && keeps) {
      for (index b = 0; b < slivers && done == 0; ++b) pack(packed + sliver_offset<T>(b), b);
      group[0].kernels.tiles(packed + sliver_offset<T>(first), group[0].place, first, slivers, alpha, pivots);
    } else {
      for (index step = 0, b = first; step < slivers; ++step, b += turn) {
        R* const sliver = packed + (keeps ? sliver_offset<T>(b) : 0);
        if (done == 0) pack(sliver, b);
        for (index q = 0; q < count; ++q) group[q].kernels.tiles(sliver, group[q].place, b, 1, alpha, pivots);
      }
    }
    done += count, count = 0;
  };
  panels.each([&](index j, int cols) HWY_ATTR {
    group[count] = {{x + count * length, b.data + j * b.col_stride, n, b.col_stride, b.row_stride, cols, at_once},
                    panel_kernels<inverse, T>(cols)};
    if (++count == together) run();
  });
  if (count > 0) run();
  return true;
}

template <bool inverse, class T>
bool thin(const T& alpha, const Triangle<T*>& triangle, const Matrix<T*>& result, int threads, bool halves = true);

/// Triangles so small that packing them does not pay however many right-hand sides there are: with sixteen registers
/// what is done for each tile counts, but for rows of reals, which tiles read where they lie. Conjugates would change
/// the sign of zeros.
template <class T>
bool is_thin_triangle(const Triangle<T*>& t, const Matrix<T*>& b) {
  return registers == 16 && t.n() <= 24 && (is_complex<T> ? !t.a.conj : b.col_stride != 1);
}

template <bool inverse, class T>
HWY_NOINLINE bool triangular_beyond(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& result, bool beside) {
  if (apply_unpacked<inverse>(alpha, t, result, beside)) return true;
  if (is_thin_triangle(t, result)) return thin<inverse>(alpha, t, result, 1, false);
  if constexpr (!inverse)
    if (is_multiplied_in_place(t, result) && multiply_in_place(alpha, t, result)) return true;
  return triangular_packed<inverse>(alpha, t, result, !inverse && meets_others(result, beside));
}

/// A choice and nothing else, so that the smallest problems need not make room for what larger ones need.
template <bool inverse, class T>
bool triangular(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& result, bool beside) {
  return is_tiny(t, result) ? tiny<inverse>(alpha, t, result) : triangular_beyond<inverse>(alpha, t, result, beside);
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
