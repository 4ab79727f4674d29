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

/// c := alpha a b' + beta c where the mask lets it. `a` has a line for each row of c, `b` one for each column. With a
/// depth of 0, or with alpha = 0 and empty factors, c is scaled, or cleared without being read.
template <class T>
void gemm(const Stream&, T alpha, const Operand<T>& a, const Operand<T>& b, T beta, Matrix<T*> c, Mask,
          bool small_tiles);

/// How many large tiles a result has: what `small_tiles` is decided by.
template <class T>
index large_tiles(index rows, index columns);

/// b := alpha t^-1 b, or alpha t b. Good up to some hundred rows, right for any.
template <class T>
void solve_panel(const Stream&, T alpha, const Triangle<T*>& t, Matrix<T*> b);
template <class T>
void multiply_panel(const Stream&, T alpha, const Triangle<T*>& t, Matrix<T*> b);

/// The same for few right-hand sides and any order, in one launch. `control` is chain_control<T>(…) ints of device
/// memory; they are cleared first, in the stream.
template <class T>
void solve_chain(const Stream&, T alpha, const Triangle<T*>& t, Matrix<T*> b, int* control);
template <class T>
void multiply_chain(const Stream&, T alpha, const Triangle<T*>& t, Matrix<T*> b, int* control);
template <class T>
index chain_control(index order, index right_hand_sides);

/// What the runtime says of a kernel on the calling thread's device: its error, or 0 where there is code for it.
int probe();

}  // namespace trigon::cuda
