// The GEMM of an installed BLAS, opened privately: no other routine of it is ever looked up.
#pragma once

#include "core/view.hpp"

namespace trigon::cpu {

/// Whether a provider was found and admitted. Opens it on first use.
bool has_provider();

/// c := alpha a b + beta c by the provider. False, with nothing written, if the operands do not fit its
/// 32-bit interface; every block of a recursion is expressible as N, T or C.
template <class T>
bool provider_gemm(T alpha, core::Matrix<T*> a, core::Matrix<T*> b, T beta, core::Matrix<T*> c);

}  // namespace trigon::cpu
