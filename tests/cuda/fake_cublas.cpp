// A stand-in for libcublas over the CPU shim, whose device memory is the host's: the twelve functions that the provider
// looks up. Products are plain sums. What the provider promises of a handle is checked in every call, and status 14
// says that it is not so.
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

enum Status { ok = 0, alloc_failed = 3, invalid_value = 7, internal_error = 14 };

struct Handle {
  void* stream = nullptr;
  bool has_stream = false;
  void* workspace = nullptr;
  std::size_t bytes = 0;
  int math = -1, atomics = -1, pointers = -1;

  bool kept() const {
    return has_stream && workspace && bytes >= 1 << 20 && math == 0 && atomics == 0 && pointers == 0;
  }
};

long long calls = 0, handles = 0;
Handle last;  ///< as the last product found it

bool fails(const char* where) {
  const char* value = std::getenv("FAKE_CUBLAS_FAILS");
  return value && std::string_view(value) == where;
}

template <class T>
T conj_if(bool conj, T x) {
  if constexpr (!std::is_arithmetic_v<T>)
    if (conj) return std::conj(x);
  return x;
}

template <class T>
int gemm(void* handle, int transa, int transb, std::int64_t m, std::int64_t n, std::int64_t k, const T* alpha,
         const T* a, std::int64_t lda, const T* b, std::int64_t ldb, const T* beta, T* c, std::int64_t ldc) {
  const auto* h = static_cast<const Handle*>(handle);
  last = *h;
  if (!h->kept()) return internal_error;
  if (fails("gemm")) return alloc_failed;
  const std::int64_t rows_a = transa ? k : m, rows_b = transb ? n : k;
  // Its complex numbers are CUDA's, whose alignment is their size: what is not would be an end of the process.
  for (const void* operand : {static_cast<const void*>(a), static_cast<const void*>(b), static_cast<const void*>(c)})
    if (reinterpret_cast<std::uintptr_t>(operand) % sizeof(T) != 0) return invalid_value;
  if (m < 0 || n < 0 || k < 0 || lda < rows_a || ldb < rows_b || ldc < m) return invalid_value;
  ++calls;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < m; ++i) {
      T sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum += conj_if(transa == 2, transa ? a[l + i * lda] : a[i + l * lda]) *
               conj_if(transb == 2, transb ? b[j + l * ldb] : b[l + j * ldb]);
      T& x = c[i + j * ldc];
      x = *beta == T(0) ? *alpha * sum : *alpha * sum + *beta * x;
    }
  return ok;
}

}  // namespace

extern "C" {

long long fake_cublas_calls() { return calls; }
long long fake_cublas_handles() { return handles; }
long long fake_cublas_stream() { return reinterpret_cast<long long>(last.stream); }
long long fake_cublas_workspace() { return reinterpret_cast<long long>(last.workspace); }
long long fake_cublas_workspace_bytes() { return static_cast<long long>(last.bytes); }

int cublasCreate_v2(void** handle) {
  if (fails("create")) return alloc_failed;
  *handle = new Handle;
  ++handles;
  return ok;
}
int cublasDestroy_v2(void* handle) {
  delete static_cast<Handle*>(handle);
  --handles;
  return ok;
}
/// Takes the workspace away, as the real one does.
int cublasSetStream_v2(void* handle, void* stream) {
  auto* h = static_cast<Handle*>(handle);
  h->stream = stream, h->has_stream = true, h->workspace = nullptr, h->bytes = 0;
  return ok;
}
int cublasSetWorkspace_v2(void* handle, void* workspace, std::size_t bytes) {
  auto* h = static_cast<Handle*>(handle);
  h->workspace = workspace, h->bytes = bytes;
  return fails("workspace") ? invalid_value : ok;
}
int cublasSetMathMode(void* handle, int mode) { return static_cast<Handle*>(handle)->math = mode, ok; }
int cublasSetAtomicsMode(void* handle, int mode) { return static_cast<Handle*>(handle)->atomics = mode, ok; }
int cublasSetPointerMode_v2(void* handle, int mode) { return static_cast<Handle*>(handle)->pointers = mode, ok; }
const char* cublasGetStatusString(int status) { return status == alloc_failed ? "no memory" : "a fake failure"; }

#define FAKE_GEMM(letter, T)                                                                                           \
  int cublas##letter##gemm_v2_64(void* handle, int transa, int transb, std::int64_t m, std::int64_t n, std::int64_t k, \
                                 const T* alpha, const T* a, std::int64_t lda, const T* b, std::int64_t ldb,           \
                                 const T* beta, T* c, std::int64_t ldc) {                                              \
    return gemm(handle, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                 \
  }
FAKE_GEMM(S, float)
FAKE_GEMM(D, double)
FAKE_GEMM(C, std::complex<float>)
FAKE_GEMM(Z, std::complex<double>)
}
