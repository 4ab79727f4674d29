// Products of reals with few steps and a few vectors of rows: those of the first factor stay in registers while they
// meet one column of C after the other. Every entry is rounded as the packed kernel rounds it.
#if defined(TRIGON_CPU_SIMD_HELD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_HELD_INL
#undef TRIGON_CPU_SIMD_HELD_INL
#else
#define TRIGON_CPU_SIMD_HELD_INL
#endif

#include "cpu/simd/small_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// How many vectors of rows are held for so many steps: sums of two columns and more need registers, too.
constexpr int held_vectors(int steps) { return registers == 16 ? (steps <= 2 ? 4 : 2) : steps <= 4 ? 4 : 3; }
inline constexpr index held_steps = registers == 16 ? 4 : 6;
/// How many columns they meet at a time.
constexpr int held_columns(int steps, int vectors) {
  if (registers == 16) return vectors == 1 ? 4 : vectors == 2 ? 2 : 1;
  return vectors == 1 ? 8 : vectors == 2 ? 4 : steps >= 5 ? 1 : 2;
}

/// What becomes of old entries of C.
enum class Old { Dropped, Kept, Scaled };

/// What does not change from one band of rows to the next.
template <class T>
struct Held {
  SmallFactor<T> a, x;  ///< `a` from the band's first row on
  T alpha, beta;
  T* c;
  index ldc, cols;
};

/// `rows` rows, which reach the last one of U vectors of N lanes, of C := alpha a x + beta C. A single one is masked
/// (with sixteen registers it is whole); of several the last one begins early, its first entries are computed twice.
template <class T, int N, int K, int U, Old old>
HWY_NOINLINE void held_band(const Held<T>& h, index rows) {
  using D = hn::CappedTag<T, N>;
  using V = hn::Vec<D>;
  const D d;
  constexpr int W = held_columns(K, U);
  constexpr bool masked = U == 1 && registers == 32;
  const Front<D> front(static_cast<int>(rows));
  const index last = rows - N;
  const auto offset = [=](int u) TRIGON_INLINE_LAMBDA { return u + 1 < U ? u * N : U == 1 ? 0 : last; };
  const auto load = [&](const T* p) TRIGON_INLINE_LAMBDA { return masked ? front.load(p) : hn::LoadU(d, p); };
  V a[K][U];
  unrolled<K * U>([&](auto s) TRIGON_INLINE_LAMBDA {
    const T* const p = h.a.data + s / U * h.a.column + offset(s % U);
    a[s / U][s % U] = masked ? front.template factor<1>(p) : hn::LoadU(d, p);
  });
  const V alpha = hn::Set(d, h.alpha), beta = hn::Set(d, h.beta);
  const T* x = h.x.data;
  T* c = h.c;
  const index row = h.x.row, column = h.x.column, ldc = h.ldc;
  V before[W][U];
  // As many columns; of the last ones, if they are `some`, those beyond repeat the last one: with masks.
  const auto read = [&](const T* from, auto count, index some) TRIGON_INLINE_LAMBDA {
    if constexpr (old != Old::Dropped)
      unrolled<count * U>([&](auto s) TRIGON_INLINE_LAMBDA {
        before[s / U][s % U] = load(from + std::min<index>(s / U, some - 1) * ldc + offset(s % U));
      });
  };
  using Many = std::integral_constant<int, W>;
  const auto columns = [&](auto count, index some, const auto& read_next) TRIGON_INLINE_LAMBDA {
    V sum[count][U];
    unrolled<count>([&](auto j) TRIGON_INLINE_LAMBDA {
      unrolled<U>([&](auto u) TRIGON_INLINE_LAMBDA { sum[j][u] = hn::Zero(d); });
      const T* const xj = x + std::min<index>(j, some - 1) * row;
      unrolled<K>([&](auto k) TRIGON_INLINE_LAMBDA {
        const V xk = hn::Set(d, xj[k * column]);
        unrolled<U>([&](auto u) TRIGON_INLINE_LAMBDA {
          sum[j][u] = masked ? front.add(sum[j][u], a[k][u], xk) : hn::MulAdd(a[k][u], xk, sum[j][u]);
        });
      });
      unrolled<U>([&](auto u) TRIGON_INLINE_LAMBDA {
        if constexpr (old == Old::Dropped)
          sum[j][u] = hn::Mul(alpha, sum[j][u]);
        else
          sum[j][u] = hn::MulAdd(alpha, sum[j][u], old == Old::Scaled ? hn::Mul(beta, before[j][u]) : before[j][u]);
      });
    });
    read_next();
    unrolled<count * U>([&](auto s) TRIGON_INLINE_LAMBDA {
      T* const p = c + std::min<index>(s / U, some - 1) * ldc + offset(s % U);
      masked ? front.store(sum[s / U][s % U], p) : hn::StoreU(sum[s / U][s % U], d, p);
    });
    x += count * row, c += count * ldc;
  };
  const auto none = []() TRIGON_INLINE_LAMBDA {};
  index left = h.cols;
  if constexpr (masked) {
    // A load that overlaps masked lanes of a store waits for it: the next columns are read before these are written.
    const auto read_some = [&](const T* from, index count)
                               TRIGON_INLINE_LAMBDA { count >= W ? read(from, Many{}, W) : read(from, Many{}, count); };
    read_some(c, left);
    for (; left >= W; left -= W)
      columns(Many{}, W, [&]() TRIGON_INLINE_LAMBDA {
        if (left > W) read_some(c + W * ldc, left - W);
      });
    if (left > 0) columns(Many{}, left, none);
  } else {
    using One = std::integral_constant<int, 1>;
    for (; left >= W; left -= W) read(c, Many{}, W), columns(Many{}, W, none);
    for (; left > 0; --left) read(c, One{}, 1), columns(One{}, 1, none);
  }
}

/// Whether C is worth it.
template <class T>
HWY_INLINE bool is_held(const SmallFactors<T>& f, index rows, index cols, Mask mask) {
  if (is_complex<T> || mask != Mask::All || f.count != 1 || f.depth[0] > held_steps) return false;
  constexpr index L = lanes_of<real_t<T>>, first_cache = (32 << 10) / static_cast<index>(sizeof(T));
  if (registers == 16 && rows < L) return false;
  if (rows <= 16) return cols > 24;
  const index vectors = (rows + L - 1) / L;
  return cols > (f.depth[0] <= 4 ? 4 : 7) && vectors <= 2 * cols - 2 && (vectors <= 4 || rows * cols <= first_cache);
}

/// C := alpha sums + beta C for `rows` rows.
template <class T>
HWY_NOINLINE void multiply_held([[maybe_unused]] const SmallFactors<T>& f, [[maybe_unused]] const T& alpha,
                                [[maybe_unused]] const T& beta, [[maybe_unused]] T* c, [[maybe_unused]] index ldc,
                                [[maybe_unused]] index rows, [[maybe_unused]] index cols) {
  if constexpr (!is_complex<T>) {
    Held<T> h{f.a[0], f.x[0], alpha, beta, c, ldc, cols};
    of_few<held_steps>(f.depth[0], [&]<int K>(std::integral_constant<int, K>) HWY_ATTR {
      constexpr int L = lanes_of<T>;
      const auto of_lanes = [&]<int N, int U>(std::integral_constant<int, N>, std::integral_constant<int, U>,
                                              index count) TRIGON_INLINE_LAMBDA {
        const auto band = beta == T(0)   ? held_band<T, N, K, U, Old::Dropped>
                          : beta == T(1) ? held_band<T, N, K, U, Old::Kept>
                                         : held_band<T, N, K, U, Old::Scaled>;
        band(h, count);
      };
      using One = std::integral_constant<int, 1>;
      if (L > 4 && rows <= 4) return of_lanes(std::integral_constant<int, 4>{}, One{}, rows);
      if (L > 8 && rows <= 8) return of_lanes(std::integral_constant<int, 8>{}, One{}, rows);
      of_each<held_vectors(K)>((rows + L - 1) / L,
                               [&]<int U>(std::integral_constant<int, U> number, index done) HWY_ATTR {
                                 const index first = done * L, count = std::min<index>(U * L, rows - first);
                                 h.a.data = f.a[0].data + first, h.c = c + first;
                                 of_lanes(std::integral_constant<int, L>{}, number, count);
                               });
    });
  }
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
