// The launches of triangles, instantiated one precision each.
#pragma once

#include "cuda/chain.cuh"
#include "cuda/launch.hpp"
#include "cuda/operands.cuh"
#include "cuda/panel.cuh"

#include <algorithm>

namespace trigon::cuda {

template <class T>
Panel<device_t<T>> panel(T alpha, const Triangle<T*>& t, const Matrix<T*>& b) {
  return {b.rows, b.cols, on_device(alpha), t.uplo == Uplo::Lower, t.diag == Diag::Unit};
}

template <Action action, class T>
void run_panel(const Stream& stream, T alpha, const Triangle<T*>& t, const Matrix<T*>& b, const T* inverses,
               const Choice& choice) {
  using D = device_t<T>;
  const int across = choice.panel_warps * panel_columns;
  launch(stream, (b.cols + across - 1) / across, choice.panel_warps * warp_size, panel_kernel<D, action>,
         panel(alpha, t, b), view(t.a), view(b), reinterpret_cast<const D*>(inverses));
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
void run_chain(const Stream& stream, T alpha, const Triangle<T*>& t, const Matrix<T*>& b, int* control,
               const Choice& choice) {
  using D = device_t<T>;
  const bool by_rows = runs_by_rows(t.a.row_stride, t.a.col_stride);
  constexpr int across = chain_columns<D, true, action>, along = chain_columns<D, false, action>;
  const index all = tickets(b.rows, b.cols, by_rows ? across : along);
  if (all > 0x3fffffff)
    throw failure(core::Status::InvalidArgument, "the problem has more tickets than can be counted");
  const index blocks = std::min<index>(all, index{choice.chain_blocks} * stream.multiprocessors);
  clear(stream, control, 1 + all);
  const auto kernel = b.cols == 1 ? by_rows ? chain_kernel<D, action, true, 1> : chain_kernel<D, action, false, 1>
                      : by_rows ? chain_kernel<D, action, true, across>
                                  : chain_kernel<D, action, false, along>;
  launch(stream, blocks, choice.chain_warps * warp_size, kernel, panel(alpha, t, b), view(t.a), view(b), control);
}

template <class T>
void solve_panel(const Stream& stream, T alpha, const Triangle<T*>& t, Matrix<T*> b, const T* inverses,
                 const Choice& choice) {
  inverses ? run_panel<Action::SolveByInverse>(stream, alpha, t, b, inverses, choice)
           : run_panel<Action::Solve>(stream, alpha, t, b, inverses, choice);
}
template <class T>
void multiply_panel(const Stream& stream, T alpha, const Triangle<T*>& t, Matrix<T*> b, const Choice& choice) {
  run_panel<Action::Multiply, T>(stream, alpha, t, b, nullptr, choice);
}
template <class T>
void solve_chain(const Stream& stream, T alpha, const Triangle<T*>& t, Matrix<T*> b, int* control, bool by_inverse,
                 const Choice& choice) {
  by_inverse ? run_chain<Action::SolveByInverse>(stream, alpha, t, b, control, choice)
             : run_chain<Action::Solve>(stream, alpha, t, b, control, choice);
}
template <class T>
void multiply_chain(const Stream& stream, T alpha, const Triangle<T*>& t, Matrix<T*> b, int* control,
                    const Choice& choice) {
  run_chain<Action::Multiply>(stream, alpha, t, b, control, choice);
}

#define TRIGON_INSTANTIATE_TRIANGLES(T)                                                                    \
  template void invert_tiles(const Stream&, const Triangle<T*>&, T*);                                      \
  template void solve_panel(const Stream&, T, const Triangle<T*>&, Matrix<T*>, const T*, const Choice&);   \
  template void multiply_panel(const Stream&, T, const Triangle<T*>&, Matrix<T*>, const Choice&);          \
  template void solve_chain(const Stream&, T, const Triangle<T*>&, Matrix<T*>, int*, bool, const Choice&); \
  template void multiply_chain(const Stream&, T, const Triangle<T*>&, Matrix<T*>, int*, const Choice&);    \
  template index chain_control<T>(index, index);

}  // namespace trigon::cuda
