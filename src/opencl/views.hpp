// What calls are made of on the host: views of buffers, sizes of panels, scalars in parts.
#pragma once

#include "core/request.hpp"
#include "core/view.hpp"
#include "opencl/device.hpp"
#include "opencl/numbers.hpp"

#include <algorithm>

namespace trigon::opencl {

using core::Matrix;
using core::Mirror;
using core::Triangle;

/// An element of a buffer.
struct Ref {
  cl_mem memory = nullptr;
  index offset = 0;
};
inline Ref shift(Ref p, index i, index j, index row_stride, index col_stride) {
  return {p.memory, p.offset + i * row_stride + j * col_stride};
}
inline Matrix<Ref> view_of(const core::Operand& o) {
  return {{static_cast<cl_mem>(o.handle), o.offset}, o.rows, o.cols, o.row_stride, o.col_stride, o.conj};
}

/// An operand of a product as kernels see it: lines (rows of A, columns of B) by steps.
struct Lines {
  Ref data;
  index line_stride, step_stride, lines;
  bool conj;
  int form = GENERAL;
  Ref data2 = {};  ///< a second view behind the first, along the steps
  index line_stride2 = 0, step_stride2 = 0;

  cl_mem second() const { return data2.memory ? data2.memory : data.memory; }
};

inline operand_numbers numbers_of(const Lines& l) {
  return {l.data.offset, l.line_stride, l.step_stride, l.data2.offset, l.line_stride2, l.step_stride2, l.conj, l.form};
}
inline result_numbers numbers_of(const Matrix<Ref>& c, int mask) {
  return {c.rows, c.cols, c.data.offset, c.row_stride, c.col_stride, mask};
}
inline triangle_numbers numbers_of(const Triangle<Ref>& t) {
  return {t.n(), t.a.data.offset, t.a.row_stride, t.a.col_stride, t.a.conj, t.diag == Diag::Unit};
}

constexpr index chunk = 512;              ///< steps that a work-item packs
constexpr index uncut = 1024;             ///< rows and columns up to which a product is not cut for want of workspace
constexpr index most_panels = 4;          ///< of right-hand sides that a work-item takes at a time, as many as
constexpr index share_bytes = 640 << 10;  ///< stay in a second cache, beside where they come from
constexpr index kept = index{4} << 20;    ///< bytes that caches keep

/// Panels and blocks of one precision on one device, in elements of the real type.
struct Sizes {
  const Shape& shape;
  int parts;    ///< 2 if complex
  int element;  ///< bytes

  /// Row tiles: TOGETHER and RUN of the kernels.
  index together() const { return std::max(128 / (shape.rows * element), 1); }
  index run() const { return 4 * together(); }

  static index panels(index lines, index each) { return (lines + each - 1) / each; }
  index rows(index m) const { return panels(m, shape.rows); }
  index columns(index n) const { return panels(n, shape.columns()); }

  /// A GEMM's packed operands; the second one begins at a cache line.
  index packed_a(index m, index k) const { return (rows(m) * shape.rows * parts * k + 15) / 16 * 16; }
  index packed_b(index n, index k) const { return columns(n) * shape.columns() * parts * k; }
  /// A packed triangle, its flags, and a panel of right-hand sides.
  index triangle(index n) const { return rows(n) * (rows(n) + 1) / 2 * shape.rows * shape.rows * parts; }
  index flags(index n) const { return (rows(n) + 15) / 16 * 16; }
  index triangle_of_one(index n) const { return triangle(n) + flags(n); }
  index panel(index n) const { return packed_b(shape.columns(), rows(n) * shape.rows); }
  /// A product has spare rows for its results.
  index panel_of_triangle(bool solves, index n) const { return panel(n + (solves ? 0 : run() * shape.rows)); }
  /// Pieces in which a triangle is packed.
  index triangle_pieces(index n) const { return panels(rows(n), together()) * panels(n, chunk); }
  /// A triangle whose rows are lanes, of a product in place.
  index wide_triangle(index n) const {
    const index count = columns(n), each = shape.columns(), rest = n - (count - 1) * each;
    return (count * rest + count * (count - 1) / 2 * each) * each * parts;
  }
  /// What a work-item of such a product packs: right-hand sides that do not fill a tile, then the triangle. The next
  /// one's begins at a cache line.
  index rest_of_columns(index n) const { return packed_a(shape.rows, n); }
  index in_place(index n) const { return rest_of_columns(n) + (wide_triangle(n) + 15) / 16 * 16; }
  /// The inverses of diagonal blocks of so many tiles, and what their columns are solved in.
  index inverse_columns(index tiles) const { return panels(tiles * shape.rows, shape.columns()); }
  index inverses(index n, index tiles) const {
    return (rows(n) * tiles * shape.rows * shape.rows * parts + 15) / 16 * 16;
  }
  index inverse_scratch(index n, index tiles) const {
    return panels(rows(n), tiles) * inverse_columns(tiles) * packed_b(shape.columns(), tiles * shape.rows);
  }
  /// Tiles of a block that is inverted, of order `invert`; 0 if none is.
  index inverse_block(index n, index invert) const { return invert > 0 ? std::min(rows(invert), rows(n)) : 0; }
  index all_inverses(index n, index invert) const {
    const index block = inverse_block(n, invert);
    return block ? inverses(n, block) + inverse_scratch(n, block) : 0;
  }
};

template <class T>
Sizes sizes_of(const Device& device) {
  return {device.shape_of(precision_of<T>), is_complex<T> ? 2 : 1, sizeof(T)};
}

inline std::size_t size(index n) { return static_cast<std::size_t>(n); }

template <class T>
real_t<T> re(T x) {
  if constexpr (is_complex<T>)
    return x.real();
  else
    return x;
}
template <class T>
real_t<T> im(T x) {
  if constexpr (is_complex<T>)
    return x.imag();
  else
    return 0;
}

/// An upper triangle is a lower one read backwards, and so are the rows of B.
inline void make_lower(Triangle<Ref>& t, Matrix<Ref>& b) {
  if (t.uplo == Uplo::Lower) return;
  const index last = t.n() - 1;
  const Matrix<Ref>& a = t.a;
  t.a = {shift(a.data, last, last, a.row_stride, a.col_stride), a.rows, a.cols, -a.row_stride, -a.col_stride, a.conj};
  b = {shift(b.data, last, 0, b.row_stride, b.col_stride), b.rows, b.cols, -b.row_stride, b.col_stride};
  t.uplo = Uplo::Lower;
}

}  // namespace trigon::opencl
