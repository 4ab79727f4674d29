// How C passes the arguments of a BLAS routine, as CBLAS established it: flags as numbers, sizes and real scalars
// by value, complex scalars by address.
#pragma once

#include <trigon/call.hpp>

#include <complex>
#include <type_traits>

namespace trigon::doors {

/// A letter of BLAS for a number of CBLAS, 0 where there is none.
constexpr char letter(Layout, int v) { return v == 101 ? 'R' : v == 102 ? 'C' : 0; }
constexpr char letter(Op, int v) { return v == 111 ? 'N' : v == 112 ? 'T' : v == 113 ? 'C' : 0; }
constexpr char letter(Uplo, int v) { return v == 121 ? 'U' : v == 122 ? 'L' : 0; }
constexpr char letter(Diag, int v) { return v == 131 ? 'N' : v == 132 ? 'U' : 0; }
constexpr char letter(Side, int v) { return v == 141 ? 'L' : v == 142 ? 'R' : 0; }

template <class T, class Int>
struct ByValue {
  using flag = int;
  using size = Int;
  using real = real_t<T>;
  using scalar = std::conditional_t<is_complex<T>, const void*, T>;
  using in = std::conditional_t<is_complex<T>, const void*, const T*>;
  using out = std::conditional_t<is_complex<T>, void*, T*>;

  template <class Flag>
  static void read(Flag& field, int value) {
    field = static_cast<Flag>(letter(Flag{}, value));
  }
  static void read(index& field, Int value) { field = value; }
  static void read(std::complex<double>& field, real value) { field = value; }
  static void read(std::complex<double>& field, const void* value) { field = *static_cast<const T*>(value); }
  static void read(const void*& field, const void* operand) { field = operand; }
  static void read(void*& field, const void* operand) { field = const_cast<void*>(operand); }
};

/// What a number among the arguments was, for messages.
template <class P>
constexpr long long raw(P value) {
  if constexpr (std::is_integral_v<P>) return value;
  return 0;
}

}  // namespace trigon::doors
