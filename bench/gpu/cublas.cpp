#include "cublas.hpp"

#include "device.hpp"

#include <dlfcn.h>

#include <cctype>
#include <limits>
#include <map>
#include <stdexcept>

namespace trigon::gpu {
namespace {

void* library = nullptr;
void* handle = nullptr;

int code(Op op) { return op == Op::NoTrans ? 0 : op == Op::Trans ? 1 : 2; }
int code(Uplo uplo) { return uplo == Uplo::Lower ? 0 : 1; }
int code(Side side) { return side == Side::Left ? 0 : 1; }
int code(Diag diag) { return diag == Diag::NonUnit ? 0 : 1; }

/// cublasDtrsm_v2 for a dtrsm.
void* symbol(const Call& c) {
  static std::map<std::string, void*> known;
  std::string name = "cublas" + routine(c) + "_v2";
  name[6] = static_cast<char>(std::toupper(name[6]));
  const auto [at, fresh] = known.try_emplace(name, nullptr);
  if (fresh) at->second = dlsym(library, name.c_str());
  if (!at->second) throw std::runtime_error("cuBLAS has no " + name);
  return at->second;
}

template <class... Args>
void call(const Call& c, Args... arguments) {
  const int status = reinterpret_cast<int (*)(void*, Args...)>(symbol(c))(handle, arguments...);
  if (status != 0) throw std::runtime_error(routine(c) + ": cuBLAS status " + std::to_string(status));
}

template <class T>
T scalar(std::complex<double> z) {
  if constexpr (is_complex<T>)
    return T(z);
  else
    return static_cast<T>(z.real());
}

template <class T>
void run(const Call& c) {
  using R = real_t<T>;
  const int m = static_cast<int>(c.m), n = static_cast<int>(c.n), k = static_cast<int>(c.k);
  const int lda = static_cast<int>(c.lda), ldb = static_cast<int>(c.ldb), ldc = static_cast<int>(c.ldc);
  const int incx = static_cast<int>(c.incx);
  const T alpha = scalar<T>(c.alpha), beta = scalar<T>(c.beta);
  const R real_alpha = static_cast<R>(c.alpha.real()), real_beta = static_cast<R>(c.beta.real());
  const void *const a = c.a, *const b = c.b;
  switch (c.operation) {
    case Operation::Gemm:
      return call(c, code(c.transa), code(c.transb), m, n, k, &alpha, a, lda, b, ldb, &beta, c.c, ldc);
    case Operation::Symm:
    case Operation::Hemm: return call(c, code(c.side), code(c.uplo), m, n, &alpha, a, lda, b, ldb, &beta, c.c, ldc);
    case Operation::Syrk: return call(c, code(c.uplo), code(c.transa), n, k, &alpha, a, lda, &beta, c.c, ldc);
    case Operation::Herk: return call(c, code(c.uplo), code(c.transa), n, k, &real_alpha, a, lda, &real_beta, c.c, ldc);
    case Operation::Syr2k: return call(c, code(c.uplo), code(c.transa), n, k, &alpha, a, lda, b, ldb, &beta, c.c, ldc);
    case Operation::Her2k:
      return call(c, code(c.uplo), code(c.transa), n, k, &alpha, a, lda, b, ldb, &real_beta, c.c, ldc);
    case Operation::Trsm:
      return call(c, code(c.side), code(c.uplo), code(c.transa), code(c.diag), m, n, &alpha, a, lda, c.b, ldb);
    case Operation::Trmm:
      return call(c, code(c.side), code(c.uplo), code(c.transa), code(c.diag), m, n, &alpha, a, lda, b, ldb, c.b, ldb);
    case Operation::Trmv:
    case Operation::Trsv: return call(c, code(c.uplo), code(c.transa), code(c.diag), n, a, lda, c.b, incx);
  }
}

}  // namespace

std::string open_cublas(void* stream) {
  if (!has_memory_of_its_own()) return "the device is the CPU";
  for (const std::string folder : {"", "/usr/local/cuda/lib64/"})
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
      if (!library) library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return "no libcublas.so on this machine";
  const auto create = reinterpret_cast<int (*)(void**)>(dlsym(library, "cublasCreate_v2"));
  const auto set_stream = reinterpret_cast<int (*)(void*, void*)>(dlsym(library, "cublasSetStream_v2"));
  if (!create || !set_stream) return "libcublas.so lacks cublasCreate";
  if (const int status = create(&handle)) return "cublasCreate: status " + std::to_string(status);
  if (const int status = set_stream(handle, stream)) return "cublasSetStream: status " + std::to_string(status);
  return {};
}

bool cublas_has(const Call& c) {
  for (const index size : {c.m, c.n, c.k, c.lda, c.ldb, c.ldc})
    if (size > std::numeric_limits<int>::max()) return false;
  return c.layout == Layout::ColMajor;
}

void cublas(const Call& c) {
  with_type(c.precision, [&]<class T>(T) { run<T>(c); });
}

}  // namespace trigon::gpu
