// What all kernels share: vectors of VW reals, register tiles of MR rows by NR = NV * VW columns, complex numbers with
// real and imaginary parts apart (PARTS = 2). Options: REAL, VW, MR, NV, COMPLEX.
//
// Packed panels hold W lines step by step: panel[step][part][line]. Lines of A's panels are rows of the tile (W = MR),
// lines of B's are its columns (W = NR), which are the lanes of vectors. Matrices are views: element (i, j) lies at
// offset + i * row_stride + j * col_stride, strides of either sign.
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define UNROLL _Pragma("unroll")
#define INLINE static inline __attribute__((always_inline))
/// What takes long beside a call of it, so that it is compiled once: PoCL compiles the body of a kernel three times.
#define OUTLINE static __attribute__((noinline))

typedef REAL real;
/// Declares a structure of numbers.cl.
#define NUMBERS(name)       \
  typedef struct name name; \
  struct name
typedef CAT(REAL, VW) vec;
#define LOAD CAT(vload, VW)
#define NR (NV * VW)
#define PARTS (COMPLEX + 1)

// Complex numbers as memory has them, and apart. One shuffle each, where the compiler has a name for it.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define SHUFFLE __builtin_shufflevector
#endif
#endif

// Whole vectors are stored and copied by assignment where types may be less aligned: PoCL's vload and vstore, one after
// the other, move quarters of them.
#ifdef SHUFFLE
#define STORE_AS(type, x, i, p) (((__global type*)(p))[i] = (x))
typedef vec loose_vec __attribute__((aligned(sizeof(real))));
#define STORE(x, i, p) STORE_AS(loose_vec, x, i, p)
#define COPY(from, to) (*(__global loose_vec*)(to) = *(__global const loose_vec*)(from))
#else
#define STORE CAT(vstore, VW)
#define COPY(from, to) STORE(LOAD(0, from), 0, to)
#endif

#if VW == 2
#define LANES 0, 1
#define EVEN 0, 2
#define ODD 1, 3
#define LOW 0, 2
#define HIGH 1, 3
#elif VW == 4
#define LANES 0, 1, 2, 3
#define EVEN 0, 2, 4, 6
#define ODD 1, 3, 5, 7
#define LOW 0, 4, 1, 5
#define HIGH 2, 6, 3, 7
#elif VW == 8
#define LANES 0, 1, 2, 3, 4, 5, 6, 7
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define ODD 1, 3, 5, 7, 9, 11, 13, 15
#define LOW 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else
#define LANES 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#endif

#if COMPLEX
/// VW complex numbers, their real and imaginary parts.
INLINE void load_complex(vec* re, vec* im, __global const real* p) {
  const vec x = LOAD(0, p), y = LOAD(1, p);
#ifdef SHUFFLE
  *re = SHUFFLE(x, y, EVEN), *im = SHUFFLE(x, y, ODD);
#else
  re->lo = x.even, re->hi = y.even, im->lo = x.odd, im->hi = y.odd;
#endif
}
INLINE void store_complex(const vec re, const vec im, __global real* p) {
#ifdef SHUFFLE
  STORE(SHUFFLE(re, im, LOW), 0, p), STORE(SHUFFLE(re, im, HIGH), 1, p);
#else
  vec low, high;
  low.even = re.lo, low.odd = im.lo, high.even = re.hi, high.odd = im.hi;
  STORE(low, 0, p), STORE(high, 1, p);
#endif
}
#endif

/// Ask for a cache line that will be read, or written. OpenCL's own prefetch() does nothing on PoCL, and elsewhere
/// there is no other.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define WILL_READ(p) __builtin_prefetch((const void*)(uintptr_t)(p), 0)
#define WILL_READ_LATER(p) __builtin_prefetch((const void*)(uintptr_t)(p), 0, 2)
#define WILL_WRITE(p) __builtin_prefetch((const void*)(uintptr_t)(p), 1)
#else
#define WILL_READ(p) (void)(p)
#define WILL_READ_LATER(p) (void)(p)
#define WILL_WRITE(p) (void)(p)
#endif
#define LINE (64 / (int)sizeof(real))

/// A step of a panel of W lines.
#define STEP(W) ((W)*PARTS)

/// Row tiles whose rows of a column share a pair of cache lines.
#define TOGETHER (2 * LINE > MR * PARTS ? 2 * LINE / (MR * PARTS) : 1)

/// Row tiles by which right-hand sides are packed and delivered: runs of columns so long that processors fetch ahead in
/// them. Stores of short ones wait for each other where all columns fall into one set of a cache.
#define RUN (4 * TOGETHER)

/// The order of the square blocks that are transposed in registers.
#define BLOCK (MR < VW ? MR : VW)
#if MR < VW
#define BLOCK_WIDTH MR
#else
#define BLOCK_WIDTH VW
#endif
typedef CAT(REAL, BLOCK_WIDTH) block_row;
#define LOAD_BLOCK CAT(vload, BLOCK_WIDTH)
#ifdef SHUFFLE
typedef block_row loose_row __attribute__((aligned(sizeof(real))));
#define STORE_BLOCK(x, i, p) STORE_AS(loose_row, x, i, p)
#else
#define STORE_BLOCK CAT(vstore, BLOCK_WIDTH)
#endif

#ifdef SHUFFLE
/// Transposes eight by eight: pairs of rows are interleaved, then pairs of pairs, in halves of 128 bits where that is
/// half a row (other shuffles of it take several instructions), then the halves.
#define TRANSPOSE_EIGHT(name, row, MIX)                                           \
  INLINE void name(row r[8]) {                                                    \
    row t[8], u[8];                                                               \
    UNROLL for (int i = 0; i < 8; i += 2) {                                       \
      t[i] = MIX(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);                       \
      t[i + 1] = MIX(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);                 \
    }                                                                             \
    UNROLL for (int h = 0; h < 8; h += 4) UNROLL for (int i = 0; i < 2; ++i) {    \
      u[h + 2 * i] = MIX(t[h + i], t[h + i + 2], 0, 1, 8, 9, 4, 5, 12, 13);       \
      u[h + 2 * i + 1] = MIX(t[h + i], t[h + i + 2], 2, 3, 10, 11, 6, 7, 14, 15); \
    }                                                                             \
    UNROLL for (int i = 0; i < 4; ++i) {                                          \
      r[i] = MIX(u[i], u[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);                       \
      r[i + 4] = MIX(u[i], u[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);                 \
    }                                                                             \
  }
#endif

#if defined(SHUFFLE) && BLOCK_WIDTH == 8
TRANSPOSE_EIGHT(transpose_block, block_row, SHUFFLE)
#else
/// Transposes a block: each pass interleaves the two halves of its rows, which rotates the bits of an element's place.
INLINE void transpose_block(block_row r[BLOCK]) {
  UNROLL for (int pass = 1; pass < BLOCK; pass *= 2) {
    block_row t[BLOCK];
    UNROLL for (int i = 0; i < BLOCK / 2; ++i) {
      t[2 * i].even = r[i].lo, t[2 * i].odd = r[i + BLOCK / 2].lo;
      t[2 * i + 1].even = r[i].hi, t[2 * i + 1].odd = r[i + BLOCK / 2].hi;
    }
    UNROLL for (int i = 0; i < BLOCK; ++i) r[i] = t[i];
  }
}
#endif

/// The register tile: the real parts of a row's vectors, then their imaginary parts.
#define TILE(name) vec name[MR][NV * PARTS]

/// Sums begin at 0; those that will be added to others at -0, which changes no sign of a zero.
INLINE void clear(TILE(t), const real zero) {
  UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < NV * PARTS; ++v) t[i][v] = (vec)(zero);
}

/// The first `nv` vectors. How long the loop is, is known before nv is: else some become copies of memory, which keep a
/// tile out of registers.
#define EACH_VECTOR(v, nv) UNROLL for (int v = 0; v < NV; ++v) if (v < (nv))

/// t += a x, or t -= a x, for the first `nv` vectors of a row and their imaginary parts.
INLINE void add_row(const int nv, vec* t, const int minus, const real ar, const real ai, const vec x[NV * PARTS]) {
  const vec r = (vec)(minus ? -ar : ar);
  UNROLL for (int p = 0; p < PARTS; ++p) EACH_VECTOR(v, nv) t[p * NV + v] = fma(r, x[p * NV + v], t[p * NV + v]);
#if COMPLEX
  // A loop of its own: registers suffice for one part of a at a time.
  const vec im = (vec)(minus ? -ai : ai);
  EACH_VECTOR(v, nv) {
    t[v] = fma(-im, x[NV + v], t[v]);
    t[NV + v] = fma(im, x[v], t[NV + v]);
  }
#endif
}

/// The first `nv` vectors of a step of B, and their imaginary parts.
INLINE void load_step(const int nv, vec x[NV * PARTS], __global const real* b) {
  UNROLL for (int p = 0; p < PARTS; ++p) EACH_VECTOR(v, nv) x[p * NV + v] = LOAD(p * NV + v, b);
}

/// Where something of one of a product's factors is: a row tile, the entries of a step `line` apart, or a panel.
typedef struct {
  __global const real* at;
  long line, step;
} steps;

/// `at` is in a panel of w lines.
INLINE steps panel_at(const int w, __global const real* at) {
  const steps s = {at, 1, STEP(w)};
  return s;
}
INLINE steps after(const steps s, const long k) {
  const steps later = {s.at + k * s.step, s.line, s.step};
  return later;
}

/// t += A B, or t -= A B, for the first `nv` vectors of rows, over `count` steps of A and B. Imaginary parts of A are
/// `w` elements after the real ones. If `ahead`, each step asks for the next `each` elements from `next` on, which will
/// be read later; if that is 2, also for steps of A, which another processor may have packed. (Where a step of A is
/// spread over lines, the addresses of its entries need all registers.)
INLINE void add_steps(const int nv, TILE(t), const int minus, const long count, const int w, steps a, steps b,
                      const int ahead, __global const real* next, const long each) {
  _Pragma("unroll 1") for (long k = 0; k < count; ++k, a.at += a.step, b.at += b.step, next += each) {
    vec x[NV * PARTS];
    load_step(nv, x, b.at);
#if !COMPLEX
    UNROLL for (int l = 0; l < NR; l += LINE) if (l < nv * VW) WILL_READ(b.at + 8 * b.step + l);
    if (ahead > 1) WILL_READ(a.at + 32 * a.step);
#else
    // A step takes so long that processors are ahead in B by themselves.
    WILL_READ(a.at + 8 * a.step), WILL_READ(a.at + 8 * a.step + w);
#endif
    if (ahead) WILL_READ_LATER(next);
    UNROLL for (int i = 0; i < MR; ++i) add_row(nv, t[i], minus, a.at[i * a.line], COMPLEX ? a.at[w + i] : 0, x);
  }
}
/// The same of a panel of A, of which the tile's MR lines begin at a, and one of B.
INLINE void add_product_and(const int nv, TILE(t), const int minus, const long count, const int w,
                            __global const real* a, __global const real* b, const int ahead, __global const real* next,
                            const long each) {
  add_steps(nv, t, minus, count, w, panel_at(w, a), panel_at(NR, b), 2 * ahead, next, each);
}
/// Cache lines that are asked for one after the other: `count` of them `apart`, and as many `beside` them, `runs` in
/// all.
typedef struct {
  __global const real* at;
  long apart, beside, count, runs;
} lines;

/// The same, while these lines are asked for, one with each step: first those that are needed `soon`.
INLINE void add_product_and_lines(const int nv, TILE(t), const int minus, const long all, const int w,
                                  __global const real* a, __global const real* b, const lines soon, const lines later) {
  _Pragma("unroll 1") for (long k = 0, run = 0, end; k < all; k = end, ++run) {
    const bool first = run < soon.runs;
    const long beside = first ? run * soon.beside : (run - soon.runs) * later.beside;
    end = min(all, k + (first ? soon.count : later.count));
    add_product_and(nv, t, minus, end - k, w, a + k * STEP(w), b + k * STEP(NR), 1,
                    (first ? soon.at : later.at) + beside, first ? soon.apart : later.apart);
  }
}
INLINE void add_product(const int nv, TILE(t), const int minus, const long count, const int w, __global const real* a,
                        __global const real* b) {
  add_product_and(nv, t, minus, count, w, a, b, 0, b, 0);
}

/// x := s x for the first `nv` vectors of a row and, if complex, their imaginary parts.
INLINE void scale_row(const int nv, vec x[NV * PARTS], const real sr, const real si) {
  EACH_VECTOR(v, nv) {
#if COMPLEX
    const vec r = x[v], im = x[NV + v];
    x[v] = fma((vec)(-si), im, (vec)(sr)*r);
    x[NV + v] = fma((vec)(si), r, (vec)(sr)*im);
#else
    x[v] *= (vec)(sr);
#endif
  }
}
