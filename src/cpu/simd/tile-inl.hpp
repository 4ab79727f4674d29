// The register tile: MR rows of a packed A-sliver times NV vectors of right-hand sides.
// Lanes are columns, so a triangular solve inside the tile needs no shuffles.
#if defined(TRIGON_CPU_SIMD_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_TILE_INL
#undef TRIGON_CPU_SIMD_TILE_INL
#else
#define TRIGON_CPU_SIMD_TILE_INL
#endif

#include "cpu/simd/sixteen-inl.hpp"

#include <bit>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Reals a packed step of `rows` rows has room for, of either part.
constexpr int room_for(int rows) { return static_cast<int>(std::bit_ceil(static_cast<unsigned>(rows))); }

/// Accumulators, a row of B and one broadcast must fit the registers. Complex numbers leave sixteen of them short of
/// one: see sixteen-inl.hpp.
template <class T>
struct Shape {
  static constexpr bool wide = registers == 32, short_of_one = !wide && is_complex<T>;
  static constexpr int rows = short_of_one ? 3 : (wide ? 8 : 4) / parts_of<T>;
  static constexpr int room = room_for(rows);
  static constexpr int vectors = short_of_one ? 2 : 3;
  static constexpr int columns = vectors * lanes_of<real_t<T>>;
};

/// beta old + alpha sum, one vector at a time, the parts of complex numbers apart: the only place where the
/// packed kernels round an entry of C.
template <class T, class D>
struct Scaling {
  using V = hn::Vec<D>;
  V ar, ai, br, bi;
  bool reads, keeps, plain, real_alpha, real_beta;

  HWY_INLINE Scaling(const T& alpha, const T& beta) {
    const D d;
    ar = hn::Set(d, real_part(alpha)), br = hn::Set(d, real_part(beta));
    if constexpr (is_complex<T>) ai = hn::Set(d, imag_part(alpha)), bi = hn::Set(d, imag_part(beta));
    reads = beta != T(0), keeps = beta == T(1), plain = alpha == T(1);
    real_alpha = imag_part(alpha) == 0, real_beta = imag_part(beta) == 0;
  }

  /// The new entries of reals; `old` is anything if it is not read. In the lanes that `only` makes zero the sum and
  /// what was there are zeros: they meet no infinite alpha or beta.
  template <class Only = AllLanes>
  HWY_INLINE V combine(V sum, V old, const Only& only = {}) const {
    return reads ? hn::MulAdd(only(ar), sum, keeps ? old : hn::Mul(only(br), old)) : hn::Mul(only(ar), sum);
  }
  /// Those of complex numbers as they lie in memory, two vectors of which `low_old` and `high_old` read the old ones.
  /// Where these are kept the sums are put together first: half of the permutations.
  template <class Low, class High, class Only = AllLanes>
  HWY_INLINE void interleaved(V sum_re, V sum_im, const Low& low_old, const High& high_old, V& low, V& high,
                              const Only& only = {}) const {
    const D d;
    V yr = sum_re, yi = sum_im;
    if (!plain) times(ar, ai, real_alpha, yr, yi);  // 1 x is x
    if (reads && !keeps) {
      V xr, xi;
      take_apart(d, low_old(), high_old(), xr, xi);
      times(only(br), only(bi), real_beta, xr, xi);
      yr = hn::Add(yr, xr), yi = hn::Add(yi, xi);
    }
    put_together(d, yr, yi, low, high);
    if (keeps) low = hn::Add(low, low_old()), high = hn::Add(high, high_old());
  }

 private:
  /// x := s x. A real s scales both parts alone: 0 times an infinity in the other one would be a NaN.
  static HWY_INLINE void times(V sr, V si, bool real, V& re, V& im) {
    const V x = re, y = im;
    re = hn::Mul(sr, x), im = hn::Mul(sr, y);
    if (!real) re = hn::NegMulAdd(si, y, re), im = hn::MulAdd(si, x, im);
  }
};

/// Steps from one branch to the next. Sixteen registers hold so few sums of reals that counting takes a fifth of what
/// is executed; nothing is fetched beside such steps.
template <class T>
inline constexpr int steps_together = registers == 16 && !is_complex<T> ? 4 : 1;

/// MR × (NV vectors) accumulators. `a` has room for as many reals (and imaginary parts) per step, `x` holds W of
/// them, as `pack` lays them out; the tile may be narrower than the panel.
template <class T, int MR, int NV, int W = NV* lanes_of<real_t<T>>>
struct Tile {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>, rows = MR, room = room_for(MR), vectors = NV, steps = 1;
  static constexpr int width = NV * L;
  static constexpr int a_step = parts_of<T> * room;
  static constexpr int x_step = parts_of<T> * W;

  V re[MR][NV];
  V im[MR][NV];  // complex only

  HWY_INLINE void clear() {
    const V none = zeros_here(D());
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) {
        re[r][v] = none;
        if constexpr (is_complex<T>) im[r][v] = none;
      }
  }

  /// Row r += a x, or -= with `minus`; the parts of a are at `re_a` and `im_a`. Here and below x may have more vectors.
  template <bool minus, int N>
  HWY_INLINE void add_row(int r, const R* re_a, const R* im_a, const V (&xr)[N], const V (&xi)[N]) {
    const D d;
    const V ar = hn::Set(d, *re_a);
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v) {
      if constexpr (is_complex<T>) {
        re[r][v] = minus ? hn::NegMulAdd(ar, xr[v], re[r][v]) : hn::MulAdd(ar, xr[v], re[r][v]);
        im[r][v] = minus ? hn::NegMulAdd(ar, xi[v], im[r][v]) : hn::MulAdd(ar, xi[v], im[r][v]);
      } else {
        re[r][v] = with_product<minus>(re[r][v], ar, xr[v]);
      }
    }
    if constexpr (is_complex<T>) {
      im[r][NV - 1] = apart(im[r][NV - 1], ar);
      const V ai = hn::Set(d, *im_a);
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) {
        re[r][v] = minus ? hn::MulAdd(ai, xi[v], re[r][v]) : hn::NegMulAdd(ai, xi[v], re[r][v]);
        im[r][v] = minus ? hn::NegMulAdd(ai, xr[v], im[r][v]) : hn::MulAdd(ai, xr[v], im[r][v]);
        if (r == MR - 1) re[r][v] = apart(re[r][v], xi[v]), im[r][v] = apart(im[r][v], xr[v]);
      }
      im[r][NV - 1] = apart(im[r][NV - 1], ai);
    }
  }
  /// The same for a packed step of A.
  template <bool minus, int N>
  HWY_INLINE void add_row(int r, const R* a, const V (&xr)[N], const V (&xi)[N]) {
    add_row<minus>(r, a + r, a + (a_step - room) + r, xr, xi);
  }

  /// Row r += x.
  template <int N>
  HWY_INLINE void add_x(int r, const V (&xr)[N], const V (&xi)[N]) {
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v) {
      re[r][v] = hn::Add(re[r][v], xr[v]);
      if constexpr (is_complex<T>) im[r][v] = hn::Add(im[r][v], xi[v]);
    }
  }

  template <int N>
  static HWY_INLINE void load_x(const R* x, V (&xr)[N], V (&xi)[N]) {
    const D d;
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v) {
      xr[v] = hn::Load(d, x + v * L);
      if constexpr (is_complex<T>) xi[v] = hn::Load(d, x + W + v * L);
    }
  }

  static HWY_INLINE void load_row(int k, const R* panel, V (&xr)[NV], V (&xi)[NV]) {
    load_x(panel + k * x_step, xr, xi);
  }

  /// A step of the packed operands from the second cache into the first, before the sums come to it. Past their end
  /// that is the beginning of what follows, which nothing forbids. Where loads are as many as sums have time for, those
  /// of sixteen registers, the processor is left to see that they go on.
  static HWY_INLINE void fetch_step(const R* a, const R* x) {
    if constexpr (registers == 16) return;
    constexpr int line = 64 / sizeof(R), ahead = 12;
#pragma GCC unroll 4
    for (int r = 0; r < a_step; r += line) hwy::Prefetch(a + ahead * a_step + r);
#pragma GCC unroll 16
    for (int j = 0; j < width; j += line) {
      hwy::Prefetch(x + ahead * x_step + j);
      if constexpr (is_complex<T>) hwy::Prefetch(x + ahead * x_step + W + j);
    }
  }

  /// Adds (subtracts) a rank-one term.
  template <bool minus>
  HWY_INLINE void add_step(const R* HWY_RESTRICT a, const R* HWY_RESTRICT x) {
    if constexpr (fills_sixteen<T, MR, NV>) {
      add_step_of_sixteen<minus, room, W>(re, im, a, x);
    } else {
      V xr[NV], xi[NV];
      load_x(x, xr, xi);
#pragma GCC unroll 8
      for (int r = 0; r < MR; ++r) add_row<minus>(r, a, xr, xi);
    }
  }

  /// Adds (subtracts) `depth` rank-one terms. With each, a line comes closer, into the second cache: the one at `next`,
  /// then that `apart` elements from it.
  template <bool minus, int together = steps_together<T>, class E>
  HWY_INLINE void accumulate(index depth, const R* HWY_RESTRICT a, const R* HWY_RESTRICT x, const E* next,
                             index apart) {
    accumulate<minus, together>(depth, a, x, next, apart, [] HWY_ATTR {});
  }
  /// The same with something beside each step that is not one of some together.
  template <bool minus, int together = steps_together<T>, class E, class Beside>
  HWY_INLINE void accumulate(index depth, const R* HWY_RESTRICT a, const R* HWY_RESTRICT x, const E* next, index apart,
                             const Beside& beside) {
    index k = 0;
    if constexpr (together > 1)
      for (; k + together <= depth; k += together, a += together * a_step, x += together * x_step)
#pragma GCC unroll 8
        for (int q = 0; q < together; ++q) add_step<minus>(a + q * a_step, x + q * x_step);
    for (; k < depth; ++k, a += a_step, x += x_step, next += apart) {
      beside();
      fetch_step(a, x);
      if constexpr (registers == 32) __builtin_prefetch(next, 0, 2);
      add_step<minus>(a, x);
    }
  }

  template <bool minus, int together = steps_together<T>>
  HWY_INLINE void accumulate(index depth, const R* HWY_RESTRICT a, const R* HWY_RESTRICT x) {
    accumulate<minus, together>(depth, a, x, a, 0);
  }

  /// The same of reals, from steps of both factors that are some way apart; the lines of `a` are next to each other or,
  /// if they are `apart`, its steps. With each step something beside it.
  template <bool apart, class Beside>
  HWY_INLINE void accumulate_lying(index depth, const R* a, index a_line, index a_step, const R* x, index x_step,
                                   const Beside& beside) {
    const D d;
    constexpr int line = 64 / sizeof(R);
    for (index k = 0; k < depth; ++k, a += apart ? 1 : a_step, x += x_step) {
      beside();
      if constexpr (!apart) hwy::Prefetch(a + 12 * a_step);
#pragma GCC unroll 16
      for (int j = 0; j < width; j += line) hwy::Prefetch(x + 20 * x_step + j);
      V xr[NV], none[NV];
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) xr[v] = hn::LoadU(d, x + v * L);
#pragma GCC unroll 8
      for (int r = 0; r < MR; ++r) add_row<false>(r, a + (apart ? r * a_line : r), a, xr, none);
    }
  }

  /// The same with rows of x that still lie in B, `ldb` elements apart: each is packed on the way. Lines of B that
  /// come from far apart may share a set of the cache, so that fewer of them are fetched ahead.
  HWY_INLINE void accumulate_from(index depth, const R* HWY_RESTRICT a, const T* b, index ldb, R* HWY_RESTRICT x) {
    const D d;
    for (index k = 0; k < depth; ++k, a += a_step, x += x_step, b += ldb) {
      hwy::Prefetch(a + 12 * a_step);
      V xr[NV], xi[NV];
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) {
        const R* const p = reinterpret_cast<const R*>(b + v * L);
        hwy::Prefetch(b + 8 * ldb + v * L);
        if constexpr (is_complex<T>) {
          hwy::Prefetch(b + 8 * ldb + v * L + L / 2);
          load_interleaved(d, p, xr[v], xi[v]);
          hn::Store(xi[v], d, x + W + v * L);
        } else {
          xr[v] = hn::LoadU(d, p);
        }
        hn::Store(xr[v], d, x + v * L);
      }
#pragma GCC unroll 8
      for (int r = 0; r < MR; ++r) add_row<false>(r, a, xr, xi);
    }
  }

  /// All rows from a packed panel; one row to its place in it.
  HWY_INLINE void load(const R* x) {
    const D d;
#pragma GCC unroll 16
    for (int r = 0; r < MR; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) {
        re[r][v] = hn::Load(d, x + r * x_step + v * L);
        if constexpr (is_complex<T>) im[r][v] = hn::Load(d, x + r * x_step + W + v * L);
      }
  }
  /// All rows from B, `ldb` elements apart, columns next to each other.
  HWY_INLINE void read(const T* b, index ldb) {
    const D d;
#pragma GCC unroll 16
    for (int r = 0; r < MR; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) {
        const R* const p = reinterpret_cast<const R*>(b + r * ldb + v * L);
        if constexpr (is_complex<T>)
          load_interleaved(d, p, re[r][v], im[r][v]);
        else
          re[r][v] = hn::LoadU(d, p);
      }
  }
  /// The first `rows` rows to where `read` finds them.
  HWY_INLINE void put(T* b, index ldb, int rows) const {
    const D d;
#pragma GCC unroll 16
    for (int r = 0; r < MR; ++r) {
      if (r >= rows) break;
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) {
        R* const p = reinterpret_cast<R*>(b + r * ldb + v * L);
        if constexpr (is_complex<T>)
          store_interleaved(re[r][v], im[r][v], d, p);
        else
          hn::StoreU(re[r][v], d, p);
      }
    }
  }
  HWY_INLINE void store_row(int r, R* x) const {
    const D d;
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v) {
      hn::Store(re[r][v], d, x + v * L);
      if constexpr (is_complex<T>) hn::Store(im[r][v], d, x + W + v * L);
    }
  }

  /// After sums in place, and before a row is scaled or stored: where other tiles have something to do.
  HWY_INLINE void fold() {}
  HWY_INLINE void finish_row(int) {}

  /// Row r *= s.
  HWY_INLINE void scale_row(int r, R sr, R si) {
    const D d;
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v) {
      if constexpr (is_complex<T>)
        product_by(d, re[r][v], im[r][v], sr, si);
      else
        re[r][v] = hn::Mul(re[r][v], hn::Set(d, sr));
    }
  }

  /// Row r /= p + i q.
  HWY_INLINE void divide_row(int r, R p, R q) {
    const D d;
    if constexpr (!is_complex<T>) {
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) re[r][v] = hn::Div(re[r][v], hn::Set(d, p));
    } else {
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) quotient_by(d, re[r][v], im[r][v], p, q);
    }
  }

  /// Rows of C are far apart: their lines and translations are fetched while the tile is summed.
  static HWY_INLINE void prefetch(const T* c, index ldc) {
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) prefetch_row(c + r * ldc);
  }
  static HWY_INLINE void prefetch_row(const T* c) {
    constexpr index line = 64 / sizeof(T);
#pragma GCC unroll 8
    for (index j = 0; j < width; j += line) hwy::Prefetch(c + j);
  }

  /// c := beta c + alpha tile, rows `ldc` elements apart, columns next to each other. beta = 0 does not read.
  HWY_INLINE void write(const Scaling<T, D>& s, T* c, index ldc) const {
    const auto each = [&](const auto& put) HWY_ATTR {
#pragma GCC unroll 8
      for (int r = 0; r < MR; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < NV; ++v) put(r, v, reinterpret_cast<R*>(c + r * ldc + v * L));
    };
    // Where sums are short, branches for each vector take as long as they do.
    if (s.keeps && (!is_complex<T> || s.plain))
      return each([&](int r, int v, R* p) HWY_ATTR {
        const D d;
        if constexpr (is_complex<T>) {
          V low, high;
          put_together(d, re[r][v], im[r][v], low, high);
          hn::StoreU(hn::Add(low, hn::LoadU(d, p)), d, p);
          hn::StoreU(hn::Add(high, hn::LoadU(d, p + L)), d, p + L);
        } else {
          hn::StoreU(hn::MulAdd(s.ar, re[r][v], hn::LoadU(d, p)), d, p);
        }
      });
    each([&](int r, int v, R* p) HWY_ATTR { write_vector(s, r, v, p); });
  }

  /// The same for the first `rows` rows and, of row r, the columns [from(r), to(r)).
  template <class From, class To>
  HWY_INLINE void write_some(const T& alpha, const T& beta, T* c, index ldc, int rows, const From& from,
                             const To& to) const {
    const D d;
    const Scaling<T, D> s(alpha, beta);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) {
      if (r >= rows) break;
      const int begin = from(r), end = to(r);
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v) {
        if (end <= v * L || begin >= (v + 1) * L) continue;
        R* const p = reinterpret_cast<R*>(c + r * ldc + v * L);
        if (begin <= v * L && end >= (v + 1) * L) {  // masks take longer than vectors
          write_vector(s, r, v, p);
          continue;
        }
        const auto only = [=](V x)
                              HWY_ATTR { return hn::IfThenElseZero(lanes_between(d, begin - v * L, end - v * L), x); };
        if constexpr (is_complex<T>) {
          const int first = 2 * (begin - v * L), last = 2 * (end - v * L);
          const auto old = [&](int at) HWY_ATTR { return load_lanes(d, p + at, first - at, last - at); };
          V low, high;
          s.interleaved(
              re[r][v], im[r][v], [&] HWY_ATTR { return old(0); }, [&] HWY_ATTR { return old(L); }, low, high, only);
          store_lanes(low, d, p, first, last);
          store_lanes(high, d, p + L, first - L, last - L);
        } else {
          const V old = s.reads ? load_lanes(d, p, begin - v * L, end - v * L) : hn::Zero(d);
          store_lanes(s.combine(only(re[r][v]), old, only), d, p, begin - v * L, end - v * L);
        }
      }
    }
  }

 private:
  HWY_INLINE void write_vector(const Scaling<T, D>& s, int r, int v, R* p) const {
    const D d;
    if constexpr (is_complex<T>) {
      V low, high;
      s.interleaved(
          re[r][v], im[r][v], [&] HWY_ATTR { return hn::LoadU(d, p); }, [&] HWY_ATTR { return hn::LoadU(d, p + L); },
          low, high);
      hn::StoreU(low, d, p);
      hn::StoreU(high, d, p + L);
    } else {
      hn::StoreU(s.combine(re[r][v], s.reads ? hn::LoadU(d, p) : hn::Zero(d)), d, p);
    }
  }
};

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
