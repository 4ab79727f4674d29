// Products of a large matrix, whose columns are contiguous and come from memory, with few columns: two pages of one
// column after the other, which processors fetch ahead, where a walk along rows would leave each page for the next one.
#if defined(TRIGON_CPU_SIMD_STREAMED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_STREAMED_INL
#undef TRIGON_CPU_SIMD_STREAMED_INL
#else
#define TRIGON_CPU_SIMD_STREAMED_INL
#endif

#include "cpu/simd/few_columns-inl.hpp"
#include "cpu/simd/small_limits-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Columns of the matrix at a time, as many as are asked for ahead; blocks of rows, 128 bytes each; columns of B.
inline constexpr index streamed_steps = 8, streamed_blocks = 64, streamed_most = 16;

/// C := alpha A B + beta C.
template <class T>
class Streamed : public FewColumns<T> {
  using Base = FewColumns<T>;

 public:
  Streamed(const Matrix<T*>& a, const Matrix<T*>& b, const T& alpha, const T& beta, const Matrix<T*>& c, index kc)
      : Base(b, alpha, beta, c, kc, streamed_blocks), a_(a) {}

  void run() {
    this->take_x();
    const index depth = a_.cols;
    const SlenderColumns<T> columns{a_.data, a_.col_stride, a_.conj};
    for (index top = 0; top < this->c_.rows; top += streamed_blocks * Base::rows) {
      this->begin(0, top);
      for (index k = 0; k < depth; k += streamed_steps)
        this->each_block([&]() HWY_ATTR { this->stored(columns, k, std::min(depth, k + streamed_steps)); });
      if (depth % this->kc_ != 0) this->each_block([&]() HWY_ATTR { this->round(depth); });
    }
  }

 private:
  const Matrix<T*> a_;
};

/// Whether C, which is contiguous by columns, has so few of them that an `a` from memory is streamed. `small`: the
/// largest order of products that are not packed. Measured with sixteen registers alone.
template <class T>
bool is_streamed(const Factor<T>& a, const Factor<T>& bt, const Matrix<T*>& c, index small) {
  const bool general = a.form == Form::General && bt.form == Form::General;
  return registers == 16 && general && a.a.row_stride == 1 && c.cols <= std::min(small, streamed_most) &&
         is_far<T>(c.rows * a.a.cols);
}

/// False if there is no memory for sums and a copy of b.
template <class T>
bool gemm_streamed(const T& alpha, const Matrix<T*>& a, const Matrix<T*>& b, const T& beta, const Matrix<T*>& c,
                   index kc) {
  Streamed<T> product(a, b, alpha, beta, c, kc);
  if (!product.has_room()) return false;
  product.run();
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
