// Operands of the host as kernels get them.
#pragma once

#include "cuda/kernels.hpp"
#include "cuda/view.cuh"

#include <cstdlib>

namespace trigon::cuda {

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

}  // namespace trigon::cuda
