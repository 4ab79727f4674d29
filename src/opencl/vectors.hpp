// One right-hand side: TRMV, TRSV, and TRMM and TRSM that are no more. The triangle is read where it lies.
#pragma once

#include "opencl/commands.hpp"
#include "opencl/views.hpp"

#include <algorithm>
#include <cstdlib>

namespace trigon::opencl {

template <class T>
class Vectors {
 public:
  explicit Vectors(Commands& commands)
      : commands_(commands),
        whole_(commands.device().settings_of(precision_of<T>).solve_whole),
        triangle_(commands.device().settings_of(precision_of<T>).solve_triangle),
        width_(commands.device().shape_of(precision_of<T>).width) {}

  /// b := alpha T^-1 b or alpha T b, T lower, b one column. One of T's strides is 1 or -1.
  void run(bool solves, T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    solves ? solve(alpha, t, b) : multiply(alpha, t, b);
  }

 private:
  static constexpr index parts = is_complex<T> ? 2 : 1;
  static constexpr index most_pieces = 128;  ///< MOST_HOMES of take.cl
  static bool by_rows(const Triangle<Ref>& t) { return std::abs(t.a.row_stride) != 1; }

  /// The least edge of a block of rows that is not below r: the first block has what is over.
  index edge(index n, index r) const {
    const index over = n % width_;
    return r <= 0 ? 0 : std::min(n, over + (r - over + width_ - 1) / width_ * width_);
  }

  static vector_numbers<real_t<T>> numbers(T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    return {.t = numbers_of(t), .at = b.data.offset, .rs = b.row_stride, .ar = re(alpha), .ai = im(alpha)};
  }

  /// Pieces are several for each work-item: one that begins late leaves some of its own to others. Each has a result
  /// of its own where columns are shared out.
  void multiply(T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    const index n = t.n(), units = std::min<index>(commands_.device().compute_units, most_pieces);
    const index items = std::clamp<index>(n / (16 * width_), 1, units);
    const index pieces = items == 1 ? 1 : std::clamp<index>(n / (8 * width_), items, std::min(4 * items, most_pieces));
    const cl_mem work = commands_.workspace(size((1 + (by_rows(t) ? 1 : pieces)) * parts * n) * sizeof(real_t<T>));
    commands_.launch_phases(Family::MultiplyVector, by_rows(t) ? "multiply_by_rows" : "multiply_by_columns",
                            precision_of<T>, 1, items, t.a.data.memory, work, b.data.memory, numbers(alpha, t, b),
                            cl_int(pieces));
  }

  /// One launch per triangle. The rows beyond it are shared so that its work-item, which solves, has less of them.
  void solve(T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    const index n = t.n(), units = commands_.device().compute_units, others = std::max<index>(units - 1, 1);
    const cl_mem work = commands_.workspace(size(parts * n) * sizeof(real_t<T>));
    const index width = units == 1 || n <= whole_ ? n : triangle_;
    for (index from = 0, solved = 0; solved < n;) {
      const index end = edge(n, solved + width);
      // A triangle costs as much as half of its rows.
      const index tip = (end - solved) / 2, share = (n - solved + tip) / units;
      const index own = edge(n, std::max(end, solved + share - tip));
      const index rows = Sizes::panels(n - own, others * width_) * width_;
      const index items = 1 + (own < n ? Sizes::panels(n - own, rows) : 0);
      commands_.launch(Family::SolveVector, by_rows(t) ? "solve_by_rows" : "solve_by_columns", precision_of<T>,
                       {{size(items), 1, 1}}, t.a.data.memory, work, b.data.memory, numbers(alpha, t, b),
                       step_numbers{from, solved, end, own, rows});
      from = solved, solved = end;
    }
  }

  Commands& commands_;
  index whole_, triangle_;
  int width_;
};

}  // namespace trigon::opencl
