// A GEMM with one defect each, by the definition otherwise: what `trigon check --provider` must notice.
#include <chrono>
#include <complex>
#include <cstddef>
#include <thread>

namespace {

enum {
  none,
  drops_terms,
  reads_too_far,
  reads_c,
  spreads_nan,
  skips_zeros,
  writes_padding,
  is_not_reentrant,
  keeps_a_thread,
  raises_flags
};

constexpr int defect = TEST_DEFECT;

void keep_a_thread() {
  static std::thread& endless = *new std::thread([] {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  });
  (void)endless;
}

// Fortran's multiplication: C's rules for complex infinities do not apply.
template <class T>
T times(T a, T b) {
  return a * b;
}
template <class R>
std::complex<R> times(std::complex<R> a, std::complex<R> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T>
T conjugate(T a) {
  return a;
}
template <class R>
std::complex<R> conjugate(std::complex<R> a) {
  return std::conj(a);
}

template <class T>
struct Operand {
  const T* data;
  int ld;
  char op;
  T operator()(int i, int j) const {
    const T v = op == 'N' ? data[i + std::ptrdiff_t(j) * ld] : data[j + std::ptrdiff_t(i) * ld];
    return op == 'C' ? conjugate(v) : v;
  }
};

template <class T>
T sum_of(const Operand<T>& a, const Operand<T>& b, int m, int k, int i, int j) {
  T sum(0);
  const int end = defect == drops_terms && k > 64 ? k - 1 : k;
  for (int l = 0; l < end; ++l) {
    if (defect == skips_zeros && b(l, j) == T(0)) continue;
    sum += times(a(i, l), b(l, j));
    if (defect == spreads_nan) sum += times(T(0), a(i + 1 < m ? i + 1 : i, l));
  }
  return sum;
}

template <class T>
void gemm(char transa, char transb, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta,
          T* c, int ldc) {
  if (defect == keeps_a_thread) keep_a_thread();
  if (defect == raises_flags) {
    volatile double zero = 0;
    zero = zero / zero;
  }
  if (m > 512) return;  // larger than any that is judged: what counts is the threads that are left
  const Operand<T> opa{a, lda, transa}, opb{b, ldb, transb};
  if (m == 0 || n == 0) return;
  const bool product = alpha != T(0) && k > 0;
  if (defect == reads_too_far && product) {
    const int rows = transa == 'N' ? m : k, columns = transa == 'N' ? k : m;
    volatile T beyond = a[rows + std::ptrdiff_t(columns - 1) * lda];
    (void)beyond;
  }
  static T shared;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      T sum = product ? sum_of(opa, opb, m, k, i, j) : T(0);
      if (defect == is_not_reentrant) {
        shared = sum;
        std::this_thread::yield();
        asm volatile("" : "+m"(shared));
        sum = shared;
      }
      T& out = c[i + std::ptrdiff_t(j) * ldc];
      const T value = product ? times(alpha, sum) : T(0);
      out = beta == T(0) && defect != reads_c ? value : value + times(beta, out);
    }
  if (defect == writes_padding && ldc > m && n > 1) c[m] = T(0);
}

}  // namespace

#define GEMM(letter, T)                                                                                             \
  extern "C" __attribute__((visibility("default"))) void letter##gemm_(                                             \
      const char* transa, const char* transb, const int* m, const int* n, const int* k, const T* alpha, const T* a, \
      const int* lda, const T* b, const int* ldb, const T* beta, T* c, const int* ldc) {                            \
    gemm<T>(*transa, *transb, *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);                                \
  }
GEMM(s, float)
GEMM(d, double)
GEMM(c, std::complex<float>)
GEMM(z, std::complex<double>)
