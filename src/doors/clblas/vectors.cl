// Level 1 for one precision: R is the real type, T = R, or R2 where COMPLEX. A vector is a buffer, the position of its
// entry 0 and the step to the next. Work is shared among items in blocks of neighbours (block > 0), or in turn.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double R;
typedef double2 R2;
// Thresholds and scales of the norm: J. L. Blue, ACM TOMS 4 (1978); Anderson, ACM TOMS 44 (2017), algorithm 978.
#define BIG 0x1p486
#define SMALL 0x1p-511
#define SCALE_BIG 0x1p-538
#define SCALE_SMALL 0x1p537
#define SAFE_MIN 0x1p-1022
#else
typedef float R;
typedef float2 R2;
#define BIG 0x1p52f
#define SMALL 0x1p-63f
#define SCALE_BIG 0x1p-76f
#define SCALE_SMALL 0x1p75f
#define SAFE_MIN 0x1p-126f
#endif
#pragma OPENCL FP_CONTRACT OFF

#ifdef COMPLEX
typedef R2 T;
R2 times(R2 a, R2 b) { return (R2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
R2 conjugate(R2 a) { return (R2)(a.x, -a.y); }
R size1(R2 a) { return fabs(a.x) + fabs(a.y); }
#define ZERO ((R2)(0, 0))
#else
typedef R T;
R times(R a, R b) { return a * b; }
R conjugate(R a) { return a; }
R size1(R a) { return fabs(a); }
#define ZERO ((R)0)
#endif

#define VECTOR(v) __global T *v, const long v##_first, const long v##_step
#define CONST_VECTOR(v) __global const T *v, const long v##_first, const long v##_step
#define AT(v, i) v[v##_first + (i)*v##_step]
// The share of an item of n entries.
#define EACH(i)                                                                                  \
  for (long item = get_global_id(0), by = block > 0 ? 1 : get_global_size(0),                    \
            i = block > 0 ? item * block : item, end = block > 0 ? min(n, (item + 1) * block) : n; \
       i < end; i += by)

__kernel void copy(const long n, const long block, CONST_VECTOR(x), VECTOR(y)) {
  EACH(i) AT(y, i) = AT(x, i);
}

__kernel void swap(const long n, const long block, VECTOR(x), VECTOR(y)) {
  EACH(i) {
    const T kept = AT(x, i);
    AT(x, i) = AT(y, i);
    AT(y, i) = kept;
  }
}

__kernel void scal(const long n, const long block, const T alpha, VECTOR(x)) {
  EACH(i) AT(x, i) = times(alpha, AT(x, i));
}

// A complex vector by a real number.
__kernel void scal_real(const long n, const long block, const R alpha, VECTOR(x)) {
  EACH(i) AT(x, i) = alpha * AT(x, i);
}

__kernel void axpy(const long n, const long block, const T alpha, CONST_VECTOR(x), VECTOR(y)) {
  EACH(i) AT(y, i) = AT(y, i) + times(alpha, AT(x, i));
}

__kernel void rot(const long n, const long block, const R c, const R s, VECTOR(x), VECTOR(y)) {
  EACH(i) {
    const T a = AT(x, i), b = AT(y, i);
    AT(x, i) = c * a + s * b;
    AT(y, i) = c * b - s * a;
  }
}

// Sums come in two launches: one number, or three, for every item, then one item for all of them in order.
__kernel void dot_begin(const long n, const long block, const int conjugated, CONST_VECTOR(x), CONST_VECTOR(y),
                  __global T *partial) {
  T sum = ZERO;
  EACH(i) sum += times(conjugated ? conjugate(AT(x, i)) : AT(x, i), AT(y, i));
  partial[get_global_id(0)] = sum;
}

__kernel void dot_end(const long items, __global const T *partial, __global T *result, const long at) {
  T sum = ZERO;
  for (long i = 0; i < items; ++i) sum += partial[i];
  result[at] = sum;
}

__kernel void asum(const long n, const long block, CONST_VECTOR(x), __global R *partial) {
  R sum = 0;
  EACH(i) sum += size1(AT(x, i));
  partial[get_global_id(0)] = sum;
}

__kernel void asum_end(const long items, __global const R *partial, __global R *result, const long at) {
  R sum = 0;
  for (long i = 0; i < items; ++i) sum += partial[i];
  result[at] = sum;
}

// Squares of what is big, small (both scaled) and between, apart: none overflows or vanishes.
void add_square(R v, R *big, R *middle, R *small) {
  const R a = fabs(v);
  if (a > BIG) {
    *big += (a * SCALE_BIG) * (a * SCALE_BIG);
  } else if (a < SMALL) {
    *small += (a * SCALE_SMALL) * (a * SCALE_SMALL);
  } else {
    *middle += a * a;  // a NaN comes here
  }
}

__kernel void nrm2(const long n, const long block, CONST_VECTOR(x), __global R *partial) {
  R big = 0, middle = 0, small = 0;
  EACH(i) {
    const T v = AT(x, i);
#ifdef COMPLEX
    add_square(v.x, &big, &middle, &small);
    add_square(v.y, &big, &middle, &small);
#else
    add_square(v, &big, &middle, &small);
#endif
  }
  partial += 3 * get_global_id(0);
  partial[0] = big, partial[1] = middle, partial[2] = small;
}

__kernel void nrm2_end(const long items, __global const R *partial, __global R *result, const long at) {
  R big = 0, middle = 0, small = 0;
  for (long i = 0; i < items; ++i) big += partial[3 * i], middle += partial[3 * i + 1], small += partial[3 * i + 2];
  R norm;
  if (big > 0 || isnan(big)) {
    norm = sqrt(big + (middle * SCALE_BIG) * SCALE_BIG) / SCALE_BIG;
  } else if (small > 0 && middle == 0) {
    norm = sqrt(small) / SCALE_SMALL;
  } else if (small > 0) {
    const R a = sqrt(middle), b = sqrt(small) / SCALE_SMALL, most = a < b ? b : a, least = a < b ? a : b;
    norm = most * sqrt(1 + (least / most) * (least / most));
  } else {
    norm = sqrt(middle);
  }
  result[at] = norm;
}

// The first NaN, or else the first largest: whether b, at position j, comes before a, at i.
int leads(R b, ulong j, R a, ulong i) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? j < i : isnan(b);
  return b > a || (b == a && j < i);
}

__kernel void iamax(const long n, const long block, CONST_VECTOR(x), __global R *partial, __global ulong *place) {
  R most = -1;
  ulong where = 0;
  EACH(i) {
    const R a = size1(AT(x, i));
    if (leads(a, i, most, where)) most = a, where = i;
  }
  partial[get_global_id(0)] = most;
  place[get_global_id(0)] = where;
}

__kernel void iamax_end(const long items, __global const R *partial, __global const ulong *place, __global uint *result,
                        const long at) {
  R most = -1;
  ulong where = 0;
  for (long i = 0; i < items; ++i)
    if (leads(partial[i], place[i], most, where)) most = partial[i], where = place[i];
  result[at] = (uint)where + 1;
}

// A result that is known: 0 for what BLAS defines for increments that are not positive.
__kernel void clear_real(__global R *result, const long at) { result[at] = 0; }
__kernel void clear_place(__global uint *result, const long at) { result[at] = 0; }

#ifdef COMPLEX
// c real, s complex, c^2 + |s|^2 = 1: c a + s b = r and -conj(s) a + c b = 0, a becomes r.
__kernel void rotg(__global R2 *as, const long at_a, __global R2 *bs, const long at_b, __global R *cs, const long at_c,
                   __global R2 *ss, const long at_s) {
  const R2 a = as[at_a], b = bs[at_b];
  const R size_a = hypot(a.x, a.y), size_b = hypot(b.x, b.y);
  if (size_b == 0) {
    cs[at_c] = 1, ss[at_s] = ZERO;
  } else if (size_a == 0) {
    // r = |b| would do as well; netlib's r is b.
    cs[at_c] = 0, ss[at_s] = (R2)(1, 0), as[at_a] = b;
  } else {
    const R scale = fmax(size_a, size_b), u = size_a / scale, v = size_b / scale, norm = sqrt(u * u + v * v);
    const R2 direction = a / size_a;
    cs[at_c] = u / norm;
    ss[at_s] = times(direction, conjugate(b / scale)) / norm;
    as[at_a] = direction * (scale * norm);
  }
}
#else
// c^2 + s^2 = 1: c a + s b = r and c b - s a = 0; a becomes r, b the number z that holds both.
__kernel void rotg(__global R *as, const long at_a, __global R *bs, const long at_b, __global R *cs, const long at_c,
                   __global R *ss, const long at_s) {
  const R a = as[at_a], b = bs[at_b], size_a = fabs(a), size_b = fabs(b);
  R c = 1, s = 0, r = a, z = 0;
  if (size_b != 0 && size_a == 0) {
    c = 0, s = 1, r = b, z = 1;
  } else if (size_b != 0) {
    const R scale = fmin(1 / SAFE_MIN, fmax(SAFE_MIN, fmax(size_a, size_b))), u = a / scale, v = b / scale;
    r = copysign(scale * sqrt(u * u + v * v), size_a > size_b ? a : b);
    c = a / r, s = b / r;
    z = size_a > size_b ? s : c != 0 ? 1 / c : 1;
  }
  as[at_a] = r, bs[at_b] = z, cs[at_c] = c, ss[at_s] = s;
}

__kernel void rotm(const long n, const long block, VECTOR(x), VECTOR(y), __global const R *param, const long at) {
  const R flag = param[at];
  if (flag == -2) return;
  const R h11 = flag == 0 ? 1 : param[at + 1], h21 = flag > 0 ? -1 : param[at + 2];
  const R h12 = flag > 0 ? 1 : param[at + 3], h22 = flag == 0 ? 1 : param[at + 4];
  EACH(i) {
    const R a = AT(x, i), b = AT(y, i);
    AT(x, i) = a * h11 + b * h12;
    AT(y, i) = a * h21 + b * h22;
  }
}

// Lawson, Hanson, Kincaid and Krogh, ACM TOMS 5 (1979): d1 and d2 stay between 2^-24 and 2^24.
__kernel void rotmg(__global R *d1s, const long at_d1, __global R *d2s, const long at_d2, __global R *x1s,
                    const long at_x1, __global const R *y1s, const long at_y1, __global R *param, const long at) {
  const R step = 4096, most = step * step, least = 1 / most;
  R d1 = d1s[at_d1], d2 = d2s[at_d2], x1 = x1s[at_x1];
  const R y1 = y1s[at_y1], p2 = d2 * y1, p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
  R flag = -1, h11 = 0, h21 = 0, h12 = 0, h22 = 0;
  if (d1 >= 0 && p2 == 0) {
    param[at] = -2;
    return;
  }
  if (d1 >= 0 && fabs(q1) > fabs(q2)) {
    h21 = -y1 / x1, h12 = p2 / p1;
    const R u = 1 - h12 * h21;
    if (u > 0) flag = 0, d1 /= u, d2 /= u, x1 *= u, h11 = 1, h22 = 1;
  } else if (d1 >= 0 && q2 >= 0) {
    h11 = p1 / p2, h22 = x1 / y1;
    const R u = 1 + h11 * h22, kept = d2 / u;
    flag = 1, d2 = d1 / u, d1 = kept, x1 = y1 * u, h21 = -1, h12 = 1;
  }
  if (flag < 0) {
    d1 = 0, d2 = 0, x1 = 0, h11 = 0, h21 = 0, h12 = 0, h22 = 0;
  }
  while (d1 != 0 && (d1 <= least || d1 >= most) && isfinite(d1)) {
    const R by = d1 <= least ? step : 1 / step;
    flag = -1, d1 *= by * by, x1 /= by, h11 /= by, h12 /= by;
  }
  while (d2 != 0 && (fabs(d2) <= least || fabs(d2) >= most) && isfinite(d2)) {
    const R by = fabs(d2) <= least ? step : 1 / step;
    flag = -1, d2 *= by * by, h21 /= by, h22 /= by;
  }
  d1s[at_d1] = d1, d2s[at_d2] = d2, x1s[at_x1] = x1;
  // What the flag says of an entry is not stored.
  param[at] = flag;
  if (flag != 0) param[at + 1] = h11, param[at + 4] = h22;
  if (flag <= 0) param[at + 2] = h21, param[at + 3] = h12;
}
#endif
