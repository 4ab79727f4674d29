#include "cuda/cublas.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace trigon::cuda {
namespace {

using core::Matrix;
using Int = std::int64_t;

/// The numbers of cublas_api.h that are used here.
enum Status : int { ok = 0, alloc_failed = 3 };
enum Transposition : int { none = 0, transposed = 1, adjoint = 2 };
constexpr int default_math = 0, no_atomics = 0, host_scalars = 0;

template <class T>
using Gemm = int(void*, int, int, Int, Int, Int, const T*, const T*, Int, const T*, Int, const T*, T*, Int);

/// The functions with sizes of 64 bits, which there are since version 12.
struct Functions {
  int (*create)(void**) = nullptr;
  int (*destroy)(void*) = nullptr;
  int (*set_stream)(void*, void*) = nullptr;
  int (*set_workspace)(void*, void*, std::size_t) = nullptr;
  int (*set_math_mode)(void*, int) = nullptr;
  int (*set_atomics_mode)(void*, int) = nullptr;
  int (*set_pointer_mode)(void*, int) = nullptr;
  const char* (*status_string)(int) = nullptr;
  Gemm<float>* s = nullptr;
  Gemm<double>* d = nullptr;
  Gemm<std::complex<float>>* c = nullptr;
  Gemm<std::complex<double>>* z = nullptr;
};

Functions cublas;

/// The symbol that a library lacks, or null.
const char* look_up(void* library) {
  const char* missing = nullptr;
  const auto find = [&](auto*& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (!function && !missing) missing = symbol;
  };
  find(cublas.create, "cublasCreate_v2");
  find(cublas.destroy, "cublasDestroy_v2");
  find(cublas.set_stream, "cublasSetStream_v2");
  find(cublas.set_workspace, "cublasSetWorkspace_v2");
  find(cublas.set_math_mode, "cublasSetMathMode");
  find(cublas.set_atomics_mode, "cublasSetAtomicsMode");
  find(cublas.set_pointer_mode, "cublasSetPointerMode_v2");
  find(cublas.status_string, "cublasGetStatusString");
  find(cublas.s, "cublasSgemm_v2_64");
  find(cublas.d, "cublasDgemm_v2_64");
  find(cublas.c, "cublasCgemm_v2_64");
  find(cublas.z, "cublasZgemm_v2_64");
  return missing;
}

CublasLibrary opened(const std::string& name) {
  std::vector<std::string> files{name};
  if (name == "cublas") {
    files.clear();
    for (const char* folder : {"", "/usr/local/cuda/lib64/"})
      for (const char* file : {"libcublas.so.13", "libcublas.so.12"}) files.push_back(std::string(folder) + file);
  }
  std::string why;
  for (const std::string& file : files) {
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      if (why.empty()) why = dlerror();
      continue;
    }
    if (const char* missing = look_up(library)) {
      why = file + " has no " + missing;
      dlclose(library);
      continue;
    }
    Dl_info where;
    const bool known = dladdr(reinterpret_cast<const void*>(cublas.create), &where) != 0;
    return {known ? where.dli_fname : file, {}};
  }
  return {{}, why};
}

void check(int status, const char* what) {
  if (status == ok) return;
  throw failure(status == alloc_failed ? core::Status::OutOfMemory : core::Status::DeviceError,
                std::string("cuBLAS, ") + what + ": " + cublas.status_string(status) + " (status " +
                    std::to_string(status) + ")");
}

template <class T>
Gemm<T>* gemm_of() {
  if constexpr (std::is_same_v<T, float>)
    return cublas.s;
  else if constexpr (std::is_same_v<T, double>)
    return cublas.d;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return cublas.c;
  else
    return cublas.z;
}

struct Word {
  int op;
  Int ld;
};

/// A view as BLAS would name it; false if it cannot. CUDA's complex numbers are aligned to their size, ours to half.
template <class T>
bool put_into_words(const Matrix<T*>& m, Word& word) {
  if (reinterpret_cast<std::uintptr_t>(m.data) % sizeof(T) != 0) return false;
  if (m.row_stride == 1 && !m.conj) {
    word = {none, std::max({m.col_stride, m.rows, index{1}})};
    return true;
  }
  word = {m.conj ? adjoint : transposed, std::max({m.row_stride, m.cols, index{1}})};
  return m.col_stride == 1;
}

}  // namespace

const CublasLibrary& open_cublas(const std::string& name) {
  static const CublasLibrary& library = *new CublasLibrary(opened(name));
  return library;
}

Cublas::Cublas(const Stream& stream) {
  if (capturing(stream))
    throw failure(core::Status::InvalidArgument,
                  "the stream is being captured: a queue that has cuBLAS's GEMM is made before");
  workspace_ = DeviceMemory(stream, workspace_bytes);
  check(cublas.create(&handle_), "making a handle");
  try {
    check(cublas.set_stream(handle_, stream.handle), "setting the stream");  // which takes the workspace away
    check(cublas.set_workspace(handle_, workspace_.address(), workspace_bytes), "setting the workspace");
    check(cublas.set_math_mode(handle_, default_math), "setting the math mode");
    check(cublas.set_atomics_mode(handle_, no_atomics), "setting the atomics mode");
    check(cublas.set_pointer_mode(handle_, host_scalars), "setting the pointer mode");
  } catch (...) {
    (void)cublas.destroy(handle_);
    throw;
  }
}

Cublas::~Cublas() { (void)cublas.destroy(handle_); }

template <class T>
bool Cublas::gemm(T alpha, Matrix<T*> a, Matrix<T*> b, T beta, Matrix<T*> c) const {
  if (c.row_stride != 1) {  // C^T = B^T A^T has neighbours in a column
    const auto first = core::transpose(b);
    b = core::transpose(a), a = first, c = core::transpose(c);
  }
  Word wa, wb, wc;
  if (!put_into_words(a, wa) || !put_into_words(b, wb) || !put_into_words(c, wc) || wc.op != none) return false;
  check(gemm_of<T>()(handle_, wa.op, wb.op, c.rows, c.cols, a.cols, &alpha, a.data, wa.ld, b.data, wb.ld, &beta, c.data,
                     wc.ld),
        "GEMM");
  return true;
}

#define TRIGON_INSTANTIATE(T) template bool Cublas::gemm(T, Matrix<T*>, Matrix<T*>, T, Matrix<T*>) const;
TRIGON_INSTANTIATE(float)
TRIGON_INSTANTIATE(double)
TRIGON_INSTANTIATE(std::complex<float>)
TRIGON_INSTANTIATE(std::complex<double>)

}  // namespace trigon::cuda
