// The launches of kernels.hpp, instantiated by kernels_s.cu and its siblings, one precision each.
#pragma once

#include "cuda/chain.cuh"
#include "cuda/gemm.cuh"
#include "cuda/kernels.hpp"
#include "cuda/launch.hpp"
#include "cuda/panel.cuh"

#include <algorithm>

namespace trigon::cuda {

/// The tiles of C by precision. A large one reads few bytes per operation from the second cache, small ones keep a
/// device busy with a small C. Static shared memory holds two steps of either: 32 KiB of 48. Formed is what a large one
/// is for symmetric factors, pairs and masks, which take registers.
template <class T>
struct Tiles;
template <>
struct Tiles<float> {
  using Large = Tile<128, 128, 16>;
  using Formed = Large;
  using Small = Tile<64, 64, 16>;
};
template <>
struct Tiles<double> {
  using Large = Tile<128, 128, 8>;
  using Formed = Tile<128, 64, 8>;
  using Small = Tile<64, 64, 16>;
};
template <>
struct Tiles<Complex<float>> {
  using Large = Tile<64, 64, 16>;
  using Formed = Large;
  using Small = Tile<32, 32, 16>;
};
template <>
struct Tiles<Complex<double>> {
  using Large = Tile<64, 64, 8>;
  using Formed = Large;
  using Small = Tile<32, 32, 8>;
};

/// The same element as the device sees it.
template <class T>
device_t<T> on_device(T x) {
  if constexpr (is_complex<T>)
    return {x.real(), x.imag()};
  else
    return x;
}

template <class T>
View<device_t<T>> view(const Matrix<T*>& m) {
  return {reinterpret_cast<device_t<T>*>(m.data), m.row_stride, m.col_stride, is_complex<T> && m.conj};
}

template <class T>
Factor<device_t<T>> factor(const Operand<T>& o) {
  return {view(o.a), o.form, view(o.b), o.a.cols};
}

inline bool runs_by_rows(index row_stride, index col_stride) { return std::abs(col_stride) < std::abs(row_stride); }

template <class Shape>
index tiles_of(index rows, index columns) {
  return ((rows + Shape::m - 1) / Shape::m) * ((columns + Shape::n - 1) / Shape::n);
}

template <class T>
index large_tiles(index rows, index columns) {
  return tiles_of<typename Tiles<device_t<T>>::Large>(rows, columns);
}

template <class T>
void gemm(const Stream& stream, T alpha, const Operand<T>& a, const Operand<T>& b, T beta, Matrix<T*> c, Mask mask,
          bool small_tiles) {
  // Neighbouring threads have neighbouring rows; of a C stored by rows the transpose is computed.
  if (runs_by_rows(c.row_stride, c.col_stride))
    return gemm(stream, alpha, b, a, beta, core::transpose(c), transposed(mask), small_tiles);
  using D = device_t<T>;
  const index depth = a.form == Form::Pair ? 2 * a.a.cols : a.a.cols;
  const Product<D> p{c.rows, c.cols, depth, on_device(alpha), on_device(beta), mask};
  const bool general = a.form == Form::General && b.form == Form::General && mask == Mask::All;
  const auto start = [&]<class Shape, bool plain>(Shape, std::bool_constant<plain>) {
    launch(stream, tiles_of<Shape>(c.rows, c.cols), gemm_threads, gemm_kernel<D, Shape, plain>, p, factor(a), factor(b),
           view(c));
  };
  using Shapes = Tiles<D>;
  if (general && small_tiles) return start(typename Shapes::Small{}, std::true_type{});
  if (general) return start(typename Shapes::Large{}, std::true_type{});
  if (small_tiles) return start(typename Shapes::Small{}, std::false_type{});
  start(typename Shapes::Formed{}, std::false_type{});
}

template <class T>
Panel<device_t<T>> panel(T alpha, const Triangle<T*>& t, const Matrix<T*>& b) {
  return {b.rows, b.cols, on_device(alpha), t.uplo == Uplo::Lower, t.diag == Diag::Unit};
}

template <Action action, class T>
void run_panel(const Stream& stream, T alpha, const Triangle<T*>& t, const Matrix<T*>& b, const T* inverses) {
  using D = device_t<T>;
  launch(stream, (b.cols + panel_tile - 1) / panel_tile, panel_threads, panel_kernel<D, action>, panel(alpha, t, b),
         view(t.a), view(b), reinterpret_cast<const D*>(inverses));
}

template <class T>
void invert_tiles(const Stream& stream, const Triangle<T*>& t, T* inverses) {
  using D = device_t<T>;
  launch(stream, (t.n() + panel_tile - 1) / panel_tile, panel_threads, invert_kernel<D>, panel(T(1), t, t.a), view(t.a),
         reinterpret_cast<D*>(inverses));
}

/// Right-hand sides of one chain, where there are several. In double complex there is room for two where more than a
/// tile of T is held: as many terms of sums by rows, in registers, or an inverse, in shared memory.
template <class D, bool by_rows, Action action = Action::Solve>
inline constexpr int chain_columns = sizeof(D) == 16 && (by_rows || action == Action::SolveByInverse) ? 2 : 4;

inline index tickets(index order, index right_hand_sides, int columns) {
  const index chunk = right_hand_sides == 1 ? 1 : columns;
  return (order + panel_tile - 1) / panel_tile * ((right_hand_sides + chunk - 1) / chunk);
}

/// For either direction of T.
template <class T>
index chain_control(index order, index right_hand_sides) {
  return 1 + tickets(order, right_hand_sides, chain_columns<device_t<T>, true>);
}

template <Action action, class T>
void run_chain(const Stream& stream, T alpha, const Triangle<T*>& t, const Matrix<T*>& b, int* control) {
  using D = device_t<T>;
  const bool by_rows = runs_by_rows(t.a.row_stride, t.a.col_stride);
  constexpr int across = chain_columns<D, true, action>, along = chain_columns<D, false, action>;
  const index all = tickets(b.rows, b.cols, by_rows ? across : along);
  const index blocks = std::min<index>(all, 4 * stream.multiprocessors);
  clear(stream, control, 1 + all);
  const auto kernel = b.cols == 1 ? by_rows ? chain_kernel<D, action, true, 1> : chain_kernel<D, action, false, 1>
                      : by_rows ? chain_kernel<D, action, true, across>
                                  : chain_kernel<D, action, false, along>;
  launch(stream, blocks, chain_threads, kernel, panel(alpha, t, b), view(t.a), view(b), control);
}

template <class T>
void solve_panel(const Stream& stream, T alpha, const Triangle<T*>& t, Matrix<T*> b, const T* inverses) {
  inverses ? run_panel<Action::SolveByInverse>(stream, alpha, t, b, inverses)
           : run_panel<Action::Solve>(stream, alpha, t, b, inverses);
}
template <class T>
void multiply_panel(const Stream& stream, T alpha, const Triangle<T*>& t, Matrix<T*> b) {
  run_panel<Action::Multiply, T>(stream, alpha, t, b, nullptr);
}
template <class T>
void solve_chain(const Stream& stream, T alpha, const Triangle<T*>& t, Matrix<T*> b, int* control, bool by_inverse) {
  by_inverse ? run_chain<Action::SolveByInverse>(stream, alpha, t, b, control)
             : run_chain<Action::Solve>(stream, alpha, t, b, control);
}
template <class T>
void multiply_chain(const Stream& stream, T alpha, const Triangle<T*>& t, Matrix<T*> b, int* control) {
  run_chain<Action::Multiply>(stream, alpha, t, b, control);
}

#define TRIGON_INSTANTIATE(T)                                                                            \
  template void gemm(const Stream&, T, const Operand<T>&, const Operand<T>&, T, Matrix<T*>, Mask, bool); \
  template index large_tiles<T>(index, index);                                                           \
  template void invert_tiles(const Stream&, const Triangle<T*>&, T*);                                    \
  template void solve_panel(const Stream&, T, const Triangle<T*>&, Matrix<T*>, const T*);                \
  template void multiply_panel(const Stream&, T, const Triangle<T*>&, Matrix<T*>);                       \
  template void solve_chain(const Stream&, T, const Triangle<T*>&, Matrix<T*>, int*, bool);              \
  template void multiply_chain(const Stream&, T, const Triangle<T*>&, Matrix<T*>, int*);                 \
  template index chain_control<T>(index, index);

}  // namespace trigon::cuda
