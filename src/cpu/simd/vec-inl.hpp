// Small vocabulary over Highway: vector of the real type, partial loads and stores, complex parts.
#if defined(TRIGON_CPU_SIMD_VEC_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_VEC_INL
#undef TRIGON_CPU_SIMD_VEC_INL
#else
#define TRIGON_CPU_SIMD_VEC_INL
#endif

#include "core/view.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

/// Of a lambda that is a part of the function around it, whatever its size.
#undef TRIGON_INLINE_LAMBDA
#define TRIGON_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class R>
using Tag = hn::ScalableTag<R>;
template <class R>
inline constexpr int lanes_of = static_cast<int>(HWY_LANES(R));
template <class T>
inline constexpr int parts_of = is_complex<T> ? 2 : 1;

template <class T>
HWY_INLINE real_t<T> real_part(T x) {
  if constexpr (is_complex<T>)
    return x.real();
  else
    return x;
}
template <class T>
HWY_INLINE real_t<T> imag_part(T x) {
  if constexpr (is_complex<T>)
    return x.imag();
  else
    return 0;
}

constexpr index round_up(index n, index to) { return (n + to - 1) / to * to; }

/// Vector registers of the target: what the register tiles are sized for.
inline constexpr int registers =
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
    32;
#else
    16;
#endif

/// A number that kernels are made for by name: f(std::integral_constant<int, n>) for n = 1 … `most`, twelve at most.
inline constexpr int most_by_name = 8;
template <int most = most_by_name, class F>
HWY_INLINE void of_few(index n, const F& f) {
  switch (n) {
    case 1: return f(std::integral_constant<int, std::min(1, most)>{});
    case 2: return f(std::integral_constant<int, std::min(2, most)>{});
    case 3: return f(std::integral_constant<int, std::min(3, most)>{});
    case 4: return f(std::integral_constant<int, std::min(4, most)>{});
    case 5: return f(std::integral_constant<int, std::min(5, most)>{});
    case 6: return f(std::integral_constant<int, std::min(6, most)>{});
    case 7: return f(std::integral_constant<int, std::min(7, most)>{});
    case 8: return f(std::integral_constant<int, std::min(8, most)>{});
    case 9: return f(std::integral_constant<int, std::min(9, most)>{});
    case 10: return f(std::integral_constant<int, std::min(10, most)>{});
    case 11: return f(std::integral_constant<int, std::min(11, most)>{});
    case 12: return f(std::integral_constant<int, std::min(12, most)>{});
  }
}

/// f(i) for i = 0 … n - 1, all of them constants from the beginning: what arrays hold stays in registers where there
/// are branches, too, before which a loop that is unrolled later stores it and after which it loads it again.
template <int n, class F>
HWY_INLINE void unrolled(const F& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) TRIGON_INLINE_LAMBDA { (f(std::integral_constant<int, i>{}), ...); }
  (std::make_integer_sequence<int, n>{});
}

/// f(std::integral_constant<int, some>, first) for all of [0, n), at most `most` at a time and about as many each time.
template <int most, class F>
HWY_INLINE void of_each(index n, const F& f) {
  index times = 1, fewer = n, whole = 1;  // `fewer` the first times; nothing is divided that need not be
  if (n > most) times = (n + most - 1) / most, fewer = n / times, whole = times - n % times;
  for (index q = 0, done = 0; q < times; ++q) {
    const index count = fewer + (q >= whole);
    of_few<most>(count, [&]<int some>(std::integral_constant<int, some> number) HWY_ATTR { f(number, done); });
    done += count;
  }
}

/// The lanes before `to`, or [from, to), which may lie outside the vector. Compared as vectors: a number of lanes
/// would be clamped first, with branches.
template <class D>
HWY_INLINE hn::Mask<D> lanes_before(D d, int to) {
  const hn::RebindToSigned<D> numbers;
  using N = hn::TFromD<hn::RebindToSigned<D>>;
  return hn::RebindMask(d, hn::Lt(hn::Iota(numbers, N(0)), hn::Set(numbers, N(to))));
}
template <class D>
HWY_INLINE hn::Mask<D> lanes_between(D d, int from, int to) {
  return hn::AndNot(lanes_before(d, from), lanes_before(d, to));
}

/// The same where they are known beforehand.
template <int from, int to, class D>
HWY_INLINE hn::Mask<D> fixed_lanes(D d) {
#if HWY_TARGET == HWY_AVX3
  constexpr int begin = from < 0 ? 0 : from;
  return {static_cast<decltype(hn::Mask<D>::raw)>(((std::uint64_t{1} << to) - 1) & ~std::uint64_t{0} << begin)};
#else
  return lanes_between(d, from, to);
#endif
}

/// Whether masks keep loads and stores from touching memory. AVX2 has them for lanes of four and eight bytes: Highway
/// excludes it for the sake of shorter ones. Half a register has lanes after its own that a mask may name.
template <class D>
inline constexpr bool masks_memory =
    (!HWY_MEM_OPS_MIGHT_FAULT || HWY_TARGET == HWY_AVX2) && hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) >= 16;

/// Where masked stores take as long as a dozen whole ones, masked loads as several (on Zen 1, not on Zen 3), and what
/// they stored waits to be loaded again: whole vectors, of which a branch knows, go without.
inline constexpr bool masks_slowly = HWY_TARGET == HWY_AVX2;
template <class D>
HWY_INLINE bool is_whole(D, int from, int to) {
  return masks_slowly && from <= 0 && to >= static_cast<int>(hn::MaxLanes(D()));
}

#if HWY_TARGET == HWY_AVX2
/// The lower half of a vector of 16 bytes: two floats, which a store of a double would not be taken to touch.
HWY_INLINE void store_pair(__m128d v, float* p) {
  const double both = _mm_cvtsd_f64(v);
  std::memcpy(p, &both, sizeof(both));
}
/// The first n lanes of v, fewer than all, in pieces: a quarter of the time of a masked store on Zen 3.
template <class D, class R = hn::TFromD<D>>
HWY_INLINE void store_front(hn::Vec<D> v, D, R* p, int n) {
  constexpr int L = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (L * sizeof(R) == 32) {
    const hn::Half<D> half;
    auto low = hn::LowerHalf(half, v);
    if (n & (L / 2)) hn::StoreU(low, half, p), low = hn::UpperHalf(half, v), p += L / 2;
    store_front(low, half, p, n);
  } else if constexpr (sizeof(R) == 4) {
    auto pair = _mm_castps_pd(v.raw);
    if (n & 2) store_pair(pair, p), pair = _mm_unpackhi_pd(pair, pair), p += 2;
    if (n & 1) _mm_store_ss(p, _mm_castpd_ps(pair));
  } else {
    if (n & 1) _mm_storel_pd(p, v.raw);
  }
}
/// The last n lanes, likewise, of the vector that ends at `end`.
template <class D, class R = hn::TFromD<D>>
HWY_INLINE void store_back(hn::Vec<D> v, D, R* end, int n) {
  constexpr int L = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (L * sizeof(R) == 32) {
    const hn::Half<D> half;
    auto high = hn::UpperHalf(half, v);
    if (n & (L / 2)) end -= L / 2, hn::StoreU(high, half, end), high = hn::LowerHalf(half, v);
    store_back(high, half, end, n);
  } else if constexpr (sizeof(R) == 4) {
    auto pair = _mm_castps_pd(v.raw);
    if (n & 2) end -= 2, store_pair(_mm_unpackhi_pd(pair, pair), end), pair = _mm_unpacklo_pd(pair, pair);
    const auto lanes = _mm_castpd_ps(pair);
    if (n & 1) _mm_store_ss(end - 1, _mm_shuffle_ps(lanes, lanes, 3));
  } else {
    if (n & 1) _mm_storeh_pd(end - 1, v.raw);
  }
}
#endif

/// Lanes [from, to) of the vector at p, zeros elsewhere; touches no other memory. p itself may be out of bounds.
template <class D, class R = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_lanes(D d, const R* p, int from, int to) {
  if (is_whole(d, from, to)) return hn::LoadU(d, p);
  if constexpr (masks_memory<D>) return hn::MaskedLoad(lanes_between(d, from, to), d, p);
  HWY_ALIGN R buffer[hn::MaxLanes(D())] = {};
  for (int i = from < 0 ? 0 : from; i < to && i < static_cast<int>(hn::MaxLanes(D())); ++i) buffer[i] = p[i];
  return hn::Load(d, buffer);
}
template <class D, class R = hn::TFromD<D>>
HWY_INLINE void store_lanes(hn::Vec<D> v, D d, R* p, int from, int to) {
  if (is_whole(d, from, to)) return hn::StoreU(v, d, p);
#if HWY_TARGET == HWY_AVX2
  if constexpr (masks_memory<D>) {
    constexpr int L = static_cast<int>(hn::MaxLanes(D()));
    if (from <= 0) return store_front(v, d, p, std::max(to, 0));
    if (to >= L) return store_back(v, d, p + L, std::max(L - from, 0));
  }
#endif
  if constexpr (masks_memory<D>) return hn::BlendedStore(v, lanes_between(d, from, to), d, p);
  HWY_ALIGN R buffer[hn::MaxLanes(D())];
  hn::Store(v, d, buffer);
  for (int i = from < 0 ? 0 : from; i < to && i < static_cast<int>(hn::MaxLanes(D())); ++i) p[i] = buffer[i];
}

/// The same of a vector whose other lanes belong to the operand, too.
template <class D, class R = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_within(D d, const R* p, int from, int to) {
  if (masks_slowly) return hn::IfThenElseZero(lanes_between(d, from, to), hn::LoadU(d, p));
  return load_lanes(d, p, from, to);
}

template <class D, class R = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_first(D d, const R* p, int n) {
  return load_lanes(d, p, 0, n);
}
template <class D, class R = hn::TFromD<D>>
HWY_INLINE void store_first(hn::Vec<D> v, D d, R* p, int n) {
  store_lanes(v, d, p, 0, n);
}

/// The same vector, in its register: of several instructions that use what is loaded, each might load it again.
template <class V>
HWY_INLINE V kept(V v) {
#if HWY_ARCH_X86
  asm("" : "+v"(v.raw));
#endif
  return v;
}

/// Whether GCC does so: what is used twice or three times. Sixteen registers may not have one for it.
template <int uses>
inline constexpr bool loads_twice = registers == 32 && (uses == 2 || uses == 3);

/// A sum, in another register than one of its factors: compilers would write it over a factor that is needed no more,
/// and in a loop that fills all registers move or spill it back.
template <class V>
HWY_INLINE V apart(V sum, [[maybe_unused]] V factor) {
#if HWY_TARGET == HWY_AVX3
  asm("" : "+v"(sum.raw) : "v"(factor.raw));
#endif
  return sum;
}

/// A factor stays in its register up to here: the same for sixteen registers, where it holds for all sums before.
template <class V>
HWY_INLINE void kept_until_here([[maybe_unused]] V factor) {
#if HWY_TARGET == HWY_AVX2
  asm volatile("" : : "x"(factor.raw));
#endif
}

/// Keeps `what` in memory, to be loaded where it is needed: registers that it took in a loop that fills them would not
/// be there for sums.
template <class T>
HWY_INLINE void in_memory(const T& what) {
  asm volatile("" : : "r"(&what) : "memory");
}

/// What is loaded from here on is loaded again, rather than kept in a register since before.
HWY_INLINE void reload() { asm volatile("" ::: "memory"); }

/// Zeros for sums to begin with, made where they are asked for: kept for the next ones they would take a register.
template <class D>
HWY_INLINE hn::Vec<D> zeros_here(D d) {
  auto zeros = hn::Zero(d);
#if HWY_TARGET == HWY_AVX2
  asm volatile("" : "+x"(zeros.raw));
#endif
  return zeros;
}

/// sum + a b or, with `minus`, sum - a b, in the register of the sum: compilers would write it over a factor that is
/// needed no more, and in a loop that fills sixteen registers move it back or even by way of memory.
template <bool minus, class V>
HWY_INLINE V with_product(V sum, V a, V b) {
#if HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(hn::TFromV<V>) == 4) {
    if constexpr (minus)
      asm("vfnmadd231ps %2, %1, %0" : "+x"(sum.raw) : "x"(a.raw), "x"(b.raw));
    else
      asm("vfmadd231ps %2, %1, %0" : "+x"(sum.raw) : "x"(a.raw), "x"(b.raw));
  } else {
    if constexpr (minus)
      asm("vfnmadd231pd %2, %1, %0" : "+x"(sum.raw) : "x"(a.raw), "x"(b.raw));
    else
      asm("vfmadd231pd %2, %1, %0" : "+x"(sum.raw) : "x"(a.raw), "x"(b.raw));
  }
  return sum;
#else
  return minus ? hn::NegMulAdd(a, b, sum) : hn::MulAdd(a, b, sum);
#endif
}

/// Rows that are needed soon, `stride` elements apart, asked for a line of the cache at a time: the first line of each
/// of them, then the second. All at once they would keep other loads waiting.
template <class T>
class Coming {
 public:
  HWY_INLINE Coming(const T* first, index stride, index rows) : at_(first), stride_(stride), rows_(rows), left_(rows) {}
  HWY_INLINE void fetch() {
    constexpr index line = 64 / sizeof(T);
    hwy::Prefetch(at_);
    at_ += stride_;
    if (--left_ == 0) at_ += line - rows_ * stride_, left_ = rows_;
  }

 private:
  const T* at_;
  index stride_, rows_, left_;
};

#if HWY_TARGET == HWY_AVX3
/// ±a b + c in the lanes of a mask, c elsewhere.
template <bool minus, class V, class M>
HWY_INLINE V masked_product(M mask, V a, V b, V c) {
  constexpr bool single = sizeof(hn::TFromV<V>) == 4;
  if constexpr (sizeof(c.raw) == 64) {
    if constexpr (single)
      return V{minus ? _mm512_mask3_fnmadd_ps(a.raw, b.raw, c.raw, mask.raw)
                     : _mm512_mask3_fmadd_ps(a.raw, b.raw, c.raw, mask.raw)};
    else
      return V{minus ? _mm512_mask3_fnmadd_pd(a.raw, b.raw, c.raw, mask.raw)
                     : _mm512_mask3_fmadd_pd(a.raw, b.raw, c.raw, mask.raw)};
  } else if constexpr (sizeof(c.raw) == 32) {
    if constexpr (single)
      return V{minus ? _mm256_mask3_fnmadd_ps(a.raw, b.raw, c.raw, mask.raw)
                     : _mm256_mask3_fmadd_ps(a.raw, b.raw, c.raw, mask.raw)};
    else
      return V{minus ? _mm256_mask3_fnmadd_pd(a.raw, b.raw, c.raw, mask.raw)
                     : _mm256_mask3_fmadd_pd(a.raw, b.raw, c.raw, mask.raw)};
  } else {
    if constexpr (single)
      return V{minus ? _mm_mask3_fnmadd_ps(a.raw, b.raw, c.raw, mask.raw)
                     : _mm_mask3_fmadd_ps(a.raw, b.raw, c.raw, mask.raw)};
    else
      return V{minus ? _mm_mask3_fnmadd_pd(a.raw, b.raw, c.raw, mask.raw)
                     : _mm_mask3_fmadd_pd(a.raw, b.raw, c.raw, mask.raw)};
  }
}
#endif

/// sum ± a b in the lanes of a mask, without which a is zero. Others keep their sum and raise no exception: there a
/// zero may not meet an infinity.
template <bool minus, class M, class V>
HWY_INLINE V with_product_in(M mask, V sum, V a, V b) {
#if HWY_TARGET == HWY_AVX3
  return masked_product<minus>(mask, a, b, sum);
#else
  return with_product<minus>(sum, a, hn::IfThenElseZero(mask, b));
#endif
}

/// Two floats as one double, for instructions that move such.
HWY_INLINE double as_double(const float* p) {
  double both;
  std::memcpy(&both, p, sizeof(both));
  return both;
}

/// The element of P parts at p, in all lanes.
template <int P, class D, class R = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> everywhere(D d, const R* p) {
  if constexpr (P == 1)
    return hn::Set(d, *p);
  else if constexpr (sizeof(R) == 8)
    return hn::LoadDup128(d, p);
  else
    return hn::BitCast(d, hn::Set(hn::Repartition<double, D>(), as_double(p)));
}

/// What is added to any number and leaves it as it is: -0, but +0 where zeros of both signs make -0, rounded downwards.
template <class R>
HWY_INLINE R nothing_added() {
  R one = 1;
#if HWY_ARCH_X86
  asm("" : "+x"(one));  // which compilers subtract as if they knew how it is rounded
#else
  asm("" : "+w"(one));
#endif
  return -(one - one);
}

/// The first `count` lanes, for many loads and stores.
template <class D>
struct Front {
  using R = hn::TFromD<D>;
  using V = hn::Vec<D>;
  int count;
  hn::Mask<D> mask;

  HWY_INLINE explicit Front(int n) : count(n), mask(lanes_before(D(), n)) {}
  HWY_INLINE V load(const R* p) const {
    if (is_whole(D(), 0, count)) return hn::LoadU(D(), p);
    return masks_memory<D> ? hn::MaskedLoad(mask, D(), p) : load_first(D(), p, count);
  }
  HWY_INLINE void store(V v, R* p) const {
    if (is_whole(D(), 0, count)) return hn::StoreU(v, D(), p);
    if (masks_slowly) return store_first(v, D(), p, count);
    masks_memory<D> ? hn::BlendedStore(v, mask, D(), p) : store_first(v, D(), p, count);
  }
  HWY_INLINE V only(V v) const { return hn::IfThenElseZero(mask, v); }

  /// What `add` multiplies, of elements of P parts. Other lanes are left out by instructions with masks, or repeat the
  /// first element: a zero there would raise an exception of its own where it met an infinity. No branch, for which a
  /// compiler would make one loop of each way.
  template <int P>
  HWY_INLINE V factor(const R* p) const {
    if constexpr (HWY_TARGET == HWY_AVX3)
      return load(p);
    else
      return hn::IfThenElse(mask, masks_memory<D> ? hn::MaskedLoad(mask, D(), p) : load(p), everywhere<P>(D(), p));
  }
  /// sum + a b for an `a` that was loaded so.
  HWY_INLINE V add(V sum, V a, V b) const {
#if HWY_TARGET == HWY_AVX3
    return masked_product<false>(mask, a, b, sum);
#else
    return hn::MulAdd(a, b, sum);
#endif
  }
};

#if HWY_TARGET == HWY_AVX3
/// Lane i of the result is lane from(i) of a and b one after the other.
template <class V, class From>
HWY_INLINE V permuted(V a, V b, From) {
  if constexpr (sizeof(hn::TFromV<V>) == 4) {
    alignas(64) static constexpr auto index = [] {
      std::array<std::int32_t, 16> list{};
      for (int i = 0; i < 16; ++i) list[static_cast<std::size_t>(i)] = From{}(i);
      return list;
    }();
    return V{_mm512_permutex2var_ps(a.raw, _mm512_load_si512(index.data()), b.raw)};
  } else {
    alignas(64) static constexpr auto index = [] {
      std::array<std::int64_t, 8> list{};
      for (int i = 0; i < 8; ++i) list[static_cast<std::size_t>(i)] = From{}(i);
      return list;
    }();
    return V{_mm512_permutex2var_pd(a.raw, _mm512_load_si512(index.data()), b.raw)};
  }
}
#endif

/// Whether vectors are permuted two at a time. Highway does not offer it, and takes six shuffles for complex numbers.
template <class D>
inline constexpr bool permutes_pairs = HWY_TARGET == HWY_AVX3&& hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 64;

/// The real and the imaginary parts of complex numbers that fill two vectors, and the way back.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void take_apart(D d, V low, V high, V& re, V& im) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (permutes_pairs<D>) {
    re = permuted(low, high, [](int i) { return 2 * i; });
    im = permuted(low, high, [](int i) { return 2 * i + 1; });
    return;
  }
#endif
  re = hn::ConcatEven(d, high, low), im = hn::ConcatOdd(d, high, low);
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE void put_together(D d, V re, V im, V& low, V& high) {
  constexpr int L = static_cast<int>(hn::MaxLanes(D()));
#if HWY_TARGET == HWY_AVX3
  if constexpr (permutes_pairs<D>) {
    low = permuted(re, im, [](int i) { return i / 2 + i % 2 * L; });
    high = permuted(re, im, [](int i) { return (i + L) / 2 + i % 2 * L; });
    return;
  }
#endif
  static_assert(permutes_pairs<D> || L * sizeof(hn::TFromD<D>) <= 32, "two blocks of 16 bytes at most");
  low = hn::InterleaveLower(d, re, im), high = hn::InterleaveUpper(d, re, im);
  if constexpr (L * sizeof(hn::TFromD<D>) == 32) {
    const V even = low;
    low = hn::ConcatLowerLower(d, high, even), high = hn::ConcatUpperUpper(d, high, even);
  }
}

/// Real parts in the first half of a vector and imaginary ones in the second, put together.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V halves_together(D d, V x) {
  constexpr int L = static_cast<int>(hn::MaxLanes(D()));
#if HWY_TARGET == HWY_AVX3
  if constexpr (permutes_pairs<D>) return permuted(x, x, [](int i) { return i / 2 + i % 2 * (L / 2); });
#endif
  HWY_ALIGN hn::TFromD<D> both[L];
  const hn::Half<D> half;
  hn::StoreInterleaved2(hn::LowerHalf(half, x), hn::UpperHalf(half, x), half, both);
  return hn::Load(d, both);
}

/// The same from and to memory.
template <class D, class R = hn::TFromD<D>>
HWY_INLINE void load_interleaved(D d, const R* p, hn::Vec<D>& re, hn::Vec<D>& im) {
  if constexpr (permutes_pairs<D>)
    take_apart(d, hn::LoadU(d, p), hn::LoadU(d, p + hn::MaxLanes(D())), re, im);
  else
    hn::LoadInterleaved2(d, p, re, im);
}
template <class D, class R = hn::TFromD<D>>
HWY_INLINE void store_interleaved(hn::Vec<D> re, hn::Vec<D> im, D d, R* p) {
  if constexpr (permutes_pairs<D>) {
    hn::Vec<D> low, high;
    put_together(d, re, im, low, high);
    hn::StoreU(low, d, p);
    hn::StoreU(high, d, p + hn::MaxLanes(D()));
  } else {
    hn::StoreInterleaved2(re, im, d, p);
  }
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
