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
  /// Columns of sums that leave registers for the rest.
  static constexpr int columns = std::min(12, registers / 2 / U);
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
  /// `rows`: as many as exist, or with `whole` all.
  template <bool whole>
  HWY_INLINE void add(const R* a, index next_a, int rows, const R* x, index row, index next_x, index depth,
                      const ProductSigns<D>& signs) {
    const D d;
    const Front<D> first(rows * P), second((rows - N) * P);
    // All but the last columns are followed by as much as a whole vector takes.
    const index beyond = masks_slowly && !whole ? ((height - rows) * P + next_a - 1) / next_a : 0;
#pragma GCC unroll 1
    for (; depth > 0; --depth, a += next_a, x += next_x) {
      V av[U], exchanged[U];
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) {
        if (whole)
          av[u] = hn::Load(d, a + u * N * P);
        else if (const Front<D>& front = u == 0 ? first : second; masks_slowly && depth > beyond)
          av[u] = front.load_within(a + u * N * P);
        else
          av[u] = front.load(a + u * N * P);
        if constexpr (is_complex<T>) {
          exchanged[u] = hn::Xor(hn::Reverse2(d, av[u]), signs.im);
          av[u] = hn::Xor(av[u], signs.re);
        }
      }
      // Three pointers and three distances: addresses that instructions can form by themselves.
      const R* const fours[] = {x, x + 4 * row, x + 8 * row};
#pragma GCC unroll 12
      for (int j = 0; j < CC; ++j) {
        const R* const xj = fours[j / 4] + j % 4 * row;
        const V xr = hn::Set(d, xj[0]);
#pragma GCC unroll 2
        for (int u = 0; u < U; ++u) sum[j][u] = hn::MulAdd(av[u], xr, sum[j][u]);
        if constexpr (is_complex<T>) {
          const V xi = hn::Set(d, xj[1]);
#pragma GCC unroll 2
          for (int u = 0; u < U; ++u) sum[j][u] = hn::MulAdd(exchanged[u], xi, sum[j][u]);
        }
      }
    }
  }

  /// The same for a pair of factors, `rows` rows of a and the rows of x from `first` on.
  HWY_INLINE void add(const SmallFactor<T>& a, int rows, const SmallFactor<T>& x, const T* first, index depth) {
    const D d;
    const R* from = reinterpret_cast<const R*>(first);
    const index row = x.row * P, next_x = x.column * P;
    const ProductSigns<D> signs(a.conj, x.conj);
    const R* const columns = reinterpret_cast<const R*>(a.data);
    if (a.padded) return add<true>(columns, a.column * P, height, from, row, next_x, depth, signs);
    if (a.row == 1) return add<false>(columns, a.column * P, rows, from, row, next_x, depth, signs);
    HWY_ALIGN R turned[N * height * P];
    for (index k = 0; k < depth; k += N, from += N * next_x) {
      const int count = static_cast<int>(std::min<index>(N, depth - k));
      turn_tiny<T, height>(a, a.data + k, rows, count, turned);
      add<true>(turned, height * P, height, from, row, next_x, count, signs);
    }
  }
};

/// What of C a block covers: its rows, and columns from `begin` on.
template <class T>
struct TinyPlace {
  T* c;
  index ldc;
  int rows;
  index begin;
  Mask mask;
};

/// C := beta C + alpha sums for `columns` columns. The sums lie in `sums`, vectors of a column together; old entries
/// are all read before the first is written. `all`: no triangle.
template <bool all, class T, int height>
HWY_INLINE void write_tiny(const real_t<T>* sums, int columns, const T& alpha, const T& beta, const TinyPlace<T>& at) {
  using Lanes = TinyLanes<T, height>;
  using R = real_t<T>;
  using V = typename Lanes::V;
  constexpr int P = parts_of<T>, U = Lanes::U, width = Lanes::N * P;
  const typename Lanes::D d;
  const InterleavedScaling<T, typename Lanes::D> scaling(alpha, beta);
  const bool below = lower(at.mask), real = is_complex<T> && hermitian(at.mask);
  const int first = all ? 0 : static_cast<int>(at.begin);  // a triangle is small
  // The lanes [from, to) of column j exist.
  const auto from = [&](int j) HWY_ATTR { return all || !below ? 0 : (first + j) * P; };
  const auto to = [&](int j) HWY_ATTR { return (all || below ? at.rows : std::min(at.rows, first + j + 1)) * P; };
  HWY_ALIGN R old[Lanes::columns * U * width];
  if (scaling.reads) {
    // What the imaginary part of a diagonal holds must not reach the real one.
    const bool drop = real && !scaling.keeps;
    const R* column = reinterpret_cast<const R*>(at.c);
    R* out = old;
#pragma GCC unroll 1
    for (int j = 0; j < columns; ++j, column += at.ldc * P)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u, out += width) {
        V v = load_lanes(d, column + u * width, from(j) - u * width, to(j) - u * width);
        const int imaginary = (first + j) * P + 1 - u * width;
        if (!all && drop) v = hn::IfThenZeroElse(lanes_between(d, imaginary, imaginary + 1), v);
        hn::Store(v, d, out);
      }
  }
  const auto write = [&](auto combine) HWY_ATTR {
    R* column = reinterpret_cast<R*>(at.c);
    index next = 0;
#pragma GCC unroll 1
    for (int j = 0; j < columns; ++j, column += at.ldc * P) {
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u, next += width)
        store_lanes(combine(hn::Load(d, sums + next), old + next), d, column + u * width, from(j) - u * width,
                    to(j) - u * width);
      if (!all && real && first + j < at.rows) column[(first + j) * P + 1] = 0;
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

/// Without a triangle but with scalars of any value, once for tiles of all widths.
template <class T, int height>
HWY_NOINLINE void write_tiny_scaled(const real_t<T>* sums, int columns, const T& alpha, const T& beta,
                                    const TinyPlace<T>& at) {
  write_tiny<true, T, height>(sums, columns, alpha, beta, at);
}

/// The same where no triangle, alpha = 1 and beta = 0 or 1 ask for a detour. `whole`: all of C's `height` rows exist.
template <bool whole, class T, int height, int CC>
HWY_INLINE void write_tiny_plainly(const TinyTile<T, height, CC>& tile, bool keeps, const TinyPlace<T>& at) {
  using Lanes = TinyLanes<T, height>;
  using D = typename Lanes::D;
  constexpr int P = parts_of<T>, U = Lanes::U, width = Lanes::N * P;
  const D d;
  const Front<D> front[] = {Front<D>(at.rows * P), Front<D>(at.rows * P - width)};
  real_t<T>* const c = reinterpret_cast<real_t<T>*>(at.c);
  const index next = at.ldc * P;
  typename Lanes::V fresh[CC][U];
#pragma GCC unroll 12
  for (int j = 0; j < CC; ++j)
#pragma GCC unroll 2
    for (int u = 0; u < U; ++u) {
      const real_t<T>* const p = c + j * next + u * width;
      fresh[j][u] = keeps ? hn::Add(tile.sum[j][u], whole ? hn::LoadU(d, p) : front[u].load(p)) : tile.sum[j][u];
    }
#pragma GCC unroll 12
  for (int j = 0; j < CC; ++j)
#pragma GCC unroll 2
    for (int u = 0; u < U; ++u)
      if constexpr (whole)
        hn::StoreU(fresh[j][u], d, c + j * next + u * width);
      else
        front[u].store(fresh[j][u], c + j * next + u * width);
}

template <class T, int height, int CC>
HWY_NOINLINE void tiny_columns(const SmallFactors<T>& terms, const T& alpha, const T& beta, const TinyPlace<T>& at) {
  TinyTile<T, height, CC> tile;
  tile.clear();
  for (int s = 0; s < terms.count; ++s) {
    const SmallFactor<T>& x = terms.x[s];
    tile.add(terms.a[s], at.rows, x, x.data + at.begin * x.row, terms.depth[s]);
  }
  const bool keeps = beta == T(1);
  if (at.mask == Mask::All && alpha == T(1) && (keeps || beta == T(0)))
    return at.rows == height ? write_tiny_plainly<true>(tile, keeps, at) : write_tiny_plainly<false>(tile, keeps, at);
  using Lanes = TinyLanes<T, height>;
  constexpr int width = Lanes::N * Lanes::P;
  HWY_ALIGN real_t<T> sums[CC * Lanes::U * width];
#pragma GCC unroll 12
  for (int j = 0; j < CC; ++j)
#pragma GCC unroll 2
    for (int u = 0; u < Lanes::U; ++u)
      hn::Store(tile.sum[j][u], typename Lanes::D(), sums + (j * Lanes::U + u) * width);
  if (at.mask == Mask::All)
    write_tiny_scaled<T, height>(sums, CC, alpha, beta, at);
  else
    write_tiny<false, T, height>(sums, CC, alpha, beta, at);
}

/// Transposes beforehand what each block of columns would transpose again. Without memory for that they do.
template <class T, int height>
void turn_terms(SmallFactors<T>& terms, int rows) {
  constexpr int N = TinyLanes<T, height>::N;
  index room = 0;
  for (int s = 0; s < terms.count; ++s) room += terms.depth[s] + N;
  T* copy = scratch<T>(1, static_cast<std::size_t>(room * height));
  for (int s = 0; s < terms.count && copy; ++s) {
    SmallFactor<T>& a = terms.a[s];
    if (a.padded || a.row == 1) continue;
    for (index k = 0; k < terms.depth[s]; k += N)
      turn_tiny<T, height>(a, a.data + k, rows, static_cast<int>(std::min<index>(N, terms.depth[s] - k)),
                           reinterpret_cast<real_t<T>*>(copy + k * height));
    a.data = copy, a.row = 1, a.column = height, a.padded = true;
    copy += (terms.depth[s] + N - 1) / N * N * height;
  }
}

/// The columns [begin, end) of C, a few at a time.
template <class T, int height>
void tiny_blocks(const SmallFactors<T>& terms, const T& alpha, const T& beta, const Matrix<T*>& c, Mask mask,
                 index begin, index end) {
  constexpr int most = TinyLanes<T, height>::columns;
  TinyPlace<T> at{c.data + begin * c.col_stride, c.col_stride, static_cast<int>(c.rows), begin, mask};
  const index blocks = (end - begin + most - 1) / most;
  for (index b = 1; b <= blocks; ++b)  // of about the same width
    of_few<most>((b == blocks ? end : begin + (end - begin) * b / blocks) - at.begin,
                 [&]<int CC>(std::integral_constant<int, CC>) HWY_ATTR {
                   tiny_columns<T, height, CC>(terms, alpha, beta, at);
                   at.begin += CC, at.c += CC * at.ldc;
                 });
}

template <class T, int height>
void tiny_rows(SmallFactors<T>& terms, const T& alpha, const T& beta, const Matrix<T*>& c, Mask mask) {
  constexpr int N = TinyLanes<T, height>::N;
  const bool divided = N < height && mask != Mask::All && 2 * c.rows >= 3 * N;
  if ((divided || c.cols > TinyLanes<T, height>::columns) && terms.a[0].row != 1)
    turn_terms<T, height>(terms, static_cast<int>(c.rows));
  if constexpr (N < height)
    if (divided) {  // the vector of a triangle that has no entries in half of its columns is left out there
      if (!lower(mask)) {
        tiny_rows<T, N>(terms, alpha, beta, c.block(0, 0, N, N), mask);
        return tiny_blocks<T, height>(terms, alpha, beta, c, mask, N, c.cols);
      }
      tiny_blocks<T, height>(terms, alpha, beta, c, mask, 0, N);
      for (int s = 0; s < terms.count; ++s)
        terms.a[s].data += N * terms.a[s].row, terms.x[s].data += N * terms.x[s].row;
      return tiny_rows<T, N>(terms, alpha, beta, c.block(N, N, c.rows - N, c.cols - N), mask);
    }
  tiny_blocks<T, height>(terms, alpha, beta, c, mask, 0, c.cols);
}

/// Orders up to which a symmetric factor that is broadcast is completed in scratch.
inline constexpr index tiny_whole = 64;

/// `small`: the largest order of products that are not packed.
template <class T>
bool is_tiny_gemm(const Factor<T>& a, const Factor<T>& bt, const Matrix<T*>& c, index small) {
  if (c.rows > std::min<index>(tiny_height<T>, small)) return false;
  if (bt.mirrored()) return c.cols <= std::min(tiny_whole, small);
  if (c.cols <= std::min(small_order, small)) return true;
  // Many columns, unless most lanes are missing or those of a block meet in a set of the cache.
  constexpr index short_depth = 64;
  return 4 * c.rows >= tiny_height<T> && a.depth() <= short_depth && !falls_together<T>(bt.a.row_stride) &&
         !falls_together<T>(c.col_stride);
}

/// c := alpha a bt^T + beta c for a c with few rows and contiguous columns. `kc`: how many steps the packed kernel
/// sums before it rounds. False if there is no memory for a copy.
template <class T>
bool gemm_tiny(const T& alpha, const Factor<T>& a, const Factor<T>& bt, const T& beta, const Matrix<T*>& c, Mask mask,
               index kc) {
  HWY_ALIGN real_t<T> room[parts_of<T> * tiny_height<T> * tiny_height<T>];
  // What was just written is not copied whole: a load of several fields would wait for their stores.
  const auto in_place = [](SmallFactor<T>& out, const Matrix<T*>& m) {
    out.data = m.data, out.row = m.row_stride, out.column = m.col_stride, out.conj = m.conj;
    out.padded = false;
  };
  const auto completed = [&](SmallFactor<T>& out, const Factor<T>& f) HWY_ATTR {
    const bool fits = f.a.rows <= tiny_height<T>;
    const index column = fits ? tiny_height<T> : tiny_whole;
    T* const copy =
        fits ? reinterpret_cast<T*>(room) : scratch<T>(0, static_cast<std::size_t>(tiny_whole * tiny_whole));
    if (!copy) return false;
    out.conj = complete(f, copy, column).conj;
    out.data = copy, out.row = 1, out.column = column;
    out.padded = fits;
    return true;
  };
  SmallFactor<T> whole;
  const bool a_whole = a.mirrored();
  const bool x_whole = bt.mirrored();
  if ((a_whole || x_whole) && !completed(whole, a_whole ? a : bt)) return false;
  const index depth = a.depth(), first = a.a.cols;
  const T one(1);
  for (index k0 = 0; k0 < depth; k0 += kc) {
    const index k1 = std::min(depth, k0 + kc);
    SmallFactors<T> terms;
    terms.count = 0;
    const auto take = [&](const Matrix<T*>& am, const Matrix<T*>& xm, index begin, index end) HWY_ATTR {
      if (begin >= end) return;
      const int s = terms.count++;
      in_place(terms.a[s], am), in_place(terms.x[s], xm);
      if (a_whole) terms.a[s] = whole;
      if (x_whole) terms.x[s] = whole;
      terms.depth[s] = end - begin;
      terms.a[s].data += begin * terms.a[s].column, terms.x[s].data += begin * terms.x[s].column;
    };
    take(a.a, bt.a, k0, std::min(k1, first));
    if (a.form == Form::Pair) take(a.b, bt.b, std::max<index>(0, k0 - first), k1 - first);
    const T& beta_now = k0 == 0 ? beta : one;
    if (c.rows <= tiny_height<T> / 4)
      tiny_rows<T, std::max(1, tiny_height<T> / 4)>(terms, alpha, beta_now, c, mask);
    else if (c.rows <= tiny_height<T> / 2)
      tiny_rows<T, tiny_height<T> / 2>(terms, alpha, beta_now, c, mask);
    else
      tiny_rows<T, tiny_height<T>>(terms, alpha, beta_now, c, mask);
  }
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
