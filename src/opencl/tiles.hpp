// Kernels::Tiles: products and triangles by work-groups, on operands as they are stored, one launch each.
#pragma once

#include "opencl/commands.hpp"
#include "opencl/views.hpp"

namespace trigon::opencl {

/// An operand of a product as kernels see it: lines (rows of A, columns of B) by steps.
struct Lines {
  Ref data;
  index line_stride, step_stride, lines;
  bool conj;
  int form = 0;    ///< as the kernels number them; 0: general
  Ref data2 = {};  ///< a second view behind the first, along the steps
  index line_stride2 = 0, step_stride2 = 0;
};

/// c := alpha a b + beta c on what `mask` says exists of it.
template <class T>
void multiply_tiles(Commands& commands, T alpha, const Lines& a, const Lines& b, index k, T beta, const Matrix<Ref>& c,
                    int mask) {
  if (c.rows == 0 || c.cols == 0) return;
  const Tile& t = commands.device().settings_of(precision_of<T>).tile;
  const auto over = [](index n, int each) { return static_cast<std::size_t>((n + each - 1) / each); };
  const std::size_t across = static_cast<std::size_t>(t.n / t.item_n), down = static_cast<std::size_t>(t.m / t.item_m);
  const auto second = [](const Lines& l) { return l.data2.memory ? l.data2.memory : l.data.memory; };
  commands.launch(Family::Tiles, "tiles", precision_of<T>,
                  {{over(c.rows, t.m) * over(c.cols, t.n) * across, down, 1}, {across, down, 1}}, cl_long{c.rows},
                  cl_long{c.cols}, cl_long{k}, cl_int{a.data2.memory ? 2 : 1}, cl_long{commands.device().compute_units},
                  a.data.memory, cl_long{a.data.offset}, cl_long{a.line_stride}, cl_long{a.step_stride}, cl_int{a.conj},
                  cl_int{a.form}, second(a), cl_long{a.data2.offset}, cl_long{a.line_stride2}, cl_long{a.step_stride2},
                  b.data.memory, cl_long{b.data.offset}, cl_long{b.line_stride}, cl_long{b.step_stride}, cl_int{b.conj},
                  cl_int{b.form}, second(b), cl_long{b.data2.offset}, cl_long{b.line_stride2}, cl_long{b.step_stride2},
                  c.data.memory, cl_long{c.data.offset}, cl_long{c.row_stride}, cl_long{c.col_stride}, cl_int{mask},
                  re(alpha), im(alpha), re(beta), im(beta));
}

/// b := alpha t^-1 b, or alpha t b; t lower.
template <class T>
void strip(Commands& commands, bool solves, T alpha, const Triangle<Ref>& t, const Matrix<Ref>& b) {
  if (t.n() == 0 || b.cols == 0) return;
  const auto width = static_cast<std::size_t>(commands.device().settings_of(precision_of<T>).strip_width);
  const std::size_t groups = (static_cast<std::size_t>(b.cols) + width - 1) / width;
  commands.launch(Family::Strip, solves ? "strip_solve" : "strip_multiply", precision_of<T>,
                  {{groups * width, 1, 1}, {width, 1, 1}}, cl_long{t.n()}, cl_long{b.cols}, t.a.data.memory,
                  cl_long{t.a.data.offset}, cl_long{t.a.row_stride}, cl_long{t.a.col_stride}, cl_int{t.a.conj},
                  cl_int{t.diag == Diag::Unit}, b.data.memory, cl_long{b.data.offset}, cl_long{b.row_stride},
                  cl_long{b.col_stride}, re(alpha), im(alpha));
}

}  // namespace trigon::opencl
