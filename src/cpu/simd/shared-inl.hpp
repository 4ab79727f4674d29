// Few right-hand sides on several threads, which share the triangle.
#if defined(TRIGON_CPU_SIMD_SHARED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SHARED_INL
#undef TRIGON_CPU_SIMD_SHARED_INL
#else
#define TRIGON_CPU_SIMD_SHARED_INL
#endif

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

/// Rows that are worth a meeting of the threads, where they share columns.
inline constexpr index shared_rows = 64;

/// The columns that threads share at a time. As in shared_width, but a corner makes nobody wait.
template <class T>
inline constexpr int overlapped_width = sizeof(T) == 4   ? 192
                                        : sizeof(T) == 8 ? 128
                                                         : 96;

template <class T>
void solve_corner(const Narrow<T>& p, const Strip& s) {
  const Narrow<T> corner = p.block(s);
  by_strips<true>(corner.t, corner.b);
}

/// Of `lines` lines of `length` elements that threads share, those of the first thread, which also takes a square of
/// order `corner` by `before` and then half a square, whose elements take half as long again.
inline index lines_beside_corner(index lines, index length, index corner, index before, int threads) {
  if (length == 0) return 0;
  const double other = static_cast<double>(corner * before) + 0.75 * static_cast<double>(corner * corner);
  const double fair = (static_cast<double>(lines) + other / static_cast<double>(length)) / threads;
  return std::clamp<index>(static_cast<index>(fair - other / static_cast<double>(length)) / 8 * 8, 0, lines);
}

/// A thread's part of `lines`, of which the first one has `own`.
inline std::pair<index, index> share_beside(index lines, index own, int threads, int part) {
  if (part == 0) return {0, own};
  const auto [first, size] = share(lines - own, threads - 1, part - 1, 8);
  return {own + first, size};
}

/// A solve whose corners are left to one thread. The columns of a strip are shared, not the rows beyond it: columns are
/// as long as they can be, and a thread reads the same part of the triangle in every call. While the others are at
/// that, the first one brings the next corner up to date, solves it, and takes what columns are then a fair share. The
/// others have sums of their own, which are added to the rows of a corner before it is solved.
template <class T>
void solve_columns_shared(const Narrow<T>& p, int threads) {
  constexpr int width = overlapped_width<T>;
  const index n = p.t.n();
  const Sums<T> sums{n, p.b.cols, threads};
  if (n - 2 * width < shared_rows || !sums.room) return by_strips<true>(p.t, p.b);
  Strip before = strip_of(p.t, 0, width);
  solve_corner(p, before);
  for (index done = width; done < n; done += width) {
    const Strip s = strip_of(p.t, done, width);
    const index rest = n - done - s.size;
    const bool shared = rest >= shared_rows;
    const index own = shared ? lines_beside_corner(before.size, rest, s.size, before.size, threads) : before.size;
    parallel(shared ? threads : 1, [&](int part) HWY_ATTR {
      const auto [first, size] = share_beside(before.size, own, threads, part);
      if (part == 0) {
        for (int other = 1; other < threads && done > width; ++other) sums.add(other, s.at, s.size, p.b);
        p.add_columns(before.at, before.size, s.at, s.size, p.b.data + s.at, p.b.col_stride, -1);
        solve_corner(p, s);
        p.add_columns(before.at, size, s.after, rest, p.b.data + s.after, p.b.col_stride, -1);
      } else {
        if (done == width) sums.clear(part, s.after, rest);
        p.add_columns(before.at + first, size, s.after, rest, sums.of(part, s.after), sums.ld, -1);
      }
    });
    before = s;
  }
}

/// The same with contiguous rows. Meanwhile the others bring the rows of the strip after it up to date, as far as they
/// can.
template <class T>
void solve_rows_shared(const Narrow<T>& p, int threads) {
  constexpr int width = overlapped_width<T>;
  const index n = p.t.n();
  Strip before = strip_of(p.t, 0, width);
  solve_corner(p, before);
  for (index done = width; done < n; done += width) {
    const Strip s = strip_of(p.t, done, width), next = strip_of(p.t, done + s.size, width);
    const index own = lines_beside_corner(next.size, done, s.size, before.size, threads);
    parallel(next.size > 0 ? threads : 1, [&](int part) HWY_ATTR {
      if (part == 0) {
        p.add_rows(before.at, before.size, s.at, s.size, -1);
        solve_corner(p, s);
      }
      const auto [first, size] = share_beside(next.size, own, threads, part);
      p.add_rows(s.before, done, next.at + first, size, -1);
    });
    before = s;
  }
}

/// A solve with contiguous columns that would be few for each thread: the rows beyond a strip are shared.
template <class T>
void solve_strips_shared(const Narrow<T>& p, int threads) {
  constexpr int width = shared_width<T>;
  const index n = p.t.n();
  for (index done = 0; done < n; done += width) {
    const Strip s = strip_of(p.t, done, width);
    solve_corner(p, s);
    in_shares(threads, n - done - s.size, 64, [&](index from, index count) HWY_ATTR {
      const index row = s.after + from;
      p.add_columns(s.at, s.size, row, count, p.b.data + row, p.b.col_stride, -1);
    });
  }
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
  if (threads == 1 || (inverse && t.n() <= shared_width<T>)) return by_strips<inverse>(t, b);
  const Narrow<T> p{t, b};
  // Many threads have few columns each, beside which their sums would count.
  constexpr index most_sums = 16;
  const bool columns = p.by_columns() && threads * b.cols <= most_sums;
  if constexpr (inverse)
    columns          ? solve_columns_shared(p, threads)
    : p.by_columns() ? solve_strips_shared(p, threads)
                     : solve_rows_shared(p, threads);
  else
    columns ? multiply_columns_shared(p, threads) : multiply_rows_shared(p, threads);
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
