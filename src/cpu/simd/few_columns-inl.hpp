// Sums of a matrix's columns times few columns of B, which are not worth packing the matrix. Lanes run down its rows, a
// block of them at a time, whose sums lie in the first cache. Every entry is summed and rounded as the packed kernel
// does it.
#if defined(TRIGON_CPU_SIMD_FEW_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_FEW_COLUMNS_INL
#undef TRIGON_CPU_SIMD_FEW_COLUMNS_INL
#else
#define TRIGON_CPU_SIMD_FEW_COLUMNS_INL
#endif

#include "cpu/kernels.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/pack-inl.hpp"
#include "cpu/simd/small-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Columns of B that are taken together, vectors down a block of rows, and the most columns of the matrix at a time.
inline constexpr int slender_group = 4, slender_vectors = 4, slender_steps = 64;
template <class T>
inline constexpr index slender_rows = slender_vectors* unit_lanes<T>;

/// The fewest columns of B for which columns are copied, 64 at a time.
inline constexpr index slender_copied = 24;

/// What multiplies a vector down the rows: two vectors made of it and two of x. In products of complex numbers, the
/// imaginary part begins with that of the factor along which lanes of C run: the matrix, or x if `across`. All signs
/// are those of x, of which each element is four numbers: neighbours are what lanes need in turn.
template <class T, bool across>
struct SlenderTerms {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int reals = is_complex<T> ? 4 : 1, step = reals * slender_group;

  static HWY_INLINE void split(V a, V& first, V& second) {
    first = across ? hn::DupEven(a) : a;
    second = across ? hn::DupOdd(a) : hn::Reverse2(D(), a);
  }
  /// `conj`: of the vector, the conjugate is meant.
  template <bool conj>
  static HWY_INLINE void load(const R* x, V& first, V& second) {
    if constexpr (across) {
      first = pair(x + 1), second = pair(conj ? x + 2 : x);
    } else {
      first = conj ? pair(x + 2) : hn::Set(D(), x[2]);
      second = conj ? hn::Set(D(), x[1]) : pair(x);
    }
  }
  static HWY_INLINE void keep(R* x, T value, bool conj) {
    const R re = real_part(value), im = conj ? -imag_part(value) : imag_part(value);
    x[0] = -im, x[1] = across ? re : im, x[2] = across ? im : re, x[3] = -re;
  }

 private:
  static HWY_INLINE V pair(const R* p) { return everywhere<2>(D(), p); }
};

/// y += a x: U vectors of y in each of CC columns, `next` reals apart; `depth` columns of a, conjugates with `conj`.
template <class T, bool across, int CC, int U, bool conj>
HWY_NOINLINE void slender_tile(const real_t<T>* HWY_RESTRICT a, index next_a, const real_t<T>* HWY_RESTRICT x,
                               index depth, real_t<T>* HWY_RESTRICT y, index next) {
  using Terms = SlenderTerms<T, across>;
  using V = typename Terms::V;
  constexpr int L = lanes_of<real_t<T>>;
  constexpr index ahead = 8;
  const typename Terms::D d;
  V sum[CC][U];
#pragma GCC unroll 4
  for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) sum[j][u] = hn::Load(d, y + j * next + u * L);
#pragma GCC unroll 1
  for (; depth > 0; --depth, a += next_a, x += Terms::step) {
    V first[U], second[U];
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) {
      hwy::Prefetch(a + ahead * next_a + u * L);
      first[u] = hn::LoadU(d, a + u * L);
      if constexpr (loads_twice<CC * parts_of<T>>) first[u] = kept(first[u]);
      if constexpr (is_complex<T>) Terms::split(first[u], first[u], second[u]);
    }
#pragma GCC unroll 4
    for (int j = 0; j < CC; ++j) {
      if constexpr (is_complex<T>) {
        V x0, x1;
        Terms::template load<conj>(x + j * Terms::reals, x0, x1);
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) sum[j][u] = hn::MulAdd(first[u], x0, sum[j][u]);
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) sum[j][u] = hn::MulAdd(second[u], x1, sum[j][u]);
      } else {
        const V x0 = hn::Set(d, x[j]);
#pragma GCC unroll 4
        for (int u = 0; u < U; ++u) sum[j][u] = hn::MulAdd(first[u], x0, sum[j][u]);
      }
    }
  }
#pragma GCC unroll 4
  for (int j = 0; j < CC; ++j)
#pragma GCC unroll 4
    for (int u = 0; u < U; ++u) hn::Store(sum[j][u], d, y + j * next + u * L);
}

/// Columns of the matrix beside a block of rows, as they are multiplied.
template <class T>
struct SlenderColumns {
  const T* data;
  index ld;
  bool conj;
};

/// Blocks of rows of C := alpha (sums) + beta C. `kc`: how many steps are summed before rounding.
template <class T>
class FewColumns {
 protected:
  using R = real_t<T>;
  using D = Tag<R>;
  static constexpr int P = parts_of<T>, L = lanes_of<R>, group = slender_group;
  static constexpr int reals = SlenderTerms<T, false>::reals;  ///< of x for an element
  static constexpr index rows = slender_rows<T>, N = unit_lanes<T>;

  /// `blocks`: as many have sums at a time.
  FewColumns(const Matrix<T*>& b, const T& alpha, const T& beta, const Matrix<T*>& c, index kc, index blocks)
      : b_(b), alpha_(alpha), beta_(beta), c_(c), kc_(kc), blocks_(blocks), across_(c.row_stride != 1) {}

 public:
  bool has_room() {
    x_ = scratch<R>(0, static_cast<std::size_t>(reals * round_up(b_.cols, group) * b_.rows));
    all_ = scratch<R>(1, static_cast<std::size_t>(P * rows * (blocks_ * b_.cols + turned_height())));
    return x_ && all_;
  }

 protected:
  index turned_height() const { return round_up(b_.cols, 16); }  // as the blocks of `turn`

  /// B by groups of columns: for each row the group's elements.
  void take_x() {
    for (index j = 0; j < b_.cols; j += group) {
      const int cols = static_cast<int>(std::min<index>(group, b_.cols - j));
      R* out = x_ + reals * j * b_.rows;
      const T* from = b_.data + j * b_.col_stride;
      if constexpr (!is_complex<T>) {
        pack<group>(out, from, b_.col_stride, b_.row_stride, cols, b_.rows, false);
      } else {
        for (index k = 0; k < b_.rows; ++k, out += reals * group, from += b_.row_stride)
          for (int q = 0; q < cols; ++q) {
            if (across_)
              SlenderTerms<T, true>::keep(out + q * reals, from[q * b_.col_stride], b_.conj);
            else
              SlenderTerms<T, false>::keep(out + q * reals, from[q * b_.col_stride], b_.conj);
          }
      }
    }
  }

  /// Begins the sums of as many blocks of rows of C from `top` on as have some; the matrix has its row 0 in `first`.
  void begin(index first, index top) {
    first_ = first, top_ = top, bottom_ = std::min(c_.rows, top + blocks_ * rows);
    std::fill(all_, all_ + blocks_ * P * rows * b_.cols, R(0));
  }
  /// f() for each of them.
  template <class F>
  void each_block(const F& f) {
    for (row_ = top_; row_ < bottom_; row_ += rows) {
      i0_ = first_ + row_, height_ = std::min(rows, bottom_ - row_), y_ = all_ + P * (row_ - top_) * b_.cols;
      f();
    }
  }

  /// Columns [begin, end) of the matrix beside the block: in place unless the last vector is not full, or they are
  /// read so often that it pays to have them side by side.
  void stored(const SlenderColumns<T>& s, index begin, index end) {
    const T* const from = s.data + i0_;
    if (height_ % N == 0 && b_.cols < slender_copied)
      return each(begin, end, slender_steps, [&](index k, index) HWY_ATTR {
        return SlenderColumns<T>{from + k * s.ld, s.ld, s.conj};
      });
    each(begin, end, slender_steps, [&](index k, index count) HWY_ATTR {
      for (index q = 0; q < count; ++q) take_column(from + (k + q) * s.ld, copy() + q * rows);
      return SlenderColumns<T>{copy(), rows, s.conj};
    });
  }
  /// The last element is repeated to the end of its vector: padding then raises no exception of its own.
  void fill_column(T* column) const {
    for (index i = height_; i % N != 0; ++i) column[i] = column[height_ - 1];
  }
  void take_column(const T* from, T* out) const {
    const D d;
    const index whole = height_ / N * N;
    for (index i = 0; i < whole; i += N)
      hn::StoreU(hn::LoadU(d, reinterpret_cast<const R*>(from + i)), d, reinterpret_cast<R*>(out + i));
    for (index i = whole; i < height_; ++i) out[i] = from[i];
    fill_column(out);
  }

  /// Adds columns(k, count) for all of [begin, end), at most `most` at a time and none across a place where sums are
  /// rounded.
  template <class F>
  void each(index begin, index end, index most, const F& columns) {
    for (index k = begin, next = 0; k < end; k = next) {
      next = std::min({end, k + most, (k / kc_ + 1) * kc_});
      add(columns(k, next - k), k, next - k);
      if (next % kc_ == 0) round(next);
    }
  }

  void add(const SlenderColumns<T>& a, index k, index depth) {
    const int vectors = static_cast<int>((height_ + N - 1) / N);
    for (index j = 0; j < b_.cols; j += group)
      of_few<group>(std::min<index>(group, b_.cols - j), [&]<int CC>(std::integral_constant<int, CC>) HWY_ATTR {
        int u = 0;
        const auto take = [&]<int U>(std::integral_constant<int, U>) HWY_ATTR {
          const R* const column = reinterpret_cast<const R*>(a.data) + u * L;
          const R* const x = x_ + reals * (j * b_.rows + group * k);
          R* const y = y_ + P * rows * j + u * L;
          constexpr bool complex = is_complex<T>;
          const auto kernel =
              across_  ? (a.conj ? slender_tile<T, complex, CC, U, complex> : slender_tile<T, complex, CC, U, false>)
              : a.conj ? slender_tile<T, false, CC, U, complex>
                       : slender_tile<T, false, CC, U, false>;
          kernel(column, a.ld * P, x, depth, y, P * rows);
          u += U;
        };
        constexpr int most = registers == 32 ? 4 : 2;
        while (u + most <= vectors) take(std::integral_constant<int, most>{});
        if (u + 2 <= vectors) take(std::integral_constant<int, 2>{});
        if (u < vectors) take(std::integral_constant<int, 1>{});
      });
  }

  /// C := alpha sums + C, or + beta C the first time; the sums begin anew. `done`: columns of S.
  void round(index done) {
    const D d;
    const InterleavedScaling<T> scaling(alpha_, done <= kc_ ? beta_ : T(1));
    const auto line = [&](const R* sums, R* c, int reals) HWY_ATTR {
      for (; reals > 0; reals -= L, sums += L, c += L) {
        const bool whole = reals >= L;
        if (whole) {
          const auto old = scaling.reads ? hn::LoadU(d, c) : hn::Zero(d);
          hn::StoreU(scaling.combine(hn::LoadU(d, sums), old), d, c);
        } else {
          const Front<D> rest(reals);
          const auto only = [&](hn::Vec<D> v) HWY_ATTR { return rest.only(v); };
          const auto old = scaling.reads ? rest.load(c) : hn::Zero(d);
          rest.store(scaling.combine(rest.load(sums), old, only), c);
        }
      }
    };
    if (!across_) {
      for (index j = 0; j < b_.cols; ++j)
        line(y_ + P * rows * j, reinterpret_cast<R*>(c_.data + row_ + j * c_.col_stride),
             static_cast<int>(P * height_));
    } else {
      const index ld = turned_height();
      T* const turned = reinterpret_cast<T*>(all_ + blocks_ * P * rows * b_.cols);
      turn(reinterpret_cast<const T*>(y_), rows, b_.cols, height_, Part::Whole, turned, ld);
      for (index i = 0; i < height_; ++i)
        line(reinterpret_cast<const R*>(turned + i * ld), reinterpret_cast<R*>(c_.data + (row_ + i) * c_.row_stride),
             static_cast<int>(P * b_.cols));
    }
    std::fill(y_, y_ + P * rows * b_.cols, R(0));
  }

  T* copy() { return reinterpret_cast<T*>(copy_); }

  const Matrix<T*> b_;
  const T alpha_, beta_;
  const Matrix<T*> c_;
  const index kc_, blocks_;
  const bool across_;  ///< C is contiguous by rows, the sums are by columns
  index first_ = 0, top_ = 0, bottom_ = 0;
  index row_ = 0, i0_ = 0, height_ = 0;             ///< the first row of a block in C and in the matrix
  R *x_ = nullptr, *all_ = nullptr, *y_ = nullptr;  ///< all_: sums of all blocks, y_: those of one
  HWY_ALIGN R copy_[slender_vectors * L * slender_steps];
};

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
