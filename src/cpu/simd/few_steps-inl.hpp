// Products of few steps where C, most of the traffic, is read and written where it lies: a column after the other, down
// whole vectors. What its sums take of the second factor stays in registers meanwhile, so that an entry takes no more
// than a load for each step. Every entry is rounded as the packed kernel rounds it.
#if defined(TRIGON_CPU_SIMD_FEW_STEPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_FEW_STEPS_INL
#undef TRIGON_CPU_SIMD_FEW_STEPS_INL
#else
#define TRIGON_CPU_SIMD_FEW_STEPS_INL
#endif

#include "cpu/simd/small_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// The most steps, and those for a C that is no triangle, where no diagonal crosses tiles. Of sixteen registers what is
/// held for them, of complex numbers both parts, fills half; with thirty-two tiles load less for more.
template <class T>
inline constexpr int few_steps = is_complex<T>                ? 4
                                 : registers == 16            ? 8
                                 : sizeof(T) == sizeof(float) ? 5
                                                              : 6;
template <class T>
inline constexpr int few_steps_of_all = is_complex<T>     ? 3
                                        : registers == 16 ? 8
                                                          : 4;

/// The rows [begin, end) of a column of C: sums of a(:, k) x(k) for K steps.
template <class T, int K>
struct FewSteps {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int P = parts_of<T>, L = lanes_of<R>;

  const R* a[K];             ///< columns of the first factor
  const R* x[K];             ///< rows of the second one: what column 0 of C meets
  index next[K];             ///< reals from column to column there
  ProductSigns<D> signs[2];  ///< of both terms
  int first;                 ///< steps of the first one

  HWY_INLINE explicit FewSteps(const SmallFactors<T>& f)
      : signs{ProductSigns<D>(f.a[0].conj, f.x[0].conj), ProductSigns<D>(f.a[f.count - 1].conj, f.x[f.count - 1].conj)},
        first(static_cast<int>(f.depth[0])) {
    const auto at = [](const T* p) { return reinterpret_cast<const R*>(p); };
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) {
      const int s = k < first ? 0 : 1, q = s == 0 ? k : k - first;
      a[k] = at(f.a[s].data + q * f.a[s].column), x[k] = at(f.x[s].data + q * f.x[s].column);
      next[k] = f.x[s].row * P;
    }
  }

  /// Column j of C, which begins at c.
  HWY_INLINE void column(index j, index begin, index end, R* c, const InterleavedScaling<T>& scaling) const {
    const D d;
    V re[K], im[K];
    const R* at[K];
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) {
      const R* const xj = x[k] + j * next[k];
      re[k] = hn::Set(d, xj[0]);
      at[k] = a[k];
      if constexpr (is_complex<T>) {
        const ProductSigns<D>& sign = signs[k < first ? 0 : 1];
        im[k] = hn::Xor(hn::Set(d, xj[1]), sign.im);
        re[k] = hn::Xor(re[k], sign.re);
      }
    }
    const bool reads = scaling.reads;
    const auto sum = [&](const auto& factor, const auto& add) HWY_ATTR {
      V s = hn::Zero(d);
#pragma GCC unroll 8
      for (int k = 0; k < K; ++k) {
        const V v = factor(at[k]);
        s = add(s, v, re[k]);
        if constexpr (is_complex<T>) s = add(s, hn::Reverse2(d, v), im[k]);
      }
      return s;
    };
    const auto fresh = [&](index i) HWY_ATTR {
      const V s = sum([=](const R* p) HWY_ATTR { return hn::LoadU(D(), p + i); },
                      [](V s, V v, V x) HWY_ATTR { return hn::MulAdd(v, x, s); });
      return scaling.combine(s, reads ? hn::LoadU(d, c + i) : hn::Zero(d));
    };
    index i = begin * P;
    const index stop = end * P, left = (stop - i) % L;
    if (stop - i < L) {
      const Front<D> front(static_cast<int>(stop - i));
      const V s = front.only(sum([&](const R* p) HWY_ATTR { return front.template factor<P>(p + i); },
                                 [&](V s, V v, V x) HWY_ATTR { return front.add(s, v, x); }));
      return front.store(scaling.combine(s, reads ? front.load(c + i) : hn::Zero(d)), c + i);
    }
    // Of the last vector the first lanes are computed twice: from what was there before, with the same result.
    const V last = left ? fresh(stop - L) : hn::Zero(d);
    const auto some = [&]<int count>(std::integral_constant<int, count>) TRIGON_INLINE_LAMBDA {
      V v[count];
#pragma GCC unroll 4
      for (int u = 0; u < count; ++u) v[u] = fresh(i + u * L);
#pragma GCC unroll 4
      for (int u = 0; u < count; ++u) hn::StoreU(v[u], d, c + i + u * L);
      i += count * L;
    };
    constexpr int most = K <= 2 ? 4 : 2;
#pragma GCC unroll 1
    while (i + most * L <= stop) some(std::integral_constant<int, most>{});
    if (most > 2 && i + 2 * L <= stop) some(std::integral_constant<int, 2>{});
    if (i + L <= stop) some(std::integral_constant<int, 1>{});
    if (left) hn::StoreU(last, d, c + stop - L);
  }
};

/// C := beta C + sums of K steps; its diagonal begins in row -`base`.
template <class T, int K>
HWY_NOINLINE void few_steps_block(const SmallFactors<T>& f, index base, const InterleavedScaling<T>& scaling,
                                  const Matrix<T*>& c, Mask mask) {
  const FewSteps<T, K> steps(f);
  InterleavedScaling<T> own = scaling;
  // No register is left for alpha.
  if constexpr (registers == 16 && is_complex<T> && K == few_steps<T>) in_memory(own);
  const bool all = mask == Mask::All, below = !all && lower(mask);
  T* column = c.data;
  for (index j = 0; j < c.cols; ++j, column += c.col_stride) {
    const index begin = below ? std::max<index>(0, j - base) : 0;
    const index end = all || below ? c.rows : std::min(c.rows, j - base + 1);
    if (begin < end) steps.column(j, begin, end, reinterpret_cast<real_t<T>*>(column), own);
  }
}

/// Whether sums have so few steps, and columns more vectors than these, or three, to be worth what is held for them; of
/// a triangle, which tiles do not fit, half as many.
template <class T>
HWY_INLINE bool has_few_steps(const SmallFactors<T>& f, index rows, Mask mask) {
  const index depth = f.depth[0] + (f.count == 2 ? f.depth[1] : 0), least = std::max<index>(depth, 3) * unit_lanes<T>;
  return mask == Mask::All ? depth <= few_steps_of_all<T> && least < rows : depth <= few_steps<T> && least < 2 * rows;
}

template <class T>
HWY_NOINLINE void multiply_few_steps(const SmallFactors<T>& f, index base, const InterleavedScaling<T>& scaling,
                                     const Matrix<T*>& c, Mask mask) {
  of_few<few_steps<T>>(f.depth[0] + (f.count == 2 ? f.depth[1] : 0),
                       [&]<int K>(std::integral_constant<int, K>)
                           HWY_ATTR { few_steps_block<T, K>(f, base, scaling, c, mask); });
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
