// The kernels of columns.hpp, compiled for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lapack/columns.cpp"
#include "lapack/columns.hpp"

#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "core/once.hpp"
#include "cpu/kernels.hpp"
#include "lapack/leaf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace trigon::lapack::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of real numbers, or of complex ones as they lie in memory.
template <class T>
struct Vectors {
  using R = real_t<T>;
  using D = hn::ScalableTag<R>;
  using V = hn::Vec<D>;
  static constexpr index size = static_cast<index>(HWY_LANES(R) * sizeof(R) / sizeof(T));

  static HWY_INLINE V load(const T* p) { return hn::LoadU(D(), reinterpret_cast<const R*>(p)); }
  static HWY_INLINE void store(V v, T* p) { hn::StoreU(v, D(), reinterpret_cast<R*>(p)); }

  /// What a vector is multiplied by: `im` is for its exchanged parts, with the signs that these then have.
  struct Factor {
    V re, im;
  };
  static HWY_INLINE Factor factor(const T& u) {
    const D d;
    if constexpr (is_complex<T>)
      return {hn::Set(d, u.real()), hn::OddEven(hn::Set(d, u.imag()), hn::Set(d, -u.imag()))};
    else
      return {hn::Set(d, u), hn::Zero(d)};
  }
  static HWY_INLINE V product(V v, const Factor& u) {
    const V first = hn::Mul(v, u.re);
    if constexpr (is_complex<T>)
      return hn::Add(first, hn::Mul(hn::Reverse2(D(), v), u.im));
    else
      return first;
  }
  /// That of a complex number in both lanes.
  static HWY_INLINE V magnitude_of(V v) {
    const V parts = hn::Abs(v);
    if constexpr (is_complex<T>)
      return hn::Add(parts, hn::Reverse2(D(), parts));
    else
      return parts;
  }
};
#endif

/// The first entry of this magnitude, which there is.
template <class T>
index place_of([[maybe_unused]] real_t<T> size, const T* x, [[maybe_unused]] index rows) {
  index i = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  using Vs = Vectors<T>;
  const typename Vs::D d;
  const auto wanted = hn::Set(d, size);
  while (i + Vs::size <= rows && hn::AllFalse(d, hn::Eq(Vs::magnitude_of(Vs::load(x + i)), wanted))) i += Vs::size;
#endif
  while (magnitude(x[i]) != size) ++i;
  return i;
}

template <class T, index k>
index subtract_columns(const T* a, index lda, const T* u, T* x, index rows) {
  real_t<T> most{};
  index i = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  using Vs = Vectors<T>;
  using V = typename Vs::V;
  const typename Vs::D d;
  if (rows >= Vs::size) {
    typename Vs::Factor factors[k + 1];
    for (index l = 0; l < k; ++l) factors[l] = Vs::factor(u[l]);
    V largest = hn::Zero(d);
    for (; i + Vs::size <= rows; i += Vs::size) {
      V v = Vs::load(x + i);
#pragma GCC unroll 8
      for (index l = 0; l < k; ++l) v = hn::Sub(v, Vs::product(Vs::load(a + i + l * lda), factors[l]));
      if (k > 0) Vs::store(v, x + i);
      const V size = Vs::magnitude_of(v);
      largest = hn::IfThenElse(hn::Gt(size, largest), size, largest);
    }
    most = hn::GetLane(hn::MaxOfLanes(d, largest));
  }
#endif
  for (; i < rows; ++i) {
    for (index l = 0; l < k; ++l) x[i] -= times(a[i + l * lda], u[l]);
    if (magnitude(x[i]) > most) most = magnitude(x[i]);
  }
  return std::isnan(magnitude(x[0])) ? 0 : place_of(most, x, rows);
}

template <class T>
index subtract(index k, const T* a, index lda, const T* u, T* x, index rows) {
  static constexpr auto for_k = []<index... n>(std::integer_sequence<index, n...>) {
    return std::array{&subtract_columns<T, n>...};
  }
  (std::make_integer_sequence<index, most_before + 1>());
  return for_k[static_cast<std::size_t>(k)](a, lda, u, x, rows);
}

template <class T>
void scale(const T& factor, T* x, index rows) {
  index i = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  using Vs = Vectors<T>;
  const auto f = Vs::factor(factor);
  for (; i + Vs::size <= rows; i += Vs::size) Vs::store(Vs::product(Vs::load(x + i), f), x + i);
#endif
  for (; i < rows; ++i) x[i] = times(x[i], factor);
}

template <class T>
const ColumnKernels<T>* table() {
  static constexpr ColumnKernels<T> kernels{&subtract<T>, &scale<T>};
  return &kernels;
}

}  // namespace trigon::lapack::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trigon::lapack {

template <class T>
const ColumnKernels<T>& column_kernels() {
  return *core::once([]() -> const ColumnKernels<T>* {
    [[maybe_unused]] const std::int64_t target = cpu::targets().target;
#if HWY_TARGETS & HWY_AVX3
    if (target == HWY_AVX3) return N_AVX3::table<T>();
#endif
#if HWY_TARGETS & HWY_AVX2
    if (target == HWY_AVX2) return N_AVX2::table<T>();
#endif
    return HWY_NAMESPACE::table<T>();
  });
}
template const ColumnKernels<float>& column_kernels();
template const ColumnKernels<double>& column_kernels();
template const ColumnKernels<std::complex<float>>& column_kernels();
template const ColumnKernels<std::complex<double>>& column_kernels();

}  // namespace trigon::lapack
#endif
