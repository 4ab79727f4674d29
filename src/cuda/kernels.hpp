// What the host can launch. Nothing here waits or allocates; a launch that is refused throws failure. Pointers are
// device addresses.
#pragma once

#include "core/view.hpp"
#include "cuda/forms.hpp"
#include "cuda/runtime.hpp"

namespace trigon::cuda {

using core::Matrix;
using core::Triangle;

template <class T>
struct Operand {
  Matrix<T*> a;
  Form form = Form::General;
  Matrix<T*> b{};  ///< the second of a pair
};

/// What is chosen of the kernels: entries of the tuning table (core/tuning.hpp), which holds what they may be.
struct Choice {
  index large_tiles = 0;      ///< products that have so many large tiles get them
  index tile_columns = 128;   ///< of a large tile of a general product: half of it, or all
  bool tensor_units = false;  ///< FP64 ones, where the precision and the device have them
  int panel_warps = 8;        ///< of a block, each with four right-hand sides
  int chain_warps = 8;        ///< of a block
  int chain_blocks = 4;       ///< at most, for each multiprocessor
};

/// c := alpha a b' + beta c where the mask lets it. `a` has a line for each row of c, `b` one for each column. With a
/// depth of 0, or with alpha = 0 and empty factors, c is scaled, or cleared without being read.
template <class T>
void gemm(const Stream&, T alpha, const Operand<T>& a, const Operand<T>& b, T beta, Matrix<T*> c, Mask, const Choice&);

/// Rows of a tile on the diagonal.
inline constexpr index diagonal_tile = 32;

/// The inverses of the diagonal tiles of t in the order of substitution, inverse_elements() in all. Those of a block of
/// rows that begins at a multiple of 32 in that order are among them, at 32 times its first row.
template <class T>
void invert_tiles(const Stream&, const Triangle<T*>& t, T* inverses);
constexpr index inverse_elements(index order) {
  return (order + diagonal_tile - 1) / diagonal_tile * diagonal_tile * diagonal_tile;
}

/// b := alpha t^-1 b, by the inverses if there are any, or alpha t b. Good up to some hundred rows, right for any.
template <class T>
void solve_panel(const Stream&, T alpha, const Triangle<T*>& t, Matrix<T*> b, const T* inverses, const Choice&);
template <class T>
void multiply_panel(const Stream&, T alpha, const Triangle<T*>& t, Matrix<T*> b, const Choice&);

/// The same for few right-hand sides and any order, in one launch. `control` is chain_control<T>(…) ints of device
/// memory; they are cleared first, in the stream.
template <class T>
void solve_chain(const Stream&, T alpha, const Triangle<T*>& t, Matrix<T*> b, int* control, bool by_inverse,
                 const Choice&);
template <class T>
void multiply_chain(const Stream&, T alpha, const Triangle<T*>& t, Matrix<T*> b, int* control, const Choice&);
template <class T>
index chain_control(index order, index right_hand_sides);

/// The oldest architecture that kernels are compiled for, 75 for sm_75, or 0 where that is not known.
int least_architecture();
/// What the runtime says of a kernel on the calling thread's device: its error, or 0 where there is code for it.
int probe();
/// The same of those on tensor units. Not for HIP.
int tensor_probe();

}  // namespace trigon::cuda
