#include "trigon/bench/opencl_peer.hpp"

#include <dlfcn.h>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <cctype>
#include <complex>
#include <filesystem>

#include "trigon/bench/operands.hpp"

namespace trigon::bench {
namespace {

using Buffer = const void*;  // a cl_mem
constexpr std::size_t start = 0;

// The values of clblast_c.h, and what a queue, no events to wait for and no event to be told are in its calls.
struct ClblastWords {
  static int of(Layout l) { return l == Layout::RowMajor ? 101 : 102; }
  static int of(Op op) { return op == Op::NoTrans ? 111 : op == Op::Trans ? 112 : 113; }
  static int of(Uplo u) { return u == Uplo::Upper ? 121 : 122; }
  static int of(Diag d) { return d == Diag::NonUnit ? 131 : 132; }
  static int of(Side s) { return s == Side::Left ? 141 : 142; }
  static std::size_t of_increment(index n) { return static_cast<std::size_t>(n); }

  template <class... Args>
  static int invoke(void* f, void* queue, Args... args) {
    return reinterpret_cast<int (*)(Args..., void**, void**)>(f)(args..., &queue, nullptr);
  }
};

// The same of clBLAS.h.
struct ClblasWords {
  static int of(Layout l) { return l == Layout::RowMajor ? 0 : 1; }
  static int of(Op op) { return op == Op::NoTrans ? 0 : op == Op::Trans ? 1 : 2; }
  static int of(Uplo u) { return u == Uplo::Upper ? 0 : 1; }
  static int of(Diag d) { return d == Diag::NonUnit ? 1 : 0; }
  static int of(Side s) { return s == Side::Left ? 0 : 1; }
  static int of_increment(index n) { return static_cast<int>(n); }

  template <class... Args>
  static int invoke(void* f, void* queue, Args... args) {
    using Function = int (*)(Args..., unsigned, void**, unsigned, const void*, void*);
    return reinterpret_cast<Function>(f)(args..., 1u, &queue, 0u, nullptr, nullptr);
  }
};

std::size_t size(index n) { return static_cast<std::size_t>(n); }

/// Calls f as a function of just the types that the operation has, and returns its status. A cl_double2 travels as a
/// std::complex<double> does. `scratch` is clBLAS's, for TRMV.
template <class Words, class T>
int submit(void* f, const Call& c, void* q, Buffer scratch) {
  using R = real_t<T>;
  const int layout = Words::of(c.layout), side = Words::of(c.side), uplo = Words::of(c.uplo),
            transa = Words::of(c.transa), transb = Words::of(c.transb), diag = Words::of(c.diag);
  const std::size_t m = size(c.m), n = size(c.n), k = size(c.k), lda = size(c.lda), ldb = size(c.ldb),
                    ldc = size(c.ldc);
  const auto incx = Words::of_increment(c.incx);
  const Buffer a = c.a, b = c.b, to = c.c;
  const auto real = [](std::complex<double> x) { return static_cast<R>(x.real()); };
  const auto scalar = [&](std::complex<double> x) {
    if constexpr (is_complex<T>)
      return T(x);
    else
      return real(x);
  };
  const T alpha = scalar(c.alpha), beta = scalar(c.beta);
  const auto invoke = [&](auto... args) { return Words::invoke(f, q, args...); };
  switch (c.operation) {
    case Operation::Gemm:
      return invoke(layout, transa, transb, m, n, k, alpha, a, start, lda, b, start, ldb, beta, to, start, ldc);
    case Operation::Symm:
    case Operation::Hemm:
      return invoke(layout, side, uplo, m, n, alpha, a, start, lda, b, start, ldb, beta, to, start, ldc);
    case Operation::Syrk: return invoke(layout, uplo, transa, n, k, alpha, a, start, lda, beta, to, start, ldc);
    case Operation::Herk:
      return invoke(layout, uplo, transa, n, k, real(c.alpha), a, start, lda, real(c.beta), to, start, ldc);
    case Operation::Syr2k:
      return invoke(layout, uplo, transa, n, k, alpha, a, start, lda, b, start, ldb, beta, to, start, ldc);
    case Operation::Her2k:
      return invoke(layout, uplo, transa, n, k, alpha, a, start, lda, b, start, ldb, real(c.beta), to, start, ldc);
    case Operation::Trmm:
    case Operation::Trsm: return invoke(layout, side, uplo, transa, diag, m, n, alpha, a, start, lda, b, start, ldb);
    case Operation::Trmv:
      if (scratch) return invoke(layout, uplo, transa, diag, n, a, start, lda, b, start, incx, scratch);
      break;
    case Operation::Trsv: break;
  }
  return invoke(layout, uplo, transa, diag, n, a, start, lda, b, start, incx);
}

std::string file_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }
bool is_clblas(const std::string& path) {
  return file_of(path).starts_with("libclBLAS.so") || file_of(path).starts_with("libtrigon_clblas.so");
}

}  // namespace

bool OpenclPeer::is(const std::string& path) { return is_clblas(path) || file_of(path).starts_with("libclblast.so"); }

OpenclPeer::OpenclPeer(const std::string& path) : path_(path), clblas_(is_clblas(path)) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = dlerror();
    throw error("cannot open " + path + ": " + (why ? why : "unknown reason"));
  }
  handle_ = std::shared_ptr<void>(handle, [](void*) {});  // never closed: it keeps programs until the process ends
  std::error_code ignored;
  const auto file = std::filesystem::canonical(path, ignored);
  if (!ignored) path_ = file.string();
  if (!clblas_) return;
  const auto setup = reinterpret_cast<int (*)()>(symbol("clblasSetup"));
  if (const int status = setup ? setup() : -1; status != 0)
    throw error(path + ": clblasSetup returns " + std::to_string(status));
}

void* OpenclPeer::symbol(const std::string& name) const { return dlsym(handle_.get(), name.c_str()); }

std::string OpenclPeer::version() const {
  if (clblas_) {
    const auto get = reinterpret_cast<int (*)(unsigned*, unsigned*, unsigned*)>(symbol("clblasGetVersion"));
    unsigned major = 0, minor = 0, patch = 0;
    if (!get || get(&major, &minor, &patch) != 0) return "";
    return "clBLAS " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }
  constexpr const char* mark = ".so.";
  const std::size_t at = path_.rfind(mark);
  return at == std::string::npos ? "" : "CLBlast " + path_.substr(at + 4);
}

std::function<void()> OpenclPeer::prepare(const Call& call, const Queue& queue) const {
  std::string name = routine(call);
  if (!clblas_ && is_vector(call.operation) && call.incx < 0) throw error("CLBlast takes no negative increments");
  name = (clblas_ ? "clblas" : "CLBlast") + std::string(1, static_cast<char>(std::toupper(name[0]))) + name.substr(1);
  void* const f = symbol(name);
  if (!f) throw error(path_ + " has no " + name);
  std::shared_ptr<DeviceMemory> scratch;
  if (clblas_ && call.operation == Operation::Trmv)
    scratch = std::make_shared<DeviceMemory>(queue, size(call.n) * element_size(call.precision));
  return [=, clblas = clblas_, native = queue.native()] {
    const int status = with_type(call.precision, [&](auto zero) {
      using T = decltype(zero);
      return clblas ? submit<ClblasWords, T>(f, call, native, scratch ? scratch->handle() : nullptr)
                    : submit<ClblastWords, T>(f, call, native, nullptr);
    });
    if (status != 0) throw error(name + " returns " + std::to_string(status));
  };
}

}  // namespace trigon::bench
