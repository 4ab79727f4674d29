// A step of three rows and two vectors of complex sums, which fill twelve of sixteen registers: three parts of x take
// as many, an element of a the last one, and the fourth part of x is an operand in memory. So 24 multiply-adds take 33
// instructions; two rows of three vectors, which fit without that, take 42. It is written out because compilers, which
// see no register left, keep some of the sums in memory.
#if defined(TRIGON_CPU_SIMD_SIXTEEN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SIXTEEN_INL
#undef TRIGON_CPU_SIMD_SIXTEEN_INL
#else
#define TRIGON_CPU_SIMD_SIXTEEN_INL
#endif

#include "cpu/simd/complex-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Whether tiles of this size are summed that way.
template <class T, int MR, int NV>
inline constexpr bool fills_sixteen = is_complex<T>&& HWY_TARGET == HWY_AVX2&& MR == 3 && NV == 2;

#if HWY_TARGET == HWY_AVX2

// One row, of the sums %re0, %re1, %im0, %im1: its parts of a are at `at` and %c15 bytes on. `m` and `n` are "n" where
// products are subtracted.
// clang-format off
#define TRIGON_SIXTEEN_ROW(type, at, re0, re1, im0, im1, m, n)       \
  "vbroadcasts" type " " at "(%12), %%ymm15\n\t"                     \
  "vf" m "madd231p" type " %%ymm12, %%ymm15, %" re0 "\n\t"           \
  "vf" m "madd231p" type " %%ymm13, %%ymm15, %" re1 "\n\t"           \
  "vf" m "madd231p" type " %%ymm14, %%ymm15, %" im0 "\n\t"           \
  "vf" m "madd231p" type " %c14+32(%13), %%ymm15, %" im1 "\n\t"      \
  "vbroadcasts" type " %c15+" at "(%12), %%ymm15\n\t"                \
  "vf" m "madd231p" type " %%ymm12, %%ymm15, %" im0 "\n\t"           \
  "vf" m "madd231p" type " %%ymm13, %%ymm15, %" im1 "\n\t"           \
  "vf" n "madd231p" type " %%ymm14, %%ymm15, %" re0 "\n\t"           \
  "vf" n "madd231p" type " %c14+32(%13), %%ymm15, %" re1 "\n\t"

#define TRIGON_SIXTEEN_STEP(type, second, third, m, n)                                      \
  asm("vmovap" type " (%13), %%ymm12\n\t"                                                   \
      "vmovap" type " 32(%13), %%ymm13\n\t"                                                 \
      "vmovap" type " %c14(%13), %%ymm14\n\t"                                               \
      TRIGON_SIXTEEN_ROW(type, "0", "0", "1", "2", "3", m, n)                               \
      TRIGON_SIXTEEN_ROW(type, second, "4", "5", "6", "7", m, n)                            \
      TRIGON_SIXTEEN_ROW(type, third, "8", "9", "10", "11", m, n)                           \
      : "+x"(r00), "+x"(r01), "+x"(i00), "+x"(i01), "+x"(r10), "+x"(r11),                   \
        "+x"(i10), "+x"(i11), "+x"(r20), "+x"(r21), "+x"(i20), "+x"(i21)                    \
      : "r"(a), "r"(x), "i"(W * sizeof(R)), "i"(room * sizeof(R)), "m"(a_read), "m"(x_read) \
      : "xmm12", "xmm13", "xmm14", "xmm15")
// clang-format on

/// re, im += a x, or -= with `minus`: a has room for `room` elements of either part, x for W.
template <bool minus, int room, int W, class R, class V>
HWY_INLINE void add_step_of_sixteen(V (&re)[3][2], V (&im)[3][2], const R* a, const R* x) {
  using A = R[2 * room];
  using X = R[2 * W];
  const A& a_read = *reinterpret_cast<const A*>(a);
  const X& x_read = *reinterpret_cast<const X*>(x);
  // Elements of arrays that an assembly writes would stay in memory.
  auto r00 = re[0][0].raw, r01 = re[0][1].raw, r10 = re[1][0].raw, r11 = re[1][1].raw, r20 = re[2][0].raw,
       r21 = re[2][1].raw;
  auto i00 = im[0][0].raw, i01 = im[0][1].raw, i10 = im[1][0].raw, i11 = im[1][1].raw, i20 = im[2][0].raw,
       i21 = im[2][1].raw;
  if constexpr (sizeof(R) == 4) {
    if constexpr (minus)
      TRIGON_SIXTEEN_STEP("s", "4", "8", "n", "");
    else
      TRIGON_SIXTEEN_STEP("s", "4", "8", "", "n");
  } else {
    if constexpr (minus)
      TRIGON_SIXTEEN_STEP("d", "8", "16", "n", "");
    else
      TRIGON_SIXTEEN_STEP("d", "8", "16", "", "n");
  }
  re[0][0] = V{r00}, re[0][1] = V{r01}, re[1][0] = V{r10}, re[1][1] = V{r11}, re[2][0] = V{r20}, re[2][1] = V{r21};
  im[0][0] = V{i00}, im[0][1] = V{i01}, im[1][0] = V{i10}, im[1][1] = V{i11}, im[2][0] = V{i20}, im[2][1] = V{i21};
}

#undef TRIGON_SIXTEEN_STEP
#undef TRIGON_SIXTEEN_ROW
#else

template <bool, int, int, class R, class V>
void add_step_of_sixteen(V (&)[3][2], V (&)[3][2], const R*, const R*);

#endif

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
