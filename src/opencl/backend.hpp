// OpenCL under the recursions. Tiles: one launch per block. Packed panels: one that packs and then computes, or, where
// work-items cannot wait for each other, two.
#pragma once

#include "core/algorithm.hpp"
#include "core/plan.hpp"
#include "core/trace.hpp"
#include "opencl/bounds.hpp"
#include "opencl/commands.hpp"
#include "opencl/tiles.hpp"
#include "opencl/vectors.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace trigon::opencl {

template <class T>
class Backend {
 public:
  using Real = real_t<T>;

  /// `leaf` as planned; GEMM packs at most `most` bytes at a time, in blocks of k.
  Backend(Commands& commands, index leaf, Solve solve, index most)
      : commands_(commands),
        settings_(commands.device().settings_of(precision_of<T>)),
        kc_(settings_.gemm_k),
        mc_(settings_.gemm_m),
        nc_(settings_.gemm_n),
        invert_(solve == Solve::Inverted ? settings_.invert : 0),
        sizes_(sizes_of<T>(commands.device())),
        bounds_(commands.device(), solve, most),
        vectors_(commands),
        leaf_(leaf),
        most_(most / static_cast<index>(sizeof(Real))) {}

  index leaf(index, index) const { return leaf_; }

  /// For execute_timed: all that was submitted is done.
  double now() {
    commands_.wait();
    return core_now();
  }

  void gemm(T alpha, Matrix<Ref> a, Matrix<Ref> b, T beta, Matrix<Ref> c) {
    multiply_packed(alpha, rows_of(a), columns_of(b), a.cols, beta, c, ALL);
  }

  void solve(T alpha, Triangle<Ref> t, Matrix<Ref> b) { triangular(true, alpha, t, b); }
  void multiply(T alpha, Triangle<Ref> t, Matrix<Ref> b) { triangular(false, alpha, t, b); }

  template <Mirror mirror>
  void product(T alpha, Triangle<Ref> s, Matrix<Ref> b, T beta, Matrix<Ref> c) {
    Lines lines = rows_of(s.a);
    const bool lower = s.uplo == Uplo::Lower;
    if (mirror == Mirror::Hermitian && is_complex<T>)
      lines.form = lower ? HERMITIAN_LOWER : HERMITIAN_UPPER;
    else
      lines.form = lower ? SYMMETRIC_LOWER : SYMMETRIC_UPPER;
    multiply_packed(alpha, lines, columns_of(b), s.n(), beta, c, ALL);
  }

  template <Mirror mirror>
  void update(T alpha, Matrix<Ref> a, T beta, Triangle<Ref> c) {
    multiply_packed(alpha, rows_of(a), columns_of(core::mirrored<mirror>(a)), a.cols, beta, c.a, mask<mirror>(c.uplo));
  }

  /// One product of twice the depth, [A B] [B A]', where the scalars are equal.
  template <Mirror mirror>
  void update2(T alpha, Matrix<Ref> a, Matrix<Ref> b, T beta, Triangle<Ref> c) {
    const T alpha2 = mirror == Mirror::Hermitian ? core::conj_scalar(alpha) : alpha;
    const int m = mask<mirror>(c.uplo);
    const Lines of_a = rows_of(a), of_b = rows_of(b);
    const Lines bar_a = columns_of(core::mirrored<mirror>(a)), bar_b = columns_of(core::mirrored<mirror>(b));
    if (alpha == alpha2) return multiply_packed(alpha, pair(of_a, of_b), pair(bar_b, bar_a), a.cols, beta, c.a, m);
    multiply_packed(alpha, of_a, bar_b, a.cols, beta, c.a, m);
    multiply_packed(alpha2, of_b, bar_a, a.cols, T(1), c.a, m);
  }

  /// c := beta c on what exists of it.
  void scale(T beta, Matrix<Ref> c, int mask) {
    if (c.rows == 0 || c.cols == 0) return;
    const std::size_t group = settings_.kernels == Kernels::Tiles ? size(settings_.strip_width) : 1;
    const std::size_t columns = (size(c.cols) + group - 1) / group * group;
    commands_.launch(Family::Scale, "scale", precision_of<T>, {{columns, 1, 1}, {group, 1, 1}}, c.data.memory,
                     scale_numbers<Real>{.c = numbers_of(c, mask), .br = re(beta), .bi = im(beta)});
  }

  template <Mirror mirror>
  static int mask(Uplo uplo) {
    return (uplo == Uplo::Lower ? LOWER : UPPER) + (mirror == Mirror::Hermitian && is_complex<T> ? HERMITIAN : 0);
  }

 private:
  static Lines rows_of(const Matrix<Ref>& a) { return {a.data, a.row_stride, a.col_stride, a.rows, a.conj}; }
  static Lines columns_of(const Matrix<Ref>& b) { return {b.data, b.col_stride, b.row_stride, b.cols, b.conj}; }
  static bool same(const Lines& a, const Lines& b) {
    const auto all = [](const Lines& l) {
      return std::tuple(l.data.memory, l.data.offset, l.line_stride, l.step_stride, l.lines, l.conj, l.form);
    };
    return all(a) == all(b) && a.form == GENERAL;
  }
  static Lines pair(Lines a, const Lines& b) {
    a.data2 = b.data, a.line_stride2 = b.line_stride, a.step_stride2 = b.step_stride;
    return a;
  }

  static double core_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  /// Lanes run along the contiguous direction of C; if that is the column, the transposed product is computed. What
  /// does not fit into the workspace at once comes in blocks: of k, and of C where it is no triangle.
  void multiply_packed(T alpha, Lines a, Lines b, index k, T beta, Matrix<Ref> c, int mask) {
    if (c.row_stride == 1 && c.col_stride != 1) {
      std::swap(a, b);
      c = core::transpose(c);
      if (mask & (LOWER | UPPER)) mask ^= LOWER | UPPER;
    }
    if (k == 0) return scale(beta, c, mask);
    if (settings_.kernels == Kernels::Tiles) return multiply_tiles<T>(commands_, alpha, a, b, k, beta, c, mask);
    const bool cut = a.form == GENERAL && b.form == GENERAL;
    const index views = a.data2.memory ? 2 : 1;
    const index step = views == 2 ? bounds_.packed_pair({c.rows, c.cols, 2}) : bounds_.packed({c.rows, c.cols, 1});
    index depth = k;
    if (step * depth > most_ && cut) depth = std::min(k, std::max<index>(most_ / step / kc_, 1) * kc_);
    const bool rows_too = a.form == GENERAL && c.rows > uncut, columns_too = b.form == GENERAL && c.cols > uncut;
    // What is packed for a single row is used once.
    if ((step * depth > most_ || c.rows == 1) && mask == ALL && (rows_too || columns_too)) {
      const bool by_rows = rows_too && (!columns_too || c.rows > c.cols);
      const index half = core::cut(by_rows ? c.rows : c.cols);
      Lines first = by_rows ? a : b, rest = first;
      first.lines = half, rest.lines -= half;
      rest.data.offset += half * rest.line_stride, rest.data2.offset += half * rest.line_stride2;
      const auto part = [&](index from, index count) {
        return by_rows ? c.block(from, 0, count, c.cols) : c.block(0, from, c.rows, count);
      };
      multiply_packed(alpha, by_rows ? first : a, by_rows ? b : first, k, beta, part(0, half), mask);
      return multiply_packed(alpha, by_rows ? rest : a, by_rows ? b : rest, k, beta,
                             part(half, (by_rows ? c.rows : c.cols) - half), mask);
    }
    for (index done = 0; done < k; done += depth) {
      multiply_block(alpha, a, b, std::min(depth, k - done), static_cast<int>(views), done > 0, beta, c, mask);
      for (Lines* l : {&a, &b}) l->data.offset += depth * l->step_stride, l->data2.offset += depth * l->step_stride2;
    }
  }

  /// Whether lines of real numbers can be read where they lie: if they or their steps are contiguous and the others not
  /// so far apart that few sets of a cache hold them all.
  static bool readable(const Lines& l, index crowd) {
    const index other = l.line_stride == 1 ? l.step_stride : l.line_stride;
    return !is_complex<T> && !l.data2.memory && l.form == GENERAL && (l.line_stride == 1 || l.step_stride == 1) &&
           bytes(other) % crowd != 0;
  }
  static index bytes(index elements) { return elements * static_cast<index>(sizeof(T)); }
  /// Row tiles of a that are, the whole ones: if so few panels of b meet them that packing would not pay. Beside a b
  /// that comes from memory they would be streams too many.
  index lying_tiles(const Lines& a, const Lines& b, index k) const {
    const bool worth = sizes_.columns(b.lines) <= 32 && bytes(b.lines * k) <= kept;
    return readable(a, 4096) && worth ? a.lines / sizes_.shape.rows : 0;
  }
  /// Panels of b that are, the whole ones: lanes have to be contiguous, and b met by no more rows than one block may
  /// have or no more than caches keep.
  index lying_panels(const Lines& a, const Lines& b, index k) const {
    const bool worth = a.lines <= mc_ || bytes(b.lines * k) <= kept;
    return readable(b, 2048) && b.line_stride == 1 && worth ? b.lines / sizes_.shape.columns() : 0;
  }

  /// If it `continues`, C has the sums of earlier steps already: it is taken as it is, and zeros keep their signs.
  void multiply_block(T alpha, const Lines& a, const Lines& b, index k, int views, bool continues, T beta,
                      const Matrix<Ref>& c, int mask) {
    if (continues) beta = T(1);
    const bool shared = views == 1 && same(a, b) && sizes_.shape.columns() % sizes_.shape.rows == 0;
    const index tiles_a = sizes_.rows(c.rows), panels_b = sizes_.columns(c.cols);
    // Blocks of as many rows as the caches like, but several shares for each of some compute units.
    const index units = commands_.device().compute_units;
    index tiles = std::clamp<index>(mc_ / sizes_.shape.rows, 1, tiles_a);
    while (units > 1 && tiles > 4 && Sizes::panels(tiles_a, tiles) * panels_b < 32 * units) tiles = (tiles + 1) / 2;
    const index most = std::max<index>(nc_ / sizes_.shape.columns(), 1);
    index blocks = Sizes::panels(tiles_a, tiles);
    // A work-item should outlast its own start.
    const index worth = std::max<index>(tiles_a * panels_b * k * views / 512, 1);
    const index items = std::min({units, blocks * panels_b, worth});
    // Rows are packed by those who use them, as many by each, unless there are so few blocks that several use the same.
    const index lying_a = shared ? 0 : lying_tiles(a, b, k), lying_b = lying_panels(a, b, k);
    const bool rows_first = !shared && lying_a == 0 && items > 1 && blocks < 2 * items;
    const index items_a = rows_first ? Sizes::panels(tiles_a, sizes_.together()) : 0;
    index rows_kept = rows_first ? c.rows : lying_a < tiles_a ? items * sizes_.shape.rows : 0;
    if (!shared && !rows_first && lying_a == 0) {
      blocks = std::min(Sizes::panels(blocks, items) * items, tiles_a);
      rows_kept = items * Sizes::panels(tiles_a, blocks) * sizes_.shape.rows;
    }
    const index at_b = sizes_.packed_a(rows_kept, k * views);
    const cl_mem packed = commands_.workspace(size(at_b + sizes_.packed_b(c.cols, k * views)) * sizeof(Real));
    const gemm_numbers<Real> numbers{.a = numbers_of(a),
                                     .b = numbers_of(b),
                                     .c = numbers_of(c, mask),
                                     .steps = k,
                                     .chunk = chunk,
                                     .items_a = items_a,
                                     .lying_a = lying_a,
                                     .lying_b = lying_b,
                                     .to_b = at_b,
                                     .blocks = blocks,
                                     .kc = kc_,
                                     .views = views,
                                     .shared = shared,
                                     .most = static_cast<int>(most),
                                     .ar = re(alpha),
                                     .ai = im(alpha),
                                     .br = re(beta),
                                     .bi = im(beta),
                                     .zero = continues ? -Real(0) : Real(0)};
    const index packing = items_a == 0 && lying_b == panels_b ? 0 : items;
    launch(Family::Gemm, "gemm", packing, items, a.data.memory, a.second(), b.data.memory, b.second(), packed,
           c.data.memory, numbers);
  }

  template <class... Args>
  void launch(Family family, const char* name, index packing, index items, const Args&... args) {
    commands_.launch_phases(family, name, precision_of<T>, packing, items, args...);
  }

  void triangular(bool solves, T alpha, Triangle<Ref> t, Matrix<Ref> b) {
    const index n = t.n();
    const bool by_columns = b.row_stride == 1 && b.col_stride != 1;
    const bool in_place = !solves && settings_.kernels == Kernels::Panels && by_columns && bounds_.in_place(n, b.cols);
    if (!in_place) make_lower(t, b);
    if (b.cols == 1) return vectors_.run(solves, alpha, t, b);
    if (settings_.kernels == Kernels::Tiles) return strip<T>(commands_, solves, alpha, t, b);
    // Panels of right-hand sides are counted in 31 bits.
    constexpr index each = index{1} << 30;
    for (index done = 0; done < b.cols; done += each) {
      const Matrix<Ref> part = b.block(0, done, n, std::min(each, b.cols - done));
      in_place ? multiply_in_place(alpha, t, part) : lower_triangular(solves, alpha, t, part);
    }
  }

  /// Panels that a work-item takes at a time.
  index panels_of_share(index panel, index panels) const {
    const index fit = share_bytes / (panel * static_cast<index>(sizeof(Real)));
    return std::clamp<index>(fit, 1, std::min(most_panels, panels));
  }

  /// Columns of b are contiguous.
  void multiply_in_place(T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    const index n = t.n(), groups = sizes_.rows(b.cols), own = sizes_.in_place(n);
    const index items = std::min({index{commands_.device().compute_units}, groups, std::max<index>(most_ / own, 1)});
    // A work-item takes so many columns at a time as stay in a second cache.
    const index most = std::clamp<index>(share_bytes / bytes(n * sizes_.shape.rows), 1, groups);
    const cl_mem packed = commands_.workspace(size(items * own) * sizeof(Real));
    launch(Family::MultiplyInPlace, "multiply_in_place", 0, items, t.a.data.memory, packed, b.data.memory,
           in_place_numbers<Real>{.t = numbers_of(t),
                                  .own = own,
                                  .to_t = sizes_.rest_of_columns(n),
                                  .cols = b.cols,
                                  .at = b.data.offset,
                                  .cs = b.col_stride,
                                  .upper = t.uplo == Uplo::Upper,
                                  .most = static_cast<int>(most),
                                  .ar = re(alpha),
                                  .ai = im(alpha)});
  }

  void lower_triangular(bool solves, T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    const index n = t.n(), tiles = sizes_.rows(n), panels = sizes_.columns(b.cols);
    const index panel = sizes_.panel_of_triangle(solves, n);
    const index most = panels_of_share(panel, panels);
    const index flags_at = sizes_.triangle(n), one = sizes_.triangle_of_one(n);
    const index units = commands_.device().compute_units, block = solves ? sizes_.inverse_block(n, invert_) : 0;
    const bool own = block == 0 && bounds_.own_triangles(n, b.cols) && units * one <= most_ / 2;
    const index x_at = own ? units * one : one;
    // One for each compute unit, or as many as there is work and workspace for.
    const index room = std::max<index>((most_ - x_at) / (most * panel), 1);
    const index items = std::min({units, std::max(panels, sizes_.triangle_pieces(n)), room});
    const index packed_to = x_at + items * most * panel;
    const index inverses = block > 0 ? sizes_.all_inverses(n, invert_) : 0;
    const cl_mem packed = commands_.workspace(size(packed_to + inverses) * sizeof(Real));
    const panels_numbers<Real> numbers{.t = numbers_of(t),
                                       .chunk = chunk,
                                       .divide_at = flags_at,
                                       .own = own ? one : 0,
                                       .x_at = x_at,
                                       .cols = b.cols,
                                       .at = b.data.offset,
                                       .rs = b.row_stride,
                                       .cs = b.col_stride,
                                       .solves = solves,
                                       .most = static_cast<int>(most),
                                       .ar = re(alpha),
                                       .ai = im(alpha)};
    const auto phase = [&](Phases phases) {
      commands_.launch_phase(phases, Family::SolveInverted, "solve_inverted", precision_of<T>, items, t.a.data.memory,
                             packed, b.data.memory, numbers, cl_long{block}, cl_long{packed_to});
    };
    if (block > 0) {
      phase(Phases::Pack);
      commands_.launch(Family::Invert, "invert", precision_of<T>,
                       {{size(Sizes::panels(tiles, block)), size(sizes_.inverse_columns(block)), 1}}, packed,
                       invert_numbers{.n = n,
                                      .divide_at = flags_at,
                                      .block = block,
                                      .inverse_at = packed_to,
                                      .scratch_at = packed_to + sizes_.inverses(n, block),
                                      .unit = numbers.t.unit});
      phase(Phases::Compute);
    } else if (solves) {
      launch(Family::Solve, "solve", own ? 0 : items, items, t.a.data.memory, packed, b.data.memory, numbers,
             cl_long{std::max<index>(1, settings_.solve_k / sizes_.shape.rows)});
    } else {
      launch(Family::Multiply, "multiply", own ? 0 : items, items, t.a.data.memory, packed, b.data.memory, numbers);
    }
  }

  Commands& commands_;
  const Settings& settings_;
  index kc_, mc_, nc_;
  index invert_;  ///< 0: no block is inverted
  Sizes sizes_;
  Bounds<T> bounds_;
  Vectors<T> vectors_;
  index leaf_, most_;
};

}  // namespace trigon::opencl
