// Host operands for a backend that works elsewhere: what of an operand exists for a call, and dense copies of it.
#pragma once

#include "core/plan.hpp"
#include "core/request.hpp"

#include <cstring>

namespace trigon::core {

/// The entries of an operand that a call refers to. Nothing else may be read or written.
struct Part {
  enum Kind : unsigned char { None, All, Lower, Upper } kind = None;
  bool diagonal = true;

  /// Rows [first, last) of column j.
  std::pair<index, index> rows(index j, index rows) const {
    const index skip = diagonal ? 0 : 1;
    switch (kind) {
      case None: return {0, 0};
      case All: return {0, rows};
      case Lower: return {j + skip, rows};
      case Upper: break;
    }
    return {0, j + 1 - skip};
  }
  Part transposed() const { return {kind == Lower ? Upper : kind == Upper ? Lower : kind, diagonal}; }
};

struct Parts {
  Part a, b, c;           ///< what is read
  bool writes_b = false;  ///< in place; else c is written
  Part written;
};

/// What the call reads and writes on its path.
inline Parts parts(const Request& r, const Plan& p) {
  const bool in_place = r.operation >= Operation::Trmm;
  const bool rank_k = r.operation >= Operation::Syrk && r.operation <= Operation::Her2k;
  const bool triangle = in_place || r.operation == Operation::Symm || r.operation == Operation::Hemm;
  const bool two = r.operation != Operation::Syrk && r.operation != Operation::Herk;
  const Part half{r.uplo == Uplo::Lower ? Part::Lower : Part::Upper, !(in_place && r.diag == Diag::Unit)};
  const Part result = rank_k ? Part{half.kind} : Part{Part::All};
  Parts all;
  all.writes_b = in_place;
  if (p.path == Path::Nothing) return all;
  all.written = result;
  if (!in_place && r.beta != 0.0) all.c = result;
  if (p.path == Path::Scale) return all;
  all.a = triangle ? half : Part{Part::All};
  if (two) all.b = {Part::All};
  return all;
}

/// The same operand without gaps, at `handle`: contiguous along the dimension that was.
inline Operand dense(const Operand& o, void* handle = nullptr) {
  const bool by_columns = std::abs(o.row_stride) <= std::abs(o.col_stride);
  return {handle, 0, o.rows, o.cols, by_columns ? 1 : o.cols, by_columns ? o.rows : 1, o.conj};
}

/// Copies a part of one operand in host memory to another of the same shape.
template <class T>
void copy_part(const Operand& from, const Operand& to, Part part) {
  if (to.row_stride > to.col_stride) {
    const auto turned = [](const Operand& o) {
      return Operand{o.handle, o.offset, o.cols, o.rows, o.col_stride, o.row_stride, o.conj};
    };
    return copy_part<T>(turned(from), turned(to), part.transposed());
  }
  const auto a = host_view<T>(from), b = host_view<T>(to);
  for (index j = 0; j < a.cols; ++j) {
    const auto [first, last] = part.rows(j, a.rows);
    if (first >= last) continue;
    const T* source = a.data + first * a.row_stride + j * a.col_stride;
    T* target = b.data + first * b.row_stride + j * b.col_stride;
    if (a.row_stride == 1 && b.row_stride == 1)
      std::memcpy(static_cast<void*>(target), source, static_cast<std::size_t>(last - first) * sizeof(T));
    else
      for (index i = first; i < last; ++i, source += a.row_stride, target += b.row_stride) *target = *source;
  }
}

}  // namespace trigon::core
