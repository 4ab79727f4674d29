#include "trigon/bench/clblast.hpp"

#include <dlfcn.h>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <cctype>
#include <complex>
#include <filesystem>

#include "trigon/bench/operands.hpp"

namespace trigon::bench {
namespace {

// The values of clblast_c.h.
int clblast(Layout l) { return l == Layout::RowMajor ? 101 : 102; }
int clblast(Op op) { return op == Op::NoTrans ? 111 : op == Op::Trans ? 112 : 113; }
int clblast(Uplo u) { return u == Uplo::Upper ? 121 : 122; }
int clblast(Diag d) { return d == Diag::NonUnit ? 131 : 132; }
int clblast(Side s) { return s == Side::Left ? 141 : 142; }

using Buffer = const void*;  // a cl_mem
constexpr std::size_t start = 0;

/// Calls f(args..., queue, no event) as a function of just these types, and returns its status. A cl_double2 travels as
/// a std::complex<double> does.
template <class... Args>
int invoke(void* f, void* queue, Args... args) {
  return reinterpret_cast<int (*)(Args..., void**, void**)>(f)(args..., &queue, nullptr);
}

std::size_t size(index n) { return static_cast<std::size_t>(n); }

template <class T>
int submit(void* f, const Call& c, void* q) {
  using R = real_t<T>;
  const int layout = clblast(c.layout), side = clblast(c.side), uplo = clblast(c.uplo), transa = clblast(c.transa),
            transb = clblast(c.transb), diag = clblast(c.diag);
  const std::size_t m = size(c.m), n = size(c.n), k = size(c.k), lda = size(c.lda), ldb = size(c.ldb),
                    ldc = size(c.ldc), incx = size(c.incx);
  const Buffer a = c.a, b = c.b, to = c.c;
  const auto real = [](std::complex<double> x) { return static_cast<R>(x.real()); };
  const auto scalar = [&](std::complex<double> x) {
    if constexpr (is_complex<T>)
      return T(x);
    else
      return real(x);
  };
  const T alpha = scalar(c.alpha), beta = scalar(c.beta);
  switch (c.operation) {
    case Operation::Gemm:
      return invoke(f, q, layout, transa, transb, m, n, k, alpha, a, start, lda, b, start, ldb, beta, to, start, ldc);
    case Operation::Symm:
    case Operation::Hemm:
      return invoke(f, q, layout, side, uplo, m, n, alpha, a, start, lda, b, start, ldb, beta, to, start, ldc);
    case Operation::Syrk: return invoke(f, q, layout, uplo, transa, n, k, alpha, a, start, lda, beta, to, start, ldc);
    case Operation::Herk:
      return invoke(f, q, layout, uplo, transa, n, k, real(c.alpha), a, start, lda, real(c.beta), to, start, ldc);
    case Operation::Syr2k:
      return invoke(f, q, layout, uplo, transa, n, k, alpha, a, start, lda, b, start, ldb, beta, to, start, ldc);
    case Operation::Her2k:
      return invoke(f, q, layout, uplo, transa, n, k, alpha, a, start, lda, b, start, ldb, real(c.beta), to, start,
                    ldc);
    case Operation::Trmm:
    case Operation::Trsm:
      return invoke(f, q, layout, side, uplo, transa, diag, m, n, alpha, a, start, lda, b, start, ldb);
    case Operation::Trmv:
    case Operation::Trsv: break;
  }
  return invoke(f, q, layout, uplo, transa, diag, n, a, start, lda, b, start, incx);
}

}  // namespace

bool Clblast::is(const std::string& path) {
  return std::filesystem::path(path).filename().string().starts_with("libclblast.so");
}

Clblast::Clblast(const std::string& path) : path_(path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = dlerror();
    throw error("cannot open " + path + ": " + (why ? why : "unknown reason"));
  }
  handle_ = std::shared_ptr<void>(handle, [](void*) {});  // never closed: it keeps programs until the process ends
  std::error_code ignored;
  const auto file = std::filesystem::canonical(path, ignored);
  if (!ignored) path_ = file.string();
}

std::string Clblast::version() const {
  constexpr const char* mark = ".so.";
  const std::size_t at = path_.rfind(mark);
  return at == std::string::npos ? "" : "CLBlast " + path_.substr(at + 4);
}

std::function<void()> Clblast::prepare(const Call& call, void* queue) const {
  std::string name = routine(call);
  if (is_vector(call.operation) && call.incx < 0) throw error("CLBlast takes no negative increments");
  name = "CLBlast" + std::string(1, static_cast<char>(std::toupper(name[0]))) + name.substr(1);
  void* const symbol = dlsym(handle_.get(), name.c_str());
  if (!symbol) throw error("CLBlast has no " + name);
  return [=] {
    const int status =
        with_type(call.precision, [&](auto zero) { return submit<decltype(zero)>(symbol, call, queue); });
    if (status != 0) throw error(name + " returns " + std::to_string(status));
  };
}

}  // namespace trigon::bench
