// Rank-2k updates of small triangles as one product: alpha A B' + alpha' B A' is M + M' with M = alpha A B'. Half the
// packing of [A B] [B A]', and no tile computes entries that do not exist.
#if defined(TRIGON_CPU_SIMD_FOLDED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_FOLDED_INL
#undef TRIGON_CPU_SIMD_FOLDED_INL
#else
#define TRIGON_CPU_SIMD_FOLDED_INL
#endif

#include "cpu/simd/gemm-inl.hpp"
#include "cpu/simd/turn-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// c := m + m' + beta c where c is stored, m' the transpose or with `conj` the conjugate transpose; rows are
/// contiguous. Rows and columns of m up to the next multiple of N can be read.
template <class T, int N, bool lower>
void add_folded(const T* m, index ldm, real_t<T> beta, T* c, index ldc, index n, bool conj) {
  using U = Unit<T, N>;
  using D = typename U::D;
  constexpr int P = parts_of<T>;
  const auto make_diagonal_real = [&]() HWY_ATTR {
    if constexpr (is_complex<T>)
      for (index i = 0; i < n && conj; ++i) c[i * (ldc + 1)].imag(0);
  };
  if (beta != 0) make_diagonal_real();  // what is not referenced raises no flag
  const hn::Repartition<real_t<T>, D> parts;
  const auto as_parts = [&](typename U::V v) HWY_ATTR { return hn::BitCast(parts, v); };
  const auto factor = hn::Set(parts, beta);
  for (index i0 = 0; i0 < n; i0 += N)
    for (index j0 = lower ? 0 : i0, end = lower ? i0 + 1 : n; j0 < end; j0 += N) {
      typename U::V across[N];
      const auto* row = reinterpret_cast<const typename U::R*>(m + j0 * ldm + i0);
#pragma GCC unroll 16
      for (int r = 0; r < N; ++r, row += ldm * U::lanes) across[r] = hn::LoadU(D(), row);
      U::turn(across);
      const int rows = static_cast<int>(std::min<index>(N, n - i0)),
                cols = static_cast<int>(std::min<index>(N, n - j0));
#pragma GCC unroll 16
      for (int r = 0; r < N; ++r) {
        if (r >= rows) break;
        const int from = i0 == j0 && !lower ? r : 0, to = i0 == j0 && lower ? r + 1 : cols;
        auto* const at = reinterpret_cast<typename U::R*>(c + (i0 + r) * ldc + j0);
        if (conj) across[r] = U::conjugate(across[r]);
        auto sum = hn::Add(as_parts(hn::LoadU(D(), reinterpret_cast<const typename U::R*>(m + (i0 + r) * ldm + j0))),
                           as_parts(across[r]));
        if (beta != 0) {
          const auto old = as_parts(load_lanes(D(), at, from * U::lanes, to * U::lanes));
          // Lanes that do not count are zeros, which meet no infinite beta.
          const auto lanes = lanes_between(parts, from * P, to * P);
          sum = beta == 1 ? hn::Add(sum, old) : hn::MulAdd(hn::IfThenElseZero(lanes, factor), old, sum);
        }
        store_lanes(hn::BitCast(D(), sum), D(), at, from * U::lanes, to * U::lanes);
      }
    }
  make_diagonal_real();
}

/// c := alpha a bt^T + beta c and the same with a and b exchanged, on the triangle of `mask`; bt holds conjugates where
/// that is Hermitian. For a real beta.
template <class T>
bool gemm_folded(const T& alpha, const Matrix<T*>& a, const Matrix<T*>& bt, const T& beta, const Matrix<T*>& c,
                 Mask mask, const Blocking& blocking) {
  const bool turned = c.row_stride == 1;
  if ((c.col_stride != 1 && !turned) || imag_part(beta) != 0) return false;
  const index n = c.rows, ldm = round_up(n, unit_lanes<T>);
  T* const m = scratch<T>(3, static_cast<std::size_t>(ldm * ldm));
  if (!m) return false;
  const Matrix<T*> product{m, n, n, turned ? 1 : ldm, turned ? ldm : 1};
  if (!gemm<T>(alpha, {a}, {bt}, T(0), product, Mask::All, blocking)) return false;
  for (index i = 0; i < n; ++i) std::fill(m + i * ldm + n, m + (i + 1) * ldm, T(0));
  std::fill(m + n * ldm, m + ldm * ldm, T(0));

  constexpr int N = unit_lanes<T>, half = std::min(N, 8);
  const bool low = lower(turned ? transposed(mask) : mask);
  const index ldc = turned ? c.col_stride : c.row_stride;
  const auto add = [&](const auto& kernel)
                       HWY_ATTR { kernel(m, ldm, real_part(beta), c.data, ldc, n, hermitian(mask)); };
  if (N > 8 && n <= 8)
    add(low ? add_folded<T, half, true> : add_folded<T, half, false>);
  else
    add(low ? add_folded<T, N, true> : add_folded<T, N, false>);
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
