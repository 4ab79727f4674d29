// Products of a symmetric or Hermitian matrix with few columns: packing it would take as long as they do. The half that
// is not stored is transposed on its way, a few columns at a time, and used from the first cache.
#if defined(TRIGON_CPU_SIMD_SLENDER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SLENDER_INL
#undef TRIGON_CPU_SIMD_SLENDER_INL
#else
#define TRIGON_CPU_SIMD_SLENDER_INL
#endif

#include "cpu/simd/few_columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Blocks of rows that read the matrix together.
inline constexpr int slender_blocks = 4;

/// C := alpha S B + beta C for some rows.
template <class T>
class Slender : public FewColumns<T> {
  using Base = FewColumns<T>;
  using Base::b_, Base::c_, Base::i0_, Base::height_, Base::kc_, Base::rows, Base::N;
  using Base::begin, Base::bottom_, Base::copy, Base::each, Base::each_block, Base::fill_column, Base::round,
      Base::take_x;

 public:
  Slender(const StoredHalf<T>& s, const Matrix<T*>& b, const T& alpha, const T& beta, const Matrix<T*>& c, index kc)
      : Base(b, alpha, beta, c, kc, slender_blocks), s_(s) {}

  /// The rows of S from `first` on, as many as C has.
  void run(index first) {
    take_x();
    for (index top = 0; top < c_.rows; top += slender_blocks * rows) {
      begin(first, top);
      const index i0 = first + top, i1 = first + bottom_;
      // A page of the matrix is left when all blocks have read what they need of it.
      const auto together = [&](index begin, index end) HWY_ATTR {
        for (index k = begin; k < end; k += slender_steps)
          each_block([&]() HWY_ATTR { stored(k, std::min(end, k + slender_steps)); });
      };
      if (s_.lower) {
        together(0, i0);
        each_block([&]() HWY_ATTR { stored(i0, i0_), diagonal(), mirrored(i0_ + height_, s_.n); });
      } else {
        each_block([&]() HWY_ATTR { mirrored(0, i0_), diagonal(), stored(i0_ + height_, i1); });
        together(i1, s_.n);
      }
      if (s_.n % kc_ != 0) each_block([&]() HWY_ATTR { round(s_.n); });
    }
  }

 private:
  void stored(index begin, index end) { Base::stored({s_.data, s_.ld, s_.conj}, begin, end); }
  /// Those that are stored across the diagonal.
  void mirrored(index begin, index end) {
    each(begin, end, slender_steps, [&](index k, index count) HWY_ATTR {
      turn_blocks<static_cast<int>(N), Part::Whole>(s_.data + k + i0_ * s_.ld, s_.ld, height_, count, copy(), rows);
      return SlenderColumns<T>{copy(), rows, s_.conj_across()};
    });
  }
  void diagonal() {
    s_.complete(i0_, height_, copy(), rows);
    for (index q = 0; q < height_; ++q) fill_column(copy() + q * rows);
    each(i0_, i0_ + height_, height_, [&](index k, index) HWY_ATTR {
      return SlenderColumns<T>{copy() + (k - i0_) * rows, rows, s_.conj_across()};
    });
  }

  const StoredHalf<T> s_;
};

/// Whether so few columns are not worth packing the matrix. One that a cache holds is packed sooner, and where sums are
/// transposed a complex one. `small`: the largest order of products that are not packed, 0 if all are.
template <class T>
bool is_slender(const Factor<T>& a, const Matrix<T*>& c, index small) {
  if (small == 0 || !a.mirrored()) return false;
  constexpr index held = is_complex<T> ? 256 : 160;
  const bool sooner = c.rows <= held || (is_complex<T> && c.row_stride != 1);
  const core::Tuning& t = core::tuning();
  return c.cols <= (sooner ? t.cpu_slender_rhs_small : t.cpu_slender_rhs)[precision_of<T>];
}

/// False if there is no memory for sums and a copy of b.
template <class T>
bool gemm_slender(const T& alpha, const Factor<T>& a, const Matrix<T*>& b, const T& beta, const Matrix<T*>& c,
                  index kc) {
  static_assert(slender_rows<T> <= slender_steps, "a block on the diagonal fits the copy");
  Slender<T> product(StoredHalf<T>(a), b, alpha, beta, c, kc);
  if (!product.has_room()) return false;
  product.run(a.first);
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
