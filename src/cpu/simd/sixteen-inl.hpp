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

/// The same of four columns of interleaved numbers and three vectors down them.
template <class T, int CC, int U>
inline constexpr bool fills_sixteen_interleaved = is_complex<T>&& HWY_TARGET == HWY_AVX2&& CC == 4 && U == 3;

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

// One column, of the sums %s0, %s1, %s2: its element of x, or the imaginary part of that, is at `at`.
// clang-format off
#define TRIGON_SIXTEEN_COLUMN(type, at, s0, s1, s2)                  \
  "vbroadcasts" type " " at ", %%ymm15\n\t"                          \
  "vfmadd231p" type " %%ymm12, %%ymm15, %" s0 "\n\t"                \
  "vfmadd231p" type " %%ymm13, %%ymm15, %" s1 "\n\t"                \
  "vfmadd231p" type " %%ymm14, %%ymm15, %" s2 "\n\t"

#define TRIGON_SIXTEEN_COLUMNS(type, part)                                        \
  TRIGON_SIXTEEN_COLUMN(type, part "(%14)", "0", "1", "2")                        \
  TRIGON_SIXTEEN_COLUMN(type, part "(%14,%15)", "3", "4", "5")                    \
  TRIGON_SIXTEEN_COLUMN(type, part "(%14,%15,2)", "6", "7", "8")                  \
  TRIGON_SIXTEEN_COLUMN(type, part "(%14,%16)", "9", "10", "11")

#define TRIGON_SIXTEEN_EACH(before, after)            \
  before "%%ymm12, %%ymm12" after "\n\t"              \
  before "%%ymm13, %%ymm13" after "\n\t"              \
  before "%%ymm14, %%ymm14" after "\n\t"

#define TRIGON_SIXTEEN_INTERLEAVED(type, conjugated, exchange, size)                        \
  asm("vmovup" type " (%12), %%ymm12\n\t"                                                   \
      "vmovup" type " 32(%12), %%ymm13\n\t"                                                 \
      "vmovup" type " (%12,%13), %%ymm14\n\t"                                               \
      conjugated                                                                            \
      TRIGON_SIXTEEN_COLUMNS(type, "")                                                      \
      TRIGON_SIXTEEN_EACH("vpermilp" type " " exchange ", ", "")                            \
      TRIGON_SIXTEEN_EACH("vxorp" type " (%17), ", "")                                      \
      TRIGON_SIXTEEN_COLUMNS(type, size)                                                    \
      : "+x"(s00), "+x"(s01), "+x"(s02), "+x"(s10), "+x"(s11), "+x"(s12),                   \
        "+x"(s20), "+x"(s21), "+x"(s22), "+x"(s30), "+x"(s31), "+x"(s32)                    \
      : "r"(a), "r"(last * sizeof(R)), "r"(x), "r"(step * sizeof(R)), "r"(3 * step * sizeof(R)), "r"(signs) \
      : "xmm12", "xmm13", "xmm14", "xmm15", "memory")
// clang-format on

/// The same of four columns and three vectors down them, complex numbers interleaved: sum(j) += a x(j). The last vector
/// of a begins `last` reals after the first one, x(j + 1) `step` reals after x(j). With `conj` a is conjugated; `signs`
/// flip what of a with its parts exchanged becomes negative and, a vector on, its imaginary parts.
template <bool conj, class R, class V>
HWY_INLINE void add_interleaved_step_of_sixteen(V (&sum)[4][3], const R* a, index last, const R* x, index step,
                                                const R* signs) {
  auto s00 = sum[0][0].raw, s01 = sum[0][1].raw, s02 = sum[0][2].raw, s10 = sum[1][0].raw, s11 = sum[1][1].raw,
       s12 = sum[1][2].raw;
  auto s20 = sum[2][0].raw, s21 = sum[2][1].raw, s22 = sum[2][2].raw, s30 = sum[3][0].raw, s31 = sum[3][1].raw,
       s32 = sum[3][2].raw;
  if constexpr (sizeof(R) == 4) {
    if constexpr (conj)
      TRIGON_SIXTEEN_INTERLEAVED("s", TRIGON_SIXTEEN_EACH("vxorps 32(%17), ", ""), "$0xb1", "4");
    else
      TRIGON_SIXTEEN_INTERLEAVED("s", "", "$0xb1", "4");
  } else {
    if constexpr (conj)
      TRIGON_SIXTEEN_INTERLEAVED("d", TRIGON_SIXTEEN_EACH("vxorpd 32(%17), ", ""), "$5", "8");
    else
      TRIGON_SIXTEEN_INTERLEAVED("d", "", "$5", "8");
  }
  sum[0][0] = V{s00}, sum[0][1] = V{s01}, sum[0][2] = V{s02}, sum[1][0] = V{s10}, sum[1][1] = V{s11};
  sum[1][2] = V{s12}, sum[2][0] = V{s20}, sum[2][1] = V{s21}, sum[2][2] = V{s22}, sum[3][0] = V{s30};
  sum[3][1] = V{s31}, sum[3][2] = V{s32};
}
#undef TRIGON_SIXTEEN_INTERLEAVED
#undef TRIGON_SIXTEEN_EACH
#undef TRIGON_SIXTEEN_COLUMNS
#undef TRIGON_SIXTEEN_COLUMN
#else

template <bool, int, int, class R, class V>
void add_step_of_sixteen(V (&)[3][2], V (&)[3][2], const R*, const R*);
template <bool, class R, class V>
void add_interleaved_step_of_sixteen(V (&)[4][3], const R*, index, const R*, index, const R*);

#endif

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
