// Triangles of an order up to eight, or sixteen, whole in registers: lanes are right-hand sides (one lane for a single
// one), elements of the triangle are read where they are and broadcast. Nothing is copied but a row of elements that
// are far apart. Every entry is rounded as the packed kernels round it.
#if defined(TRIGON_CPU_SIMD_TINY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_TINY_INL
#undef TRIGON_CPU_SIMD_TINY_INL
#else
#define TRIGON_CPU_SIMD_TINY_INL
#endif

#include "cpu/simd/divisors-inl.hpp"
#include "cpu/simd/pack-inl.hpp"
#include "cpu/simd/strides-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

using core::Lie;
using core::Tiny;
using core::Triangle;

inline constexpr int tiny_order = 8;
/// Where registers hold more than that: one right-hand side; rows of several that are contiguous; of reals, columns
/// that are (with vectors of 512 bits up to two vectors of doubles, where all other ways take longer to begin).
template <class T>
constexpr core::TinyOrders held_orders(Lie lie) {
  constexpr bool wide = HWY_TARGET == HWY_AVX3 && !is_complex<T>, doubles = std::is_same_v<T, double>;
  constexpr index along = registers == 32 ? 12 : 8;
  constexpr index across = registers == 16 && !is_complex<T> ? 16 : wide && doubles ? 15 : tiny_order;
  switch (lie) {
    case Lie::Single: return {is_complex<T> ? 8 : 12, 0, 0};
    case Lie::Along: return {along, wide ? 16 : along, 15};
    case Lie::Across: return {across, wide ? 16 : across, doubles ? 16 : 15};
  }
  return {};
}

/// N right-hand sides' part of one row of X; a single one is in all lanes. (Of a vector of one lane others would be
/// left as they were by some instructions and be part of what others do: that overflows where the data do not.)
template <class T, int N>
struct TinyRow {
  using D = hn::CappedTag<real_t<T>, N == 1 ? 16 / sizeof(real_t<T>) : N>;
  using V = hn::Vec<D>;
  V re, im;  ///< im: complex only

  HWY_INLINE void clear() {
    const D d;
    re = hn::Zero(d);
    if constexpr (is_complex<T>) im = hn::Zero(d);
  }
  HWY_INLINE void scale(T s) {
    const D d;
    if constexpr (is_complex<T>)
      product_by(d, re, im, s.real(), s.imag());
    else
      re = hn::Mul(re, hn::Set(d, s));
  }
  HWY_INLINE void exchange_parts() { std::swap(re, im); }
  /// `exchanged`: the parts are.
  HWY_INLINE void divide(T s, [[maybe_unused]] bool exchanged) {
    const D d;
    if constexpr (is_complex<T>) {
      if (exchanged) exchange_parts();
      quotient_by(d, re, im, s.real(), exchanged ? -s.imag() : s.imag());
      if (exchanged) exchange_parts();
    } else {
      re = hn::Div(re, hn::Set(d, s));
    }
  }
  HWY_INLINE void add(const TinyRow& x) {
    re = hn::Add(re, x.re);
    if constexpr (is_complex<T>) im = hn::Add(im, x.im);
  }
  /// this += conj(a) x.
  HWY_INLINE void add_conjugated(T a, const TinyRow& x) {
    const D d;
    const V ar = hn::Set(d, real_part(a));
    re = hn::MulAdd(ar, x.re, re);
    if constexpr (is_complex<T>) {
      const V ai = hn::Set(d, imag_part(a));
      im = hn::MulAdd(ar, x.im, im);
      re = hn::MulAdd(ai, x.im, re);
      im = hn::NegMulAdd(ai, x.re, im);
    }
  }
  /// this ±= a x.
  template <bool minus>
  HWY_INLINE void add(T a, const TinyRow& x) {
    const D d;
    const V ar = hn::Set(d, real_part(a));
    re = minus ? hn::NegMulAdd(ar, x.re, re) : hn::MulAdd(ar, x.re, re);
    if constexpr (is_complex<T>) {
      const V ai = hn::Set(d, imag_part(a));
      im = minus ? hn::NegMulAdd(ar, x.im, im) : hn::MulAdd(ar, x.im, im);
      re = minus ? hn::MulAdd(ai, x.im, re) : hn::NegMulAdd(ai, x.im, re);
      im = minus ? hn::NegMulAdd(ai, x.re, im) : hn::MulAdd(ai, x.re, im);
    }
  }
};

/// n rows of X for `count` <= N right-hand sides, the first element at p. For conj(T) the parts of X are exchanged here
/// and back, which is conj(T) X = i conj(T conj(i conj(X))) without a sign that flips: of a sum that vanishes the sign
/// counts.
template <class T, int n, int N, Lie lie>
struct TinyBlock {
  using Row = TinyRow<T, N>;
  using V = typename Row::V;
  static constexpr int squares = (n + N - 1) / N;
  Row row[n];

  HWY_INLINE void load(const Tiny<T>& t, const T* p, int count) {
    const typename Row::D d;
    if constexpr (lie == Lie::Single) {
      unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA {
        const T x = p[i * t.step];
        row[i].re = hn::Set(d, t.conj ? imag_part(x) : real_part(x));
        if constexpr (is_complex<T>) row[i].im = hn::Set(d, t.conj ? x.real() : x.imag());
      });
    } else if constexpr (lie == Lie::Along) {
      // Right-hand sides that do not exist repeat the first one: zeros would meet infinities, and zero pivots.
      unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA {
        const T* const at = p + i * t.step;
        Run<N, T> run = run_at(at, t.conj, count);
        if (HWY_UNLIKELY(count < N)) run.repeat(count, t.conj ? exchanged(*at) : *at, false);
        take(row[i], run);
      });
    } else {
      // Columns that are read backwards are read as they lie, too: what is masked in front of them was stored just now.
      unrolled<squares>([&](auto q) TRIGON_INLINE_LAMBDA {
        constexpr int i0 = q * N, rows = std::min(N, n - i0);
        const T* const column = p + lowest<i0, rows>(t.step);
        V re[N], im[N];
        if (!is_complex<T> && rows == N && count == N) {
          if constexpr (!is_complex<T>) load_turned(d, column, t.next, re);
        } else {
          unrolled<N>([&](auto j) TRIGON_INLINE_LAMBDA {
            const Run<N, T> run = run_at(column + std::min<int>(j, count - 1) * t.next, t.conj, rows);
            re[j] = run.re;
            if constexpr (is_complex<T>) im[j] = run.im;
          });
          transpose(d, re);
          if constexpr (is_complex<T>) transpose(d, im);
        }
        if (t.step < 0) reverse<rows>(re, im);
        unrolled<rows>([&](auto i) TRIGON_INLINE_LAMBDA {
          row[i0 + i].re = re[i];
          if constexpr (is_complex<T>) row[i0 + i].im = im[i];
        });
      });
    }
  }

  HWY_INLINE void store(const Tiny<T>& t, T* p, int count) const {
    const typename Row::D d;
    if constexpr (lie == Lie::Single) {
      unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA {
        if constexpr (is_complex<T>)
          p[i * t.step] = t.conj ? T(hn::GetLane(row[i].im), hn::GetLane(row[i].re))
                                 : T(hn::GetLane(row[i].re), hn::GetLane(row[i].im));
        else
          p[i * t.step] = hn::GetLane(row[i].re);
      });
    } else if constexpr (lie == Lie::Along) {
      unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA { put_run(row[i].re, row[i].im, p + i * t.step, t.conj, count); });
    } else {
      // Not read once more after each vector, which as far as the compiler knows may have gone there.
      const index step = t.step, next = t.next;
      const Strides<T> columns(next);
      unrolled<squares>([&](auto q) TRIGON_INLINE_LAMBDA {
        constexpr int i0 = q * N, rows = std::min(N, n - i0);
        T* const column = p + lowest<i0, rows>(step);
        V re[N], im[N];
        turned<i0, rows>(step < 0, re, im);
        unrolled<N>([&](auto j) TRIGON_INLINE_LAMBDA {
          if (j < count) put_run(re[j], is_complex<T> ? im[j] : re[j], columns.template of<j>(column), t.conj, rows);
        });
      });
    }
  }

  /// `rows` rows from i0 on, or `back` from the last of them, by columns, of which others repeat the last one.
  template <int i0, int rows>
  HWY_INLINE void turned(bool back, V (&re)[N], V (&im)[N]) const {
    const typename Row::D d;
    unrolled<N>([&](auto i) TRIGON_INLINE_LAMBDA {
      re[i] = row[std::min(i0 + i, n - 1)].re;
      if constexpr (is_complex<T>) im[i] = row[std::min(i0 + i, n - 1)].im;
    });
    if (back) reverse<rows>(re, im);
    transpose(d, re);
    if constexpr (is_complex<T>) transpose(d, im);
  }

 private:
  /// The lowest place of a column of `rows` rows from the i0-th on.
  template <int i0, int rows>
  static HWY_INLINE index lowest(index step) {
    return step < 0 ? 1 - i0 - rows : i0;
  }
  template <int rows>
  static HWY_INLINE void reverse(V (&re)[N], [[maybe_unused]] V (&im)[N]) {
    unrolled<rows / 2>([&](auto i) TRIGON_INLINE_LAMBDA {
      std::swap(re[i], re[rows - 1 - i]);
      if constexpr (is_complex<T>) std::swap(im[i], im[rows - 1 - i]);
    });
  }
  static HWY_INLINE Run<N, T> run_at(const T* p, [[maybe_unused]] bool exchange, int count) {
    Run<N, T> run;
    run.load_up_to(p, count);
    if constexpr (is_complex<T>)
      if (exchange) std::swap(run.re, run.im);
    return run;
  }
  static HWY_INLINE T exchanged(const T& x) {
    if constexpr (is_complex<T>)
      return {x.imag(), x.real()};
    else
      return x;
  }
  static HWY_INLINE void take(Row& row, const Run<N, T>& run) {
    row.re = run.re;
    if constexpr (is_complex<T>) row.im = run.im;
  }
  static HWY_INLINE void put_run(V re, V im, T* p, bool exchange, int count) {
    Run<N, T> run;
    run.re = re;
    if constexpr (is_complex<T>) {
      run.im = im;
      if (exchange) std::swap(run.re, run.im);
    }
    run.store_up_to(p, count);
  }
};

/// What a solve multiplies by: where conjugates are meant, theirs, conjugated as what they multiply is.
template <class T, int n>
struct TinyDivisors {
  HWY_ALIGN real_t<T> value[parts_of<T> * ((n + 7) / 8 * 8)];
  HWY_INLINE T& operator[](int i) { return reinterpret_cast<T*>(value)[i]; }
  HWY_INLINE const T& operator[](int i) const { return reinterpret_cast<const T*>(value)[i]; }

  /// Finds them one by one, or in vectors; true where an element has no safe reciprocal, and is to be divided by.
  HWY_INLINE bool find(const Tiny<T>& t) {
    bool divide = false;
    unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA {
      (*this)[i] = t.a[i * (t.row + t.column)];
      divide |= !reciprocal_is_safe((*this)[i]);
    });
    if (HWY_UNLIKELY(divide)) return true;
    if constexpr (is_complex<T>) {
#pragma GCC unroll 1
      for (int i = 0; i < n; ++i) {
        const hn::CappedTag<real_t<T>, 1> d;
        auto re = hn::Set(d, (*this)[i].real()), im = hn::Set(d, (*this)[i].imag());
        if (t.conj) im = hn::Neg(im);
        reciprocal(d, re, im);
        if (t.conj) im = hn::Neg(im);
        (*this)[i] = T(hn::GetLane(re), hn::GetLane(im));
      }
    } else {
      unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA { (*this)[i] = 1 / (*this)[i]; });
    }
    return false;
  }
  template <Lie lie>
  HWY_INLINE bool find_all(const Tiny<T>& t) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (n > 4 && (is_complex<T> || lie == Lie::Across)) return find_together(t);
#endif
    return find(t);
  }

 private:
#if HWY_TARGET == HWY_AVX3
  HWY_INLINE bool find_together(const Tiny<T>& t) {
    const index step = t.row + t.column;
    bool safe = true;
    unrolled<n / 8>([&](auto e) TRIGON_INLINE_LAMBDA {
      safe &= invert_some<true>(t.a + e * 8 * step, step, 8, t.conj, value + parts_of<T> * e * 8, true);
    });
    if constexpr (constexpr int rest = n % 8; rest > 0)
      safe &= invert_some<false>(t.a + (n - rest) * step, step, rest, t.conj, value + parts_of<T> * (n - rest), true);
    return !safe;
  }
#endif
};

template <class T>
HWY_INLINE T conjugated_if(bool conj, const T& x) {
  if constexpr (is_complex<T>)
    return T(x.real(), conj ? -x.imag() : x.imag());
  else
    return x;
}

/// x := t^-1 x for n rows, dividing.
template <class T, int N>
HWY_NOINLINE void tiny_solve_dividing(const Tiny<T>& t, TinyRow<T, N>* x, int n) {
#pragma GCC unroll 1
  for (int i = 0; i < n; ++i) {
    const T* const row = t.a + i * t.row;
#pragma GCC unroll 1
    for (int k = 0; k < i; ++k) x[i].template add<true>(row[k * t.column], x[k]);
    x[i].divide(row[i * t.column], t.conj);
  }
}

/// x := alpha t^-1 x where an element of the diagonal has no safe reciprocal: rare, so for itself.
template <class T, int n, int N, Lie lie>
HWY_NOINLINE void tiny_block_dividing(const Tiny<T>& t, T* first, int count) {
  TinyBlock<T, n, N, lie> x;
  x.load(t, first, count);
  if (t.alpha) unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA { x.row[i].scale(conjugated_if(t.conj, *t.alpha)); });
  tiny_solve_dividing(t, x.row, n);
  x.store(t, first, count);
}

/// x := alpha t^-1 x or alpha t x. `by`: what a solve multiplies by, unless the triangle is unit.
template <bool inverse, class T, int n, int N, Lie lie>
HWY_INLINE void tiny_apply(const Tiny<T>& t, [[maybe_unused]] const TinyDivisors<T, n>& by,
                           TinyBlock<T, n, N, lie>& x) {
  const auto scale = [&]() HWY_ATTR {
    if (t.alpha) unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA { x.row[i].scale(conjugated_if(t.conj, *t.alpha)); });
  };
  if constexpr (inverse) {
    scale();
    const Strides<const T> columns(t.column);
    const T* row = t.a;
    const auto solve = [&](auto unit) TRIGON_INLINE_LAMBDA {
      unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA {
        unrolled<i>([&](auto k)
                        TRIGON_INLINE_LAMBDA { x.row[i].template add<true>(*columns.template of<k>(row), x.row[k]); });
        if constexpr (!unit) x.row[i].scale(by[i]);
        row = opaque(row + t.row);
      });
    };
    if (t.unit)
      solve(std::true_type());
    else
      solve(std::false_type());
  } else {
    const Strides<const T> columns(t.column);
    const T* row = t.a + (n - 1) * t.row;
    // By a pivot of one nothing is rounded. (Of complex numbers infinite parts would meet its zero.)
    static constexpr T one(1);
    const bool adds = is_complex<T> && t.unit;
    const T* pivot = t.unit ? &one : row + (n - 1) * t.column;
    const index apart = t.unit ? 0 : t.row + t.column;
    unrolled<n>([&](auto done) TRIGON_INLINE_LAMBDA {
      constexpr int i = n - 1 - done;
      typename TinyBlock<T, n, N, lie>::Row sum;
      sum.clear();
      unrolled<i>([&](auto k)
                      TRIGON_INLINE_LAMBDA { sum.template add<false>(*columns.template of<k>(row), x.row[k]); });
      if (adds)
        sum.add(x.row[i]);
      else
        sum.template add<false>(*pivot, x.row[i]);
      row = opaque(row - t.row), pivot = opaque(pivot - apart);
      x.row[i] = sum;
    });
    scale();
  }
}

/// The same of `count` right-hand sides, the first of them at `first`.
template <bool inverse, class T, int n, int N, Lie lie>
HWY_INLINE void tiny_block(const Tiny<T>& t, const TinyDivisors<T, n>& by, T* first, int count) {
  TinyBlock<T, n, N, lie> x;
  x.load(t, first, count);
  tiny_apply<inverse>(t, by, x);
  x.store(t, first, count);
}

/// Whether contiguous columns, N at a time, are read before those in front of them are written. Loads wait for a masked
/// store that they meet in any lane, also in one that is not written; the next column often begins where this one ends
/// (three times as fast with two rows, on Emerald Rapids). For more complex rows registers do not suffice.
template <class T, int n, int N>
inline constexpr bool reads_ahead = (HWY_TARGET == HWY_AVX3) && n % N != 0 && (!is_complex<T> || n <= 3);

/// `blocks` times N columns so.
template <bool inverse, class T, int n, int N>
HWY_NOINLINE void tiny_across_ahead(const Tiny<T>& t, const TinyDivisors<T, n>& by, T* first, index blocks) {
  TinyBlock<T, n, N, Lie::Across> x, next;
#pragma GCC unroll 1
  for (index b = 0; b <= blocks; ++b) {
    if (b < blocks) next.load(t, first + b * N * t.next, N);
    if (b > 0) {
      tiny_apply<inverse>(t, by, x);
      x.store(t, first + (b - 1) * N * t.next, N);
    }
    // One by one: a compiler might copy the whole through memory.
    unrolled<n>([&](auto i) TRIGON_INLINE_LAMBDA {
      x.row[i].re = next.row[i].re;
      if constexpr (is_complex<T>) x.row[i].im = next.row[i].im;
    });
  }
}

/// What a triangle of order one does to a row, found once.
template <bool inverse, class T>
class TinyOne {
 public:
  HWY_INLINE explicit TinyOne(const Tiny<T>& t)
      : scales_(t.alpha), unit_(t.unit), conj_(t.conj), alpha_(t.alpha ? conjugated_if(t.conj, *t.alpha) : T(1)) {
    pivot_[0] = T(1);
    if (unit_) return;
    pivot_[0] = *t.a;
    if constexpr (inverse) divides_ = pivot_.find(t);
  }

  HWY_INLINE bool is_identity() const { return inverse && unit_ && !scales_; }

  template <int N>
  HWY_INLINE void apply(TinyRow<T, N>& x) const {
    if constexpr (inverse) {
      if (scales_) x.scale(alpha_);
      if (HWY_UNLIKELY(divides_))
        x.divide(pivot_[0], conj_);
      else if (!unit_)
        x.scale(pivot_[0]);
    } else {
      TinyRow<T, N> sum;
      sum.clear();
      if (unit_)
        sum.add(x);
      else
        sum.template add<false>(pivot_[0], x);
      if (scales_) sum.scale(alpha_);
      x = sum;
    }
  }

 private:
  const bool scales_, unit_, conj_;
  bool divides_ = false;
  const T alpha_;
  TinyDivisors<T, 1> pivot_;  ///< or its reciprocal
};

/// One contiguous row: a call for each vector would take longer than its work.
template <bool inverse, class T>
HWY_NOINLINE void tiny_line(const Tiny<T>& t, index cols) {
  constexpr int L = lanes_of<real_t<T>>;
  const TinyOne<inverse, T> one(t);
  if (one.is_identity()) return;
  const auto vector = [&](index j, int count) HWY_ATTR {
    TinyBlock<T, 1, L, Lie::Along> x;
    x.load(t, t.x + j, count);
    one.apply(x.row[0]);
    x.store(t, t.x + j, count);
  };
  index j = 0;
  for (; j + L <= cols; j += L) vector(j, L);
  if (j < cols) vector(j, static_cast<int>(cols - j));
}

/// All right-hand sides, a vector of them at a time.
template <bool inverse, class T, int n, Lie lie>
HWY_NOINLINE void tiny_blocks(const Tiny<T>& t, index cols) {
  constexpr int L = lanes_of<real_t<T>>;
  constexpr int N = lie == Lie::Single ? 1 : lie == Lie::Along ? L : std::min(L, n <= 4 ? 4 : 8);
  TinyDivisors<T, n> by;
  const bool divides = inverse && !t.unit && by.template find_all<lie>(t);
  T* x = t.x;
  const auto block = [&](int count) TRIGON_INLINE_LAMBDA {
    if (HWY_UNLIKELY(divides))
      tiny_block_dividing<T, n, N, lie>(t, x, count);
    else
      tiny_block<inverse, T, n, N, lie>(t, by, x, count);
  };
  if constexpr (lie == Lie::Single) {
    block(1);
  } else if constexpr (lie == Lie::Along) {
#pragma GCC unroll 1
    for (; cols > 0; cols -= N, x += N) block(static_cast<int>(std::min<index>(N, cols)));
  } else {
    if constexpr (reads_ahead<T, n, N>)
      if (cols >= 2 * N && !divides)
        tiny_across_ahead<inverse, T, n, N>(t, by, x, cols / N), x += cols / N * N * t.next, cols %= N;
#pragma GCC unroll 1
    for (; cols >= N; cols -= N, x += N * t.next) block(N);
    if (cols > 1) return block(static_cast<int>(cols));
    if (cols == 0) return;
    Tiny<T> last = t;
    last.x = x;
    tiny_blocks<inverse, T, n, Lie::Single>(last, 1);
  }
}

/// A row of elements that are far apart, some at a time by way of a buffer: all are read before any is written, since a
/// load that follows a store to the same place of another page is held up; but no more than a set of the first cache
/// holds, where they all meet in one.
template <bool inverse, class T>
HWY_NOINLINE void tiny_row(const Tiny<T>& t, index cols) {
  constexpr index most = 64, ways = 8, period = 4096;
  const index some = t.next * static_cast<index>(sizeof(T)) % period == 0 ? ways : most;
  HWY_ALIGN real_t<T> room[parts_of<T> * most];
  T* const row = reinterpret_cast<T*>(room);
  const TinyOne<inverse, T> one(t);
  if (one.is_identity()) return;
  for (index j0 = 0; j0 < cols; j0 += some) {
    const index count = std::min(some, cols - j0);
    T* const x = t.x + j0 * t.next;
    for (index j = 0; j < count; ++j) {
      TinyBlock<T, 1, 1, Lie::Single> entry;
      entry.load(t, x + j * t.next, 1);
      one.apply(entry.row[0]);
      entry.store(t, row + j, 1);
    }
    for (index j = 0; j < count; ++j) x[j * t.next] = row[j];
  }
}

/// Any strides for one right-hand side; several are contiguous in one direction.
template <class T>
HWY_INLINE bool is_tiny(const Triangle<T*>& t, const Matrix<T*>& b) {
  if (t.n() >= core::tiny_orders) return false;
  const Lie lie = core::lie_of(b);
  return t.n() <= held_orders<T>(lie).of(b.cols) && (lie != Lie::Across || b.row_stride == 1);
}

/// The kernel for an order and how right-hand sides lie, where is_tiny says yes.
template <bool inverse, class T, int n, Lie lie>
constexpr core::TinyKernel<T> tiny_kernel() {
  if constexpr (n == 0)
    return [](const Tiny<T>&, index) {};
  else if constexpr (n == 1 && lie == Lie::Along)
    return tiny_line<inverse, T>;
  else if constexpr (n == 1 && lie == Lie::Across)
    return tiny_row<inverse, T>;
  else
    return tiny_blocks<inverse, T, n, lie>;
}

template <bool inverse, class T>
constexpr core::TinyTable<T> tiny_table() {
  core::TinyTable<T> table;
  const auto fill = [&]<Lie lie>(std::integral_constant<Lie, lie>) {
    constexpr core::TinyOrders orders = held_orders<T>(lie);
    constexpr int most = static_cast<int>(std::max(orders.any, orders.of_few)), l = static_cast<int>(lie);
    static_assert(most < core::tiny_orders);
    table.orders[l] = orders;
    [&]<int... n>(std::integer_sequence<int, n...>) { ((table.kernel[l][n] = tiny_kernel<inverse, T, n, lie>()), ...); }
    (std::make_integer_sequence<int, most + 1>());
  };
  fill(std::integral_constant<Lie, Lie::Single>());
  fill(std::integral_constant<Lie, Lie::Along>());
  fill(std::integral_constant<Lie, Lie::Across>());
  return table;
}
template <bool inverse, class T>
inline constexpr core::TinyTable<T> tiny_kernels = tiny_table<inverse, T>();

/// b := alpha t^-1 b or alpha t b; true.
template <bool inverse, class T>
HWY_INLINE bool tiny(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b) {
  tiny_kernels<inverse, T>.kernel[static_cast<int>(core::lie_of(b))][t.n()](core::tiny_of(alpha, t, b), b.cols);
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
