// GEMM where C has a few rows, sixteen at most, contiguous by columns: lanes run down the rows, up to twelve columns
// of C are summed in registers at a time. A factor whose columns are not contiguous is transposed on its way.
// Every entry is rounded as the packed kernel rounds it.
#if defined(TRIGON_CPU_SIMD_TINY_GEMM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_TINY_GEMM_INL
#undef TRIGON_CPU_SIMD_TINY_GEMM_INL
#else
#define TRIGON_CPU_SIMD_TINY_GEMM_INL
#endif

#include "cpu/simd/small-inl.hpp"

#include <array>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// The most rows that C may have: two vectors.
template <class T>
inline constexpr int tiny_height = std::min(16, 2 * unit_lanes<T>);

/// How `height` rows are held: U vectors of N elements. Complex elements stay interleaved.
template <class T, int height>
struct TinyLanes {
  using R = real_t<T>;
  static constexpr int P = parts_of<T>, N = std::min(height, unit_lanes<T>), U = height / N;
  using D = hn::CappedTag<R, N * P>;
  using V = hn::Vec<D>;
  /// Columns of sums that leave registers for the rest. Of sixteen registers twelve are sums, where the parts of one
  /// complex vector, but not of two, are left room; fewer where the last vector is masked at each step.
  static constexpr int columns = std::min(12, (registers == 16 && (U == 1 || P == 1) ? 12 : registers / 2) / U);
  static constexpr int masked_columns = masks_slowly && P == 2 ? registers / 2 / U : columns;
};

/// c := alpha (sums of terms) + beta c: the first factors with contiguous columns, C too.
template <class T>
struct TinyGemm {
  SmallFactors<T> terms;
  T alpha, beta;
  T* c;
  index ldc;
  int rows;
  Mask mask;

  /// Without a term. What is not said stays as it is: it is large, and a small call would feel it cleared.
  HWY_INLINE void begin(const T& by, const T& keeping, const Matrix<T*>& result, Mask within) {
    terms.count = 0;
    alpha = by, beta = keeping, mask = within;
    c = result.data, ldc = result.col_stride, rows = static_cast<int>(result.rows);
  }
};

/// out := a with contiguous columns, `height` elements apart, for `rows` rows (the last one repeated) and `count`
/// columns of an a with contiguous rows, as many as N at most.
template <class T, int height>
HWY_INLINE void turn_tiny(const SmallFactor<T>& a, const T* from, int rows, int count, real_t<T>* out) {
  constexpr int N = TinyLanes<T, height>::N, U = TinyLanes<T, height>::U;
  using Line = Unit<T, N>;
  using R = typename Line::R;
  const Front<typename Line::D> front(count * Line::lanes);
#pragma GCC unroll 2
  for (int u = 0; u < U; ++u) {
    typename Line::V lines[N];
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) {
      lines[i] = front.load(reinterpret_cast<const R*>(from));
      from += u * N + i + 1 < rows ? a.row : 0;
    }
    Line::turn(lines);
#pragma GCC unroll 8
    for (int k = 0; k < N; ++k) Line::store(lines[k], reinterpret_cast<T*>(out) + k * height + u * N);
  }
}

/// out := `count` columns of an a with contiguous columns, `height` elements apart and all of them: other rows than the
/// first `rows` repeat an element.
template <class T, int height>
HWY_INLINE void fill_tiny(const SmallFactor<T>& a, int rows, index count, real_t<T>* out) {
  using Lanes = TinyLanes<T, height>;
  constexpr int N = Lanes::N, U = Lanes::U, P = Lanes::P;
  const typename Lanes::D d;
  const Front<typename Lanes::D> last((rows - (U - 1) * N) * P);
  const real_t<T>* from = reinterpret_cast<const real_t<T>*>(a.data);
#pragma GCC unroll 1
  for (; count > 0; --count, from += a.column * P, out += height * P) {
    if constexpr (U == 2) hn::Store(hn::LoadU(d, from), d, out);
    hn::Store(last.template factor<P>(from + (U - 1) * N * P), d, out + (U - 1) * N * P);
  }
}

/// Sums of products for `height` rows and CC columns of C.
template <class T, int height, int CC>
struct TinyTile {
  using Lanes = TinyLanes<T, height>;
  using R = real_t<T>;
  using D = typename Lanes::D;
  using V = typename Lanes::V;
  static constexpr int N = Lanes::N, U = Lanes::U, P = parts_of<T>;
  V sum[CC][U];

  HWY_INLINE void clear() {
#pragma GCC unroll 12
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) sum[j][u] = hn::Zero(D());
  }

  /// += `depth` columns of a, `next_a` reals apart, times the elements at x + j `row` for the columns j of C, `next_x`
  /// reals apart: a x = a Re x + (a with its parts exchanged) Im x, with signs that conjugation decides.
  /// `rows`: as many as exist, which reach the last vector, or with `whole` all.
  template <bool whole>
  HWY_INLINE void add(const R* a, index next_a, int rows, const R* x, index row, index next_x, index depth,
                      const ProductSigns<D>& signs) {
    const D d;
    const Front<D> last((rows - (U - 1) * N) * P);
#pragma GCC unroll 1
    for (; depth > 0; --depth, a += next_a, x += next_x) {
      V av[U], exchanged[U];
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) {
        if (whole || u + 1 < U)
          av[u] = hn::LoadU(d, a + u * N * P);
        else
          av[u] = last.template factor<P>(a + u * N * P);
        if constexpr (is_complex<T>) {
          exchanged[u] = hn::Xor(hn::Reverse2(d, av[u]), signs.im);
          av[u] = hn::Xor(av[u], signs.re);
        }
      }
      const auto more = [&last](V so_far, V factor, V xj, int u) TRIGON_INLINE_LAMBDA {
        return whole || u + 1 < U ? hn::MulAdd(factor, xj, so_far) : last.add(so_far, factor, xj);
      };
      // Three pointers and three distances: addresses that instructions can form by themselves.
      const R* const fours[] = {x, x + 4 * row, x + 8 * row};
#pragma GCC unroll 12
      for (int j = 0; j < CC; ++j) {
        const R* const xj = fours[j / 4] + j % 4 * row;
        const V xr = hn::Set(d, xj[0]);
#pragma GCC unroll 2
        for (int u = 0; u < U; ++u) sum[j][u] = more(sum[j][u], av[u], xr, u);
        if constexpr (is_complex<T>) {
          const V xi = hn::Set(d, xj[1]);
#pragma GCC unroll 2
          for (int u = 0; u < U; ++u) sum[j][u] = more(sum[j][u], exchanged[u], xi, u);
        }
      }
    }
  }

  /// The same for the s-th term, and the rows of its x from `begin` on.
  HWY_INLINE void add(const TinyGemm<T>& g, int s, index begin) {
    const SmallFactor<T>&a = g.terms.a[s], &x = g.terms.x[s];
    const R* const columns = reinterpret_cast<const R*>(a.data);
    const R* const from = reinterpret_cast<const R*>(x.data + begin * x.row);
    const index row = x.row * P, next_x = x.column * P, depth = g.terms.depth[s];
    const ProductSigns<D> signs(a.conj, x.conj);
    if (CC > Lanes::masked_columns || a.padded || g.rows == height)
      add<true>(columns, a.column * P, height, from, row, next_x, depth, signs);
    else
      add<false>(columns, a.column * P, g.rows, from, row, next_x, depth, signs);
  }

  /// Makes zeros of the sums of other rows than the first `rows`.
  HWY_INLINE void leave_out_others(int rows) {
    const Front<D> last((rows - (U - 1) * N) * P);
#pragma GCC unroll 12
    for (int j = 0; j < CC; ++j) sum[j][U - 1] = last.only(sum[j][U - 1]);
  }

  /// c := alpha sums + beta c for a C of `rows` rows, or `whole` of as many as lanes. Old entries are all read before
  /// the first is written.
  template <bool whole>
  HWY_INLINE void write(R* c, index ldc, int rows, const InterleavedScaling<T, D>& scaling) const {
    const D d;
    const Front<D> last((rows - (U - 1) * N) * P);
    const auto place = [&](int j, int u) HWY_ATTR { return c + j * ldc + u * N * P; };
    const auto all = [](int u) HWY_ATTR { return whole || u + 1 < U; };
    const auto old = [&](int j, int u) HWY_ATTR { return all(u) ? hn::LoadU(d, place(j, u)) : last.load(place(j, u)); };
    const auto put = [&](const auto& combined) HWY_ATTR {
      V fresh[CC][U];
#pragma GCC unroll 12
      for (int j = 0; j < CC; ++j)
#pragma GCC unroll 2
        for (int u = 0; u < U; ++u) fresh[j][u] = combined(j, u);
#pragma GCC unroll 12
      for (int j = 0; j < CC; ++j)
#pragma GCC unroll 2
        for (int u = 0; u < U; ++u)
          all(u) ? hn::StoreU(fresh[j][u], d, place(j, u)) : last.store(fresh[j][u], place(j, u));
    };
    const bool plain = scaling.plain;
    if (plain && !scaling.reads)
      put([&](int j, int u) HWY_ATTR { return sum[j][u]; });
    else if (plain && scaling.keeps)
      put([&](int j, int u) HWY_ATTR { return hn::Add(sum[j][u], old(j, u)); });
    else if (scaling.reads)
      put([&](int j, int u) HWY_ATTR { return scaling.combine(sum[j][u], old(j, u)); });
    else
      put([&](int j, int u) HWY_ATTR { return scaling.combine(sum[j][u], hn::Zero(d)); });
  }
};

/// The columns of C from `begin` on, `columns` of them, where a triangle has entries. The sums lie in `sums`, vectors
/// of a column together; old entries are all read before the first is written.
template <class T, int height>
HWY_NOINLINE void write_triangle(real_t<T>* sums, int columns, const TinyGemm<T>& g, index begin) {
  using Lanes = TinyLanes<T, height>;
  using R = real_t<T>;
  using V = typename Lanes::V;
  constexpr int P = parts_of<T>, U = Lanes::U, width = Lanes::N * P;
  const typename Lanes::D d;
  const InterleavedScaling<T, typename Lanes::D> scaling(g.alpha, g.beta);
  const bool below = lower(g.mask), real = is_complex<T> && hermitian(g.mask);
  const int first = static_cast<int>(begin);  // a triangle is small
  T* const c = g.c + begin * g.ldc;
  // The lanes [from, to) of column j exist.
  const auto from = [&](int j) HWY_ATTR { return below ? (first + j) * P : 0; };
  const auto to = [&](int j) HWY_ATTR { return (below ? g.rows : std::min(g.rows, first + j + 1)) * P; };
  HWY_ALIGN R old[Lanes::columns * U * width];
  if (scaling.reads) {
    // What the imaginary part of a diagonal holds must not reach the real one, nor raise a flag.
    const R* column = reinterpret_cast<const R*>(c);
    R* out = old;
#pragma GCC unroll 1
    for (int j = 0; j < columns; ++j, column += g.ldc * P)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u, out += width) {
        V v = load_lanes(d, column + u * width, from(j) - u * width, to(j) - u * width);
        const int imaginary = (first + j) * P + 1 - u * width;
        if (real) v = hn::IfThenZeroElse(lanes_between(d, imaginary, imaginary + 1), v);
        hn::Store(v, d, out);
      }
  }
  if (scaling.enlarges)
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < U * width; ++i)
        if (i < from(j) || i >= to(j)) sums[j * U * width + i] = 0;
  const auto write = [&](auto combine) HWY_ATTR {
    R* column = reinterpret_cast<R*>(c);
    index next = 0;
#pragma GCC unroll 1
    for (int j = 0; j < columns; ++j, column += g.ldc * P) {
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u, next += width)
        store_lanes(combine(hn::Load(d, sums + next), old + next), d, column + u * width, from(j) - u * width,
                    to(j) - u * width);
      if (real && first + j < g.rows) column[(first + j) * P + 1] = 0;
    }
  };
  if (scaling.plain && !scaling.reads)
    write([&](V sum, const R*) HWY_ATTR { return sum; });
  else if (scaling.plain && scaling.keeps)
    write([&](V sum, const R* before) HWY_ATTR { return hn::Add(sum, hn::Load(d, before)); });
  else
    write([&](V sum, const R* before)
              HWY_ATTR { return scaling.combine(sum, scaling.reads ? hn::Load(d, before) : hn::Zero(d)); });
}

/// The columns [begin, begin + CC) of C: all entries, or those of a triangle.
template <bool all, class T, int height, int CC>
HWY_NOINLINE void tiny_columns(const TinyGemm<T>& g, index begin) {
  using Lanes = TinyLanes<T, height>;
  TinyTile<T, height, CC> tile;
  tile.clear();
  int s = 0;
  do tile.add(g, s, begin);
  while (++s < g.terms.count);
  if constexpr (all) {
    real_t<T>* const c = reinterpret_cast<real_t<T>*>(g.c + begin * g.ldc);
    const index ldc = g.ldc * Lanes::P;
    const InterleavedScaling<T, typename Lanes::D> scaling(g.alpha, g.beta);
    if (g.rows == height) return tile.template write<true>(c, ldc, height, scaling);
    if (scaling.enlarges) tile.leave_out_others(g.rows);
    tile.template write<false>(c, ldc, g.rows, scaling);
  } else {
    constexpr int width = Lanes::N * Lanes::P;
    HWY_ALIGN real_t<T> sums[CC * Lanes::U * width];
#pragma GCC unroll 12
    for (int j = 0; j < CC; ++j)
#pragma GCC unroll 2
      for (int u = 0; u < Lanes::U; ++u)
        hn::Store(tile.sum[j][u], typename Lanes::D(), sums + (j * Lanes::U + u) * width);
    write_triangle<T, height>(sums, CC, g, begin);
  }
}

/// The same by the number of columns.
template <bool all, class T, int height>
struct TinyColumns {
  using Way = void (*)(const TinyGemm<T>&, index begin);
  static constexpr int most = TinyLanes<T, height>::columns;
  static constexpr auto ways = []<int... before>(std::integer_sequence<int, before...>) {
    return std::array<Way, most + 1>{[](const TinyGemm<T>&, index) {}, tiny_columns<all, T, height, before + 1>...};
  }
  (std::make_integer_sequence<int, most>{});
};

template <class T>
HWY_INLINE bool must_turn(const SmallFactor<T>& a) {
  return !a.padded && a.row != 1;
}
/// Whether columns of first factors that are shorter than vectors are filled first. It is repaid where two vectors, or
/// both parts of one, meet many columns of C.
template <class T, int height>
HWY_INLINE bool must_fill(const TinyGemm<T>& g, index cols) {
  using Lanes = TinyLanes<T, height>;
  constexpr bool repaid = masks_slowly && (Lanes::U == 2 || Lanes::P == 2);
  return repaid && g.rows < height && cols > 12 && g.mask == Mask::All && !g.terms.a[0].padded;
}

/// How many columns of C are summed at a time. Either all terms have been filled, or turned, or none.
template <class T, int height>
HWY_INLINE int tiny_width(const TinyGemm<T>& g) {
  using Lanes = TinyLanes<T, height>;
  return g.rows < height && !g.terms.a[0].padded ? Lanes::masked_columns : Lanes::columns;
}

/// The columns [begin, end) of C, a few at a time.
template <bool all, class T, int height>
HWY_NOINLINE void tiny_blocks(const TinyGemm<T>& g, index begin, index end) {
  using Columns = TinyColumns<all, T, height>;
  const index cols = end - begin, most = tiny_width<T, height>(g), blocks = (cols + most - 1) / most;
  const index fewer = cols / blocks, more = blocks - cols % blocks;  // of about the same width
  for (index b = 0, done = begin; b < blocks; ++b) {
    const index width = fewer + (b >= more);
    Columns::ways[static_cast<std::size_t>(width)](g, done);
    done += width;
  }
}

/// A triangle of `cols` columns. Of one that takes several blocks, the vector that has no entries in half of the
/// columns is left out there; steps of a single block take no longer than those of its halves, which wait for each
/// other.
template <class T, int height>
HWY_NOINLINE void tiny_triangle(TinyGemm<T>& g, index cols) {
  constexpr int N = TinyLanes<T, height>::N;
  if constexpr (N < height)
    if (2 * g.rows >= 3 * N && cols > tiny_width<T, height>(g)) {
      const bool below = lower(g.mask);
      tiny_blocks<false, T, height>(g, below ? 0 : N, below ? N : cols);
      if (below) {
        for (int s = 0; s < g.terms.count; ++s)
          g.terms.a[s].data += N * g.terms.a[s].row, g.terms.x[s].data += N * g.terms.x[s].row;
        g.c += N * (g.ldc + 1);
      }
      g.rows = below ? g.rows - N : N;
      return tiny_triangle<T, N>(g, below ? cols - N : N);
    }
  tiny_blocks<false, T, height>(g, 0, cols);
}

/// c := alpha (sums of terms) + beta c for `cols` columns of C, whose first factors have contiguous columns.
template <class T, int height>
HWY_INLINE void tiny_sums(TinyGemm<T>& g, index cols) {
  using Columns = TinyColumns<true, T, height>;
  if (is_held(g.terms, g.rows, cols, g.mask))
    multiply_held(g.terms, g.alpha, g.beta, g.c, g.ldc, g.rows, cols);
  else if (g.mask != Mask::All)
    tiny_triangle<T, height>(g, cols);
  else if (cols <= tiny_width<T, height>(g))
    Columns::ways[static_cast<std::size_t>(cols)](g, 0);
  else
    tiny_blocks<true, T, height>(g, 0, cols);
}

/// The same when first factors have been copied whose columns are not, or not as long as vectors. False if there is no
/// memory for `most` steps of them.
template <class T, int height>
HWY_NOINLINE bool tiny_copied(TinyGemm<T>& g, index cols, index most) {
  constexpr int N = TinyLanes<T, height>::N, few = 32;
  HWY_ALIGN real_t<T> room[parts_of<T> * (few + 2 * N) * height];
  T* copy = most <= few ? reinterpret_cast<T*>(room) : scratch<T>(1, static_cast<std::size_t>((most + 2 * N) * height));
  if (!copy) return false;
  for (int s = 0; s < g.terms.count; ++s) {
    SmallFactor<T>& a = g.terms.a[s];
    if (a.padded || (!masks_slowly && a.row == 1)) continue;
    const index depth = g.terms.depth[s];
    if (a.row == 1)
      fill_tiny<T, height>(a, g.rows, depth, reinterpret_cast<real_t<T>*>(copy));
    else
      for (index k = 0; k < depth; k += N)
        turn_tiny<T, height>(a, a.data + k, g.rows, static_cast<int>(std::min<index>(N, depth - k)),
                             reinterpret_cast<real_t<T>*>(copy + k * height));
    a.data = copy, a.row = 1, a.column = height, a.padded = true;
    copy += (depth + N - 1) / N * N * height;
  }
  tiny_sums<T, height>(g, cols);
  return true;
}

/// With as few lanes as C has rows; `most`: steps of all terms together. False if there is no memory for copies.
template <class T>
HWY_INLINE bool tiny_of_height(TinyGemm<T>& g, index cols, index most) {
  constexpr int h = tiny_height<T>;
  const auto with = [&]<int height>(std::integral_constant<int, height>) TRIGON_INLINE_LAMBDA {
    bool copies = must_fill<T, height>(g, cols);
    for (int s = 0; s < g.terms.count; ++s) copies |= must_turn(g.terms.a[s]);
    if (copies) return tiny_copied<T, height>(g, cols, most);
    tiny_sums<T, height>(g, cols);
    return true;
  };
  if (g.rows <= h / 4) return with(std::integral_constant<int, std::max(1, h / 4)>());
  if (g.rows <= h / 2) return with(std::integral_constant<int, h / 2>());
  return with(std::integral_constant<int, h>());
}

/// What was just written is not copied whole: a load of several fields would wait for their stores.
template <class T>
HWY_INLINE void read_in_place(SmallFactor<T>& out, const Matrix<T*>& m) {
  out.data = m.data, out.row = m.row_stride, out.column = m.col_stride, out.conj = m.conj;
  out.padded = false;
}
template <class T>
HWY_INLINE void read_copy(SmallFactor<T>& out, const SmallFactor<T>& copy) {
  out.data = copy.data, out.row = copy.row, out.column = copy.column, out.conj = copy.conj;
  out.padded = copy.padded;
}

/// Orders up to which a symmetric factor that is broadcast is completed in scratch.
inline constexpr index tiny_whole = 64;

/// `small`: the largest order of products that are not packed. `packed`: whether this one would be.
template <class T>
HWY_INLINE bool is_tiny_gemm(const Factor<T>& a, const Factor<T>& bt, const Matrix<T*>& c, index small,
                             bool packed = false) {
  if (c.rows > std::min<index>(tiny_height<T>, small)) return false;
  if (bt.mirrored()) return c.cols <= std::min(tiny_whole, small);
  if (c.cols <= std::min(small_order, small)) return true;
  // Many columns, unless most lanes are missing.
  constexpr index short_depth = 64;
  const index depth = a.depth();
  const bool few_lanes = 4 * c.rows < tiny_height<T>;
  if (registers != 16) return !few_lanes && depth <= short_depth;
  // With sixteen registers packing is not repaid however long sums are. But one vector meets twelve columns at a time,
  // more than a set has places for.
  constexpr index set = 4096;
  if (c.rows <= unit_lanes<T> && bt.a.row_stride * static_cast<index>(sizeof(T)) % set == 0) return false;
  if (depth <= short_depth) return c.rows > 1 || !few_lanes;
  // Two vectors of complex numbers are shuffled at each step, which what is small does as well.
  if (c.rows == 1 || (is_complex<T> && c.rows > unit_lanes<T> && !packed)) return false;
  // Each step may be another line that comes from memory.
  return bt.a.row_stride != 1 || !is_far<T>(c.cols * depth);
}

/// c := alpha a bt^T + beta c for a c with few rows and contiguous columns. `kc`: how many steps the packed kernel
/// sums before it rounds. False if there is no memory for a copy.
template <class T>
bool gemm_tiny(const T& alpha, const Factor<T>& a, const Factor<T>& bt, const T& beta, const Matrix<T*>& c, Mask mask,
               index kc) {
  HWY_ALIGN real_t<T> room[parts_of<T> * tiny_height<T> * tiny_height<T>];
  const auto completed = [&](SmallFactor<T>& out, const Factor<T>& f) HWY_ATTR {
    const bool fits = f.a.rows <= tiny_height<T>;
    const index column = fits ? tiny_height<T> : tiny_whole;
    T* const copy =
        fits ? reinterpret_cast<T*>(room) : scratch<T>(0, static_cast<std::size_t>(tiny_whole * tiny_whole));
    if (!copy) return false;
    out.conj = complete(f, copy, column).conj;
    out.data = copy, out.row = 1, out.column = column;
    out.padded = false;  // beyond its rows lie zeros
    return true;
  };
  SmallFactor<T> whole;
  const bool a_whole = a.mirrored();
  const bool x_whole = bt.mirrored();
  if ((a_whole || x_whole) && !completed(whole, a_whole ? a : bt)) return false;
  const index depth = a.depth(), first = a.a.cols;
  for (index k0 = 0; k0 < depth; k0 += kc) {
    const index k1 = std::min(depth, k0 + kc);
    TinyGemm<T> g;
    g.begin(alpha, k0 == 0 ? beta : T(1), c, mask);
    const auto take = [&](const Matrix<T*>& am, const Matrix<T*>& xm, index begin, index end) HWY_ATTR {
      if (begin >= end) return;
      const int s = g.terms.count++;
      SmallFactor<T>&of_c = g.terms.a[s], &of_ct = g.terms.x[s];
      a_whole ? read_copy(of_c, whole) : read_in_place(of_c, am);
      x_whole ? read_copy(of_ct, whole) : read_in_place(of_ct, xm);
      g.terms.depth[s] = end - begin;
      of_c.data += begin * of_c.column, of_ct.data += begin * of_ct.column;
    };
    take(a.a, bt.a, k0, std::min(k1, first));
    if (a.form == Form::Pair) take(a.b, bt.b, std::max<index>(0, k0 - first), k1 - first);
    if (!tiny_of_height(g, c.cols, std::min(kc, depth))) return false;
  }
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
