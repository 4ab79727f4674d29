#include "cpu/execute.hpp"

#include "cpu/backend.hpp"
#include "cpu/scratch.hpp"

#include <cmath>

namespace trigon::cpu {
namespace {

using core::Path;
using core::Request;

bool triangular(Operation op) {
  return op == Operation::Trmm || op == Operation::Trsm || op == Operation::Trmv || op == Operation::Trsv;
}
bool update(Operation op) {
  return op == Operation::Syrk || op == Operation::Herk || op == Operation::Syr2k || op == Operation::Her2k;
}
bool inverse(Operation op) { return op == Operation::Trsm || op == Operation::Trsv; }

core::Operand columns(core::Operand o, index begin, index size) {
  o.offset += begin * o.col_stride;
  o.cols = size;
  return o;
}
core::Operand rows(core::Operand o, index begin, index size) {
  o.offset += begin * o.row_stride;
  o.rows = size;
  return o;
}

template <class T>
void scaled(const Request& r) {
  const T beta = core::scalar<T>(r.beta);
  if (triangular(r.operation)) return generic::scale(T(0), core::host_view<T>(r.b));
  if (!update(r.operation)) return generic::scale(beta, core::host_view<T>(r.c));
  const Triangle c{core::host_view<T>(r.c), r.uplo};
  if (core::mirror_of(r.operation) == Mirror::Hermitian)
    generic::scale<Mirror::Hermitian>(beta, c);
  else
    generic::scale<Mirror::Symmetric>(beta, c);
}

template <class T>
void narrow(const Request& r, int threads) {
  const Triangle t{core::host_view<T>(r.a), r.uplo, r.diag};
  const auto b = core::host_view<T>(r.b);
  const T alpha = core::scalar<T>(r.alpha);
  const Kernels<T>& k = kernels<T>();
  if (inverse(r.operation)) {
    if (!k.solve_narrow(alpha, t, b, threads)) generic::solve(alpha, t, b);
  } else {
    if (!k.multiply_narrow(alpha, t, b, threads)) generic::multiply(alpha, t, b);
  }
}

/// Right-hand sides do not depend on each other. Those of contiguous rows are divided in whole lines of a cache.
template <class T>
void share_right_hand_sides(const Request& r, int threads) {
  in_shares(threads, r.b.cols, r.b.col_stride == 1 ? 64 / sizeof(T) : 1, [&](index begin, index size) {
    Request mine = r;
    mine.b = columns(r.b, begin, size);
    narrow<T>(mine, 1);
  });
}

/// The recursion as planned, on one thread but for its rectangles.
template <class T>
void recurse(const Request& r, const core::Plan& p, int threads) {
  Backend<T> backend(p, threads);
  core::dispatch<T>(r, backend, core::host_view<T>);
}

/// A vector with an increment, gathered for kernels that need it contiguous.
template <class T>
void gathered(const Request& r, const core::Plan& p) {
  const auto b = core::host_view<T>(r.b);
  T* const copy = scratch<T>(2, static_cast<std::size_t>(b.rows));
  if (!copy) {
    const Triangle t{core::host_view<T>(r.a), r.uplo, r.diag};
    return inverse(r.operation) ? generic::solve(T(1), t, b) : generic::multiply(T(1), t, b);
  }
  Request mine = r;
  mine.b = {copy, 0, b.rows, 1, 1, b.rows};
  for (index i = 0; i < b.rows; ++i) copy[i] = b.data[i * b.row_stride];
  recurse<T>(mine, p, p.threads);
  for (index i = 0; i < b.rows; ++i) b.data[i * b.row_stride] = copy[i];
}

template <class T>
index grain_of(index n, int threads, index stride, bool solved = false) {
  const Division division = stride == 1 ? Division::Contiguous : solved ? Division::InVectors : Division::Apart;
  return share_grain<T>(n, threads, division, kernels<T>().lanes);
}

/// Right-hand sides (columns of the canonical result) do not depend on each other.
template <class T>
void split_columns(const Request& r, const core::Plan& p) {
  const core::Operand& result = triangular(r.operation) ? r.b : r.c;
  const index grain = grain_of<T>(result.cols, p.threads, result.col_stride, inverse(r.operation));
  parallel(p.threads, [&](int part) {
    const auto [begin, size] = share(result.cols, p.threads, part, grain);
    if (size == 0) return;
    Request mine = r;
    mine.b = columns(r.b, begin, size);
    if (!triangular(r.operation)) mine.c = columns(r.c, begin, size);
    recurse<T>(mine, p, 1);
  });
}

/// Of a product with a symmetric or Hermitian matrix rows do not depend on each other either. They are shared if there
/// are many for each column, since all of that matrix is packed for every share of columns, or if their shares are more
/// even than those of columns, which are computed by whole vectors if they are contiguous. Few rows are not: narrow
/// tiles take longer.
template <class T>
bool rows_are_better(const Request& r, int threads) {
  constexpr index few = 128;
  const index rows = r.c.rows, cols = r.c.cols;
  const index vector = r.c.col_stride == 1 ? 64 / sizeof(real_t<T>) : 1;
  if (rows < few) return false;
  const double largest_columns = static_cast<double>(share(cols, threads, 0, vector).second) / cols;
  const double largest_rows =
      static_cast<double>(share(rows, threads, 0, grain_of<T>(rows, threads, r.c.row_stride)).second) / rows;
  return rows > 2 * cols || largest_columns > 1.06 * largest_rows;
}

/// A product with a symmetric or Hermitian matrix.
template <class T, Mirror mirror>
void split_rows(const Request& r, const core::Plan& p) {
  in_shares(p.threads, r.c.rows, grain_of<T>(r.c.rows, p.threads, r.c.row_stride), [&](index begin, index size) {
    const Triangle s{core::host_view<T>(r.a), r.uplo};
    Backend<T>(p, 1).template band<mirror>(core::scalar<T>(r.alpha), s, begin, core::host_view<T>(r.b),
                                           core::scalar<T>(r.beta), core::host_view<T>(rows(r.c, begin, size)));
  });
}

/// A rank-k update in trapezoids of equal work: a triangle on the diagonal and the rectangle beyond it. Each row of a
/// diagonal costs as much as so many entries more, because its tiles are masked (measured: 8 to 32).
constexpr double diagonal_cost = 16;

template <class T, Mirror mirror>
void split_triangle(const Request& r, const core::Plan& p) {
  const index n = r.c.rows;
  // Lower: columns from the left, the first are the longest; upper: the same mirrored.
  const double side = static_cast<double>(n) + diagonal_cost;
  const double all = side * side - diagonal_cost * diagonal_cost;
  constexpr index grain = std::max<index>(8, 64 / sizeof(T));  // a line of a cache is one thread's
  const auto edge = [&](int part) {
    if (part == 0 || part == p.threads) return (part == 0) == (r.uplo == Uplo::Lower) ? 0 : n;
    const index done = static_cast<index>(side - std::sqrt(side * side - all * part / p.threads));
    return (r.uplo == Uplo::Lower ? done : n - done) / grain * grain;
  };
  const bool two = r.operation == Operation::Syr2k || r.operation == Operation::Her2k;
  parallel(p.threads, [&](int part) {
    const index e0 = edge(part), e1 = edge(part + 1);
    const index begin = std::min(e0, e1), size = std::max(e0, e1) - begin;
    if (size == 0) return;
    Request mine = r;
    mine.a = rows(r.a, begin, size);
    if (two) mine.b = rows(r.b, begin, size);
    mine.c = columns(rows(r.c, begin, size), begin, size);
    recurse<T>(mine, p, 1);

    const index below = r.uplo == Uplo::Lower ? begin + size : 0;
    const index height = r.uplo == Uplo::Lower ? n - below : begin;
    if (height == 0) return;
    const Backend<T> backend(p, 1);
    const T alpha = core::scalar<T>(r.alpha), beta = core::scalar<T>(r.beta);
    const auto c = core::host_view<T>(columns(rows(r.c, below, height), begin, size));
    const auto far = [&](const core::Operand& o) { return core::host_view<T>(rows(o, below, height)); };
    const auto near = [&](const core::Operand& o) { return core::host_view<T>(rows(o, begin, size)); };
    if (two)
      backend.template rectangle2<mirror>(alpha, far(r.a), far(r.b), near(r.a), near(r.b), beta, c);
    else
      backend.template rectangle<mirror>(alpha, far(r.a), near(r.a), beta, c);
  });
}

}  // namespace

template <class T>
void execute(const Request& r, const core::Plan& p) {
  if (p.path == Path::Scale) return scaled<T>(r);
  if (p.path == Path::Narrow)
    return p.threads == 1 || p.by_rows ? narrow<T>(r, p.threads) : share_right_hand_sides<T>(r, p.threads);
  const bool vector = r.operation == Operation::Trmv || r.operation == Operation::Trsv;
  if (vector && r.b.row_stride != 1) return gathered<T>(r, p);
  if (p.threads > 1 && update(r.operation))
    return core::mirror_of(r.operation) == Mirror::Hermitian ? split_triangle<T, Mirror::Hermitian>(r, p)
                                                             : split_triangle<T, Mirror::Symmetric>(r, p);
  if (p.threads > 1 && r.operation != Operation::Gemm) {
    const bool by_rows = !triangular(r.operation) && p.path == Path::Packed;
    if (core::shares_columns(r, p.threads) && !(by_rows && rows_are_better<T>(r, p.threads)))
      return split_columns<T>(r, p);
    if (by_rows)
      return r.operation == Operation::Hemm ? split_rows<T, Mirror::Hermitian>(r, p)
                                            : split_rows<T, Mirror::Symmetric>(r, p);
  }
  recurse<T>(r, p, p.threads);
}

template void execute<float>(const Request&, const core::Plan&);
template void execute<double>(const Request&, const core::Plan&);
template void execute<std::complex<float>>(const Request&, const core::Plan&);
template void execute<std::complex<double>>(const Request&, const core::Plan&);

}  // namespace trigon::cpu
