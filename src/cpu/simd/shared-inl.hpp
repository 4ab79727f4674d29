// Few right-hand sides on several threads, which share the triangle.
#if defined(TRIGON_CPU_SIMD_SHARED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SHARED_INL
#undef TRIGON_CPU_SIMD_SHARED_INL
#else
#define TRIGON_CPU_SIMD_SHARED_INL
#endif

#include "cpu/rounds.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/strips-inl.hpp"
#include "cpu/simd/thin-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Running sums of some threads, apart from each other and from what they are added to.
template <class T>
struct Sums {
  index n, cols;
  int threads;
  index ld = n + 8;  ///< columns of a power of two would meet in one set of a cache
  index each = ld * cols;
  T* const room = scratch<T>(0, static_cast<std::size_t>((threads - 1) * each));

  /// Those of a thread that is not the first, from row `row` on.
  T* of(int part, index row) const { return room + (part - 1) * each + row; }
  void clear(int part, index row, index rows) const {
    for (index j = 0; j < cols; ++j) std::fill_n(of(part, row) + j * ld, rows, T(0));
  }
  /// Adds those of a thread to rows of b.
  void add(int part, index row, index rows, const Matrix<T*>& b) const {
    for (index j = 0; j < cols; ++j) {
      const T* const from = of(part, row) + j * ld;
      T* const to = b.data + row + j * b.col_stride;
      for (index i = 0; i < rows; ++i) to[i] += from[i];
    }
  }
};

/// The blocks of a solve on threads as strips of the triangle.
template <class T>
struct Strips {
  const Narrow<T>& p;
  const Blocks& blocks;

  Strip operator[](int k) const { return strip_of(p.t, blocks.begin(k), static_cast<int>(blocks.width)); }
  /// The first thread's part: what the block before this one does to it, and its own corner.
  void solve(int k) const {
    const Strip s = (*this)[k];
    if (k > 0) {
      const Strip before = (*this)[k - 1];
      if (blocks.by_columns)
        p.add_columns(before.at, before.size, s.at, s.size, p.b.data + s.at, p.b.col_stride, -1);
      else
        p.add_rows(before.at, before.size, s.at, s.size, -1);
    }
    const Narrow<T> corner = p.block(s);
    by_strips<true>(corner.t, corner.b);
  }
};

/// A solve with contiguous columns. Those of a strip are shared, not the rows beyond it: columns are as long as they
/// can be, and a thread reads the same part of the triangle in every call. The others have sums of their own, which are
/// added to the rows of a corner before it is solved.
template <class T>
void solve_columns_shared(const Narrow<T>& p, const Blocks& blocks, int threads) {
  const index n = p.t.n();
  threads = std::min(threads, Rounds::most_threads);
  const Strips<T> strips{p, blocks};
  const Sums<T> sums{n, p.b.cols, threads};
  if (!sums.room) return by_strips<true>(p.t, p.b);
  const auto solve = [&](int k) HWY_ATTR {
    const Strip s = strips[k];
    for (int other = 1; other < threads && k >= 2; ++other) sums.add(other, s.at, s.size, p.b);
    strips.solve(k);
  };
  const auto carry = [&](int j, int part, int sharing) HWY_ATTR {
    const Strip s = strips[j];
    const index rest = n - blocks.end(j + 1), beyond = strips[j + 1].after;
    const auto [first, size] = share_beside_block(s.size, rest, s.size, sharing, part, 8);
    if (part == 0) return p.add_columns(s.at, size, beyond, rest, p.b.data + beyond, p.b.col_stride, -1);
    if (j == 0) sums.clear(part, beyond, rest);
    p.add_columns(s.at + first, size, beyond, rest, sums.of(part, beyond), sums.ld, -1);
  };
  in_rounds(blocks, threads, solve, carry);
}

/// A solve whose rows are shared: contiguous ones, or those of columns that would be few for each thread.
template <class T>
void solve_rows_shared(const Narrow<T>& p, const Blocks& blocks, int threads) {
  constexpr index line = 64 / sizeof(T), grain = std::max<index>(8, line);
  const bool lower = p.t.uplo == Uplo::Lower;
  const Strips<T> strips{p, blocks};
  const auto carry = [&](int j, int part, int sharing) HWY_ATTR {
    const Strip s = strips[j];
    const index done = blocks.end(j), begin = blocks.end(j + 1), end = blocks.by_columns ? blocks.n : blocks.end(j + 2);
    const auto [first, size] =
        share_beside_block(end - begin, blocks.by_columns ? s.size : done, s.size, sharing, part, grain);
    const index row = lower ? begin + first : blocks.n - begin - first - size;
    if (blocks.by_columns)
      p.add_columns(s.at, s.size, row, size, p.b.data + row, p.b.col_stride, -1);
    else
      p.add_rows(lower ? 0 : s.at, done, row, size, -1);
  };
  in_rounds(
      blocks, threads, [&](int k) HWY_ATTR { strips.solve(k); }, carry);
}

/// A product whose columns are shared, as much of the triangle to each thread. What they give to rows of others is
/// added when all are done.
template <class T>
void multiply_columns_shared(const Narrow<T>& p, int threads) {
  const index n = p.t.n();
  const bool lower = p.t.uplo == Uplo::Lower;
  const Sums<T> sums{n, p.b.cols, threads};
  if (!sums.room) return by_strips<false>(p.t, p.b);
  parallel(threads, [&](int part) HWY_ATTR {
    const auto [from, to] = equal_band(n, threads, part);
    const index size = to - from, at = lower ? n - to : from, beyond = lower ? n - from : 0;
    if (size == 0) return;
    if (from > 0) {
      sums.clear(part, beyond, from);
      p.add_columns(at, size, beyond, from, sums.of(part, beyond), sums.ld, 1);
    }
    const Narrow<T> mine = p.block({at, 0, 0, static_cast<int>(size)});
    by_strips<false>(mine.t, mine.b);
  });
  // Of two threads one has all the rows that get something.
  in_shares(threads > 2 ? threads : 1, n, 64, [&](index begin, index size) {
    for (int part = 1; part < threads; ++part) {
      const auto [from, to] = equal_band(n, threads, part);
      if (from == to) continue;
      const index beyond = lower ? n - from : 0;
      const index first = std::max(begin, beyond), end = std::min(begin + size, beyond + from);
      if (first < end) sums.add(part, first, end - first, p.b);
    }
  });
}

/// A product whose rows are shared likewise: what they multiply by is copied first, so that threads need not wait for
/// each other. Without memory for that, one thread.
template <class T>
void multiply_rows_shared(const Narrow<T>& p, int threads) {
  const index n = p.t.n(), cols = p.b.cols;
  const bool lower = p.t.uplo == Uplo::Lower;
  const index ldx = n + 8;  // columns of a power of two would meet in one set of the cache
  T* const x = scratch<T>(0, static_cast<std::size_t>(ldx * cols));
  if (!x) return by_strips<false>(p.t, p.b);
  for (index j = 0; j < cols; ++j) std::copy_n(p.b.data + j * p.b.col_stride, n, x + j * ldx);
  parallel(threads, [&](int part) HWY_ATTR {
    const auto [from, to] = equal_band(n, threads, part);
    const index size = to - from, at = lower ? from : n - to;
    if (size == 0) return;
    const Strip s{at, lower ? 0 : at + size, 0, static_cast<int>(size)};
    const Narrow<T> mine = p.block(s);
    by_strips<false>(mine.t, mine.b);
    const T* const a = p.t.a.data + at * p.t.a.row_stride + s.before * p.t.a.col_stride;
    if (from > 0 && p.by_columns())
      for (index k = 0; k < from; k += p.streams())
        update_columns(a + k * p.t.a.col_stride, p.t.a.col_stride, size,
                       static_cast<int>(std::min<index>(p.streams(), from - k)), x + s.before + k, ldx, mine.b.data,
                       p.b.col_stride, cols, real_t<T>(1), p.t.a.conj, p.fetched());
    else if (from > 0)
      update_rows(a, p.t.a.row_stride, static_cast<int>(size), from, x + s.before, ldx, mine.b.data, p.b.col_stride,
                  cols, real_t<T>(1), p.t.a.conj, p.fetched());
  });
}

template <bool inverse, class T>
void by_strips_on_threads(const Triangle<T*>& t, const Matrix<T*>& b, int threads) {
  const Narrow<T> p{t, b};
  const Blocks blocks{t.n(), shared_width<T>, p.by_columns()};
  if (threads == 1 || (inverse && blocks.rounds() == 0)) return by_strips<inverse>(t, b);
  // Many threads have few columns each, beside which their sums would count.
  constexpr index most_sums = 16;
  const bool columns = p.by_columns() && threads * b.cols <= most_sums;
  if constexpr (inverse)
    columns ? solve_columns_shared(p, blocks, threads) : solve_rows_shared(p, blocks, threads);
  else
    columns ? multiply_columns_shared(p, threads) : multiply_rows_shared(p, threads);
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
