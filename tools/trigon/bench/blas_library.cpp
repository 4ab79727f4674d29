#include "trigon/bench/blas_library.hpp"

#include <dlfcn.h>

#include <complex>
#include <filesystem>
#include <limits>
#include <trigon/error.hpp>

namespace trigon::bench {

namespace {

int narrow(trigon::index value, const char* what) {
  if (value > std::numeric_limits<int>::max() || value < std::numeric_limits<int>::min())
    throw trigon::error(std::string(what) + " = " + std::to_string(value) + " does not fit a 32-bit BLAS integer");
  return static_cast<int>(value);
}

// CBLAS's numbers for BLAS's letters; a letter that is no flag becomes 0, which CBLAS rejects.
int cblas(trigon::Layout v) { return v == trigon::Layout::RowMajor ? 101 : v == trigon::Layout::ColMajor ? 102 : 0; }
int cblas(trigon::Op v) {
  switch (v) {
    case trigon::Op::NoTrans: return 111;
    case trigon::Op::Trans: return 112;
    case trigon::Op::ConjTrans: return 113;
  }
  return 0;
}
int cblas(trigon::Uplo v) { return v == trigon::Uplo::Upper ? 121 : v == trigon::Uplo::Lower ? 122 : 0; }
int cblas(trigon::Diag v) { return v == trigon::Diag::NonUnit ? 131 : v == trigon::Diag::Unit ? 132 : 0; }
int cblas(trigon::Side v) { return v == trigon::Side::Left ? 141 : v == trigon::Side::Right ? 142 : 0; }

// Scalars travel by value when real and by pointer when complex.
template <class T>
struct Scalar {
  using type = T;
  static T pass(std::complex<double> v, T&) { return static_cast<T>(v.real()); }
};
template <class R>
struct Scalar<std::complex<R>> {
  using type = const void*;
  static const void* pass(std::complex<double> v, std::complex<R>& slot) {
    slot = std::complex<R>(v);
    return &slot;
  }
};

template <class... Args>
void invoke(void* symbol, Args... args) {
  reinterpret_cast<void (*)(Args...)>(symbol)(args...);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // their own interposition rules out both ways of opening a library privately
constexpr int privately = RTLD_NOW | RTLD_LOCAL;
#else
constexpr bool sanitized = false;
constexpr int privately = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

/// The loader takes another build of Trigon for the one that this program has, but for one in a namespace of its own,
/// where it gets its own copy of everything, the C library included.
void* open(const std::string& path, bool ours) {
  const bool trigon = std::filesystem::path(path).filename().string().starts_with("libtrigon_blas");
  if (ours || !trigon) return dlopen(path.c_str(), privately);
  if (sanitized) throw trigon::error(path + ": a second Trigon cannot be opened under a sanitizer");
  return dlmopen(LM_ID_NEWLM, path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

template <class T>
void Invocation::run_cblas(const Invocation& v) {
  using R = trigon::real_t<T>;
  const Call& c = v.call_;
  const auto& i = v.storage_->ints;  // m n k lda ldb ldc incx
  const int m = i[0], n = i[1], k = i[2], lda = i[3], ldb = i[4], ldc = i[5], incx = i[6];
  const int layout = cblas(c.layout), side = cblas(c.side), uplo = cblas(c.uplo), transa = cblas(c.transa),
            transb = cblas(c.transb), diag = cblas(c.diag);
  T alpha_slot, beta_slot;
  const auto alpha = Scalar<T>::pass(c.alpha, alpha_slot);
  const auto beta = Scalar<T>::pass(c.beta, beta_slot);
  const R real_alpha = static_cast<R>(c.alpha.real()), real_beta = static_cast<R>(c.beta.real());
  void* f = v.symbol_;
  switch (c.operation) {
    case Operation::Gemm: return invoke(f, layout, transa, transb, m, n, k, alpha, c.a, lda, c.b, ldb, beta, c.c, ldc);
    case Operation::Symm:
    case Operation::Hemm: return invoke(f, layout, side, uplo, m, n, alpha, c.a, lda, c.b, ldb, beta, c.c, ldc);
    case Operation::Syrk: return invoke(f, layout, uplo, transa, n, k, alpha, c.a, lda, beta, c.c, ldc);
    case Operation::Herk: return invoke(f, layout, uplo, transa, n, k, real_alpha, c.a, lda, real_beta, c.c, ldc);
    case Operation::Syr2k: return invoke(f, layout, uplo, transa, n, k, alpha, c.a, lda, c.b, ldb, beta, c.c, ldc);
    case Operation::Her2k: return invoke(f, layout, uplo, transa, n, k, alpha, c.a, lda, c.b, ldb, real_beta, c.c, ldc);
    case Operation::Trmm:
    case Operation::Trsm: return invoke(f, layout, side, uplo, transa, diag, m, n, alpha, c.a, lda, c.b, ldb);
    case Operation::Trmv:
    case Operation::Trsv: return invoke(f, layout, uplo, transa, diag, n, c.a, lda, c.b, incx);
  }
}

void Invocation::run_fortran(const Invocation& v) {
  const auto& a = v.args_;
  void* f = v.symbol_;
  // gfortran appends the length of each character argument; C implementations ignore them.
  constexpr std::size_t one = 1;
  switch (v.count_) {
    case 8: return invoke(f, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], one, one, one);
    case 10: return invoke(f, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], one, one);
    case 11: return invoke(f, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], one, one, one, one);
    case 12: return invoke(f, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], one, one);
    case 13:
      return invoke(f, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], one, one);
  }
}

BlasLibrary::BlasLibrary(std::string name, const std::string& path, bool ours) : name_(std::move(name)), path_(path) {
  void* handle = open(path, ours);
  if (!handle) {
    const char* why = dlerror();
    throw trigon::error("cannot open " + path + ": " + (why ? why : "unknown reason"));
  }
  // Never closed: threaded libraries do not survive it.
  handle_ = std::shared_ptr<void>(handle, [](void*) {});
  // SciPy's wheels of OpenBLAS put their name before every symbol.
  if (symbol("scipy_dgemm_")) prefix_ = "scipy_";
  Dl_info info{};
  if (void* known = symbol("dgemm_"); known && dladdr(known, &info) && info.dli_fname) {
    std::error_code ignored;
    const auto real = std::filesystem::canonical(info.dli_fname, ignored);
    path_ = real.empty() ? info.dli_fname : real.string();
  }
}

void* BlasLibrary::symbol(const std::string& name) const { return dlsym(handle_.get(), (prefix_ + name).c_str()); }

void* BlasLibrary::symbol(const Call& call, Door door) const {
  const std::string routine = trigon::routine(call);
  return symbol(door == Door::Fortran ? routine + "_" : "cblas_" + routine);
}

std::string BlasLibrary::version() const {
  if (void* f = symbol("openblas_get_config")) {
    std::string text = reinterpret_cast<const char* (*)()>(f)();
    if (void* core = symbol("openblas_get_corename"))
      text += std::string(", running ") + reinterpret_cast<const char* (*)()>(core)();
    return text;
  }
  if (void* f = symbol("bli_info_get_version_str"))
    return std::string("BLIS ") + reinterpret_cast<const char* (*)()>(f)();
  if (void* f = symbol("eigen_version")) return reinterpret_cast<const char* (*)()>(f)();
  if (void* f = symbol("mkl_get_version_string")) {
    char text[256] = {};
    reinterpret_cast<void (*)(char*, int)>(f)(text, sizeof text - 1);
    const std::string words = text;
    return words.substr(0, words.find_last_not_of(' ') + 1);
  }
  return {};
}

Invocation BlasLibrary::prepare(const Call& call, Door door) const {
  if (call.layout != trigon::Layout::ColMajor) door = Door::Cblas;
  Invocation v;
  v.symbol_ = symbol(call, door);
  if (!v.symbol_) throw trigon::error(name_ + " has no " + trigon::routine(call));
  v.call_ = call;
  v.storage_ = std::make_shared<Invocation::Storage>();
  auto& s = *v.storage_;
  s.ints = {narrow(call.m, "m"),     narrow(call.n, "n"),     narrow(call.k, "k"),      narrow(call.lda, "lda"),
            narrow(call.ldb, "ldb"), narrow(call.ldc, "ldc"), narrow(call.incx, "incx")};
  if (door == Door::Cblas) {
    trigon::with_type(call.precision, [&](auto t) { v.run_ = &Invocation::run_cblas<decltype(t)>; });
    return v;
  }
  v.run_ = &Invocation::run_fortran;
  s.flags = {static_cast<char>(call.side), static_cast<char>(call.uplo), static_cast<char>(call.transa),
             static_cast<char>(call.operation == Operation::Gemm ? static_cast<char>(call.transb)
                                                                 : static_cast<char>(call.diag))};
  const bool single = call.precision == Precision::Single || call.precision == Precision::ComplexSingle;
  const auto scalar = [&](int slot, std::complex<double> value) {
    if (single) {
      const std::complex<float> narrowed(value);
      *reinterpret_cast<std::complex<float>*>(&s.scalars[slot]) = narrowed;
    } else {
      *reinterpret_cast<std::complex<double>*>(&s.scalars[slot]) = value;
    }
    return static_cast<const void*>(&s.scalars[slot]);
  };
  const void *m = &s.ints[0], *n = &s.ints[1], *k = &s.ints[2], *lda = &s.ints[3], *ldb = &s.ints[4], *ldc = &s.ints[5],
             *incx = &s.ints[6];
  const void *side = &s.flags[0], *uplo = &s.flags[1], *transa = &s.flags[2], *last = &s.flags[3];
  const void *alpha = scalar(0, call.alpha), *beta = scalar(1, call.beta);
  const auto set = [&](std::initializer_list<const void*> list) {
    std::copy(list.begin(), list.end(), v.args_.begin());
    v.count_ = static_cast<int>(list.size());
  };
  switch (call.operation) {
    case Operation::Gemm: set({transa, last, m, n, k, alpha, call.a, lda, call.b, ldb, beta, call.c, ldc}); break;
    case Operation::Symm:
    case Operation::Hemm: set({side, uplo, m, n, alpha, call.a, lda, call.b, ldb, beta, call.c, ldc}); break;
    case Operation::Syrk:
    case Operation::Herk: set({uplo, transa, n, k, alpha, call.a, lda, beta, call.c, ldc}); break;
    case Operation::Syr2k:
    case Operation::Her2k: set({uplo, transa, n, k, alpha, call.a, lda, call.b, ldb, beta, call.c, ldc}); break;
    case Operation::Trmm:
    case Operation::Trsm: set({side, uplo, transa, last, m, n, alpha, call.a, lda, call.b, ldb}); break;
    case Operation::Trmv:
    case Operation::Trsv: set({uplo, transa, last, n, call.a, lda, call.b, incx}); break;
  }
  return v;
}

}  // namespace trigon::bench
