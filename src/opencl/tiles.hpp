// Kernels::Tiles: products and triangles by work-groups, on operands as they are stored, one launch each.
#pragma once

#include "opencl/commands.hpp"
#include "opencl/views.hpp"

namespace trigon::opencl {

/// c := alpha a b + beta c on what `mask` says exists of it.
template <class T>
void multiply_tiles(Commands& commands, T alpha, const Lines& a, const Lines& b, index k, T beta, const Matrix<Ref>& c,
                    int mask) {
  if (c.rows == 0 || c.cols == 0) return;
  const Tile& t = commands.device().settings_of(precision_of<T>).tile;
  const auto over = [](index n, int each) { return static_cast<std::size_t>((n + each - 1) / each); };
  const std::size_t across = static_cast<std::size_t>(t.n / t.item_n), down = static_cast<std::size_t>(t.m / t.item_m);
  commands.launch(Family::Tiles, "tiles", precision_of<T>,
                  {{over(c.rows, t.m) * over(c.cols, t.n) * across, down, 1}, {across, down, 1}}, a.data.memory,
                  a.second(), b.data.memory, b.second(), c.data.memory,
                  tiles_numbers<real_t<T>>{.a = numbers_of(a),
                                           .b = numbers_of(b),
                                           .c = numbers_of(c, mask),
                                           .steps = k,
                                           .wrap = commands.device().compute_units,
                                           .views = a.data2.memory ? 2 : 1,
                                           .ar = re(alpha),
                                           .ai = im(alpha),
                                           .br = re(beta),
                                           .bi = im(beta)});
}

/// b := alpha t^-1 b, or alpha t b; t lower.
template <class T>
void strip(Commands& commands, bool solves, T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
  if (t.n() == 0 || b.cols == 0) return;
  const auto width = static_cast<std::size_t>(commands.device().settings_of(precision_of<T>).strip_width);
  const std::size_t groups = (static_cast<std::size_t>(b.cols) + width - 1) / width;
  commands.launch(Family::Strip, solves ? "strip_solve" : "strip_multiply", precision_of<T>,
                  {{groups * width, 1, 1}, {width, 1, 1}}, t.a.data.memory, b.data.memory,
                  strip_numbers<real_t<T>>{.t = numbers_of(t),
                                           .cols = b.cols,
                                           .at = b.data.offset,
                                           .rs = b.row_stride,
                                           .cs = b.col_stride,
                                           .ar = re(alpha),
                                           .ai = im(alpha)});
}

}  // namespace trigon::opencl
