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
        one_unit_(commands.device().compute_units == 1 && !commands.device().reproducible),
        whole_(commands.device().settings_of(precision_of<T>).solve_whole),
        triangle_(commands.device().settings_of(precision_of<T>).solve_triangle),
        width_(commands.device().shape_of(precision_of<T>).width) {}

  /// b := alpha T^-1 b or alpha T b, T lower, b one column. One of T's strides is 1 or -1.
  void run(bool solves, T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    solves ? solve(alpha, t, b) : multiply(alpha, t, b);
  }

  /// A copy of x, and what is summed: by rows or in two launches once, else for each piece.
  static index workspace(const Device& device, bool solves, bool by_rows, index n) {
    const bool one = by_rows || device.settings_of(precision_of<T>).launches != 1;
    const index results = solves ? 0 : one ? 1 : pieces(device, n);
    return (1 + results) * parts * n;
  }

 private:
  static constexpr index parts = is_complex<T> ? 2 : 1;
  static constexpr index most_pieces = 128;  ///< MOST_HOMES of take.cl
  /// For how many compute units results are cut up where they shall not depend on how many there are.
  static constexpr index any_units = 8;
  static bool by_rows(const Triangle<Ref>& t) { return std::abs(t.a.row_stride) != 1; }

  /// The least edge of a block of rows that is not below r: the first block has what is over.
  index edge(index n, index r) const {
    const index over = n % width_;
    return r <= 0 ? 0 : std::min(n, over + (r - over + width_ - 1) / width_ * width_);
  }

  static vector_numbers<real_t<T>> numbers(T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    return {.t = numbers_of(t), .at = b.data.offset, .rs = b.row_stride, .ar = re(alpha), .ai = im(alpha)};
  }

  static index items(const Device& device, index n, index units) {
    return std::clamp<index>(n / (16 * device.shape_of(precision_of<T>).width), 1, std::min(units, most_pieces));
  }
  /// Several for each work-item: one that begins late leaves some of its own to others.
  static index pieces(const Device& device, index n) {
    const index count = items(device, n, device.reproducible ? any_units : device.compute_units);
    const index width = device.shape_of(precision_of<T>).width;
    return count == 1 ? 1 : std::clamp<index>(n / (8 * width), count, std::min(4 * count, most_pieces));
  }
  cl_mem work(bool solves, const Triangle<Ref>& t) {
    return commands_.workspace(size(workspace(commands_.device(), solves, by_rows(t), t.n())) * sizeof(real_t<T>));
  }

  void multiply(T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    const Device& device = commands_.device();
    const index pieces = this->pieces(device, t.n());
    commands_.launch_phases(Family::MultiplyVector, by_rows(t) ? "multiply_by_rows" : "multiply_by_columns",
                            precision_of<T>, 1, std::min(items(device, t.n(), device.compute_units), pieces),
                            t.a.data.memory, work(false, t), b.data.memory, numbers(alpha, t, b), cl_int(pieces));
  }

  /// One launch per triangle. The rows beyond it are shared so that its work-item, which solves, has less of them.
  void solve(T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
    const index n = t.n(), units = commands_.device().compute_units, others = std::max<index>(units - 1, 1);
    const cl_mem work = this->work(true, t);
    const index width = one_unit_ || n <= whole_ ? n : triangle_;
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
  bool one_unit_;  ///< solves everything in one launch
  index whole_, triangle_;
  int width_;
};

}  // namespace trigon::opencl
