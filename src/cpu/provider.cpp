#include "cpu/provider.hpp"

#include "core/environment.hpp"
#include "core/loading.hpp"
#include "core/once.hpp"
#include "core/trace.hpp"
#include "core/tuning.hpp"

#include <trigon/inspect.hpp>

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

namespace trigon::cpu {
namespace {

using core::Matrix;

template <class T>
using Gemm = void(const char*, const char*, const int*, const int*, const int*, const T*, const T*, const int*,
                  const T*, const int*, const T*, T*, const int*, std::size_t, std::size_t);

struct Provider {
  Gemm<float>* s = nullptr;
  Gemm<double>* d = nullptr;
  Gemm<std::complex<float>>* c = nullptr;
  Gemm<std::complex<double>>* z = nullptr;
  ProviderInfo info{"own", TRIGON_VERSION, "", "the packed kernels of this library"};
};

struct Candidate {
  const char* name;
  std::vector<std::string> files;
};

#ifndef TRIGON_MULTIARCH
#define TRIGON_MULTIARCH ""
#endif

/// Serial builds only: a threaded one would start threads inside ours, and its thread setting belongs
/// to the program. Of Debian's OpenBLAS the whole library is named: its libblas.so.3 takes its kernels from
/// whatever libopenblas.so.0 the process has loaded, perhaps a threaded one. Only providers that pass `trigon check
/// --provider` are opened unasked.
const std::vector<Candidate>& candidates() {
  const std::string lib = "/usr/lib/" TRIGON_MULTIARCH "/";
  return core::once([&] {
    return std::vector<Candidate>{
        {"openblas", {lib + "openblas-serial/libopenblas.so.0", "/usr/lib64/libopenblas.so.0"}},
        {"blis", {lib + "blis-serial/libblas.so.3", "/usr/lib64/libblis.so.4"}},
        {"mkl", {lib + "libmkl_rt.so", "libmkl_rt.so.2"}},
    };
  });
}

std::string version_of(void* library, const std::string& name) {
  if (auto* config = reinterpret_cast<char* (*)()>(dlsym(library, "openblas_get_config"))) return config();
  if (auto* blis = reinterpret_cast<const char* (*)()>(dlsym(library, "bli_info_get_version_str")))
    return std::string("BLIS ") + blis();
  return name;
}

bool open(Provider& p, const std::string& name, const std::string& file, const std::string& why) {
  // Its calls among its own symbols must not land in a drop-in of ours.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | core::bound_to_itself());
  if (!library) return false;
  const auto find = [&](auto*& gemm, const char* symbol) {
    gemm = reinterpret_cast<std::remove_reference_t<decltype(gemm)>>(dlsym(library, symbol));
    return gemm != nullptr;
  };
  if (!find(p.s, "sgemm_") || !find(p.d, "dgemm_") || !find(p.c, "cgemm_") || !find(p.z, "zgemm_")) {
    p = {};
    return false;
  }
  p.info = {name, version_of(library, name), file, why};
  return true;
}

bool worth_opening() {
  const auto& work = core::tuning().cpu_provider_work.value;
  return std::any_of(work.begin(), work.end(), [](index w) { return w > 0; });
}

Provider choose() {
  Provider p;
  const std::string& wanted = core::environment().provider;
  if (wanted == "own") {
    p.info.detail = "TRIGON_PROVIDER=own";
    return p;
  }
  if (wanted == "auto" && !worth_opening()) {
    p.info.detail = "the tuning table sends no GEMM to a provider";
    return p;
  }
  if (wanted.find('/') != std::string::npos) {
    if (!open(p, wanted, wanted, "TRIGON_PROVIDER")) p.info.detail = "TRIGON_PROVIDER=" + wanted + " cannot be opened";
    return p;
  }
  for (const Candidate& candidate : candidates()) {
    if (wanted == "auto" ? std::string("openblas") != candidate.name : wanted != candidate.name) continue;
    for (const std::string& file : candidate.files)
      if (open(p, candidate.name, file, wanted == "auto" ? "found, and admitted by default" : "TRIGON_PROVIDER"))
        return p;
  }
  p.info.detail = wanted == "auto" ? "no serial OpenBLAS installed: the packed kernels of this library"
                                   : "TRIGON_PROVIDER=" + wanted + " was not found";
  return p;
}

/// Wanted by name, but not to be had.
bool is_missed(const Provider& p) {
  const std::string& wanted = core::environment().provider;
  return !p.d && wanted != "auto" && wanted != "own";
}

const Provider& provider() {
  return core::first_of([] {
    const core::Loading now;
    Provider chosen = choose();
    if (static std::atomic_flag said; is_missed(chosen) && !said.test_and_set())
      std::fprintf(stderr, "trigon: %s; GEMM stays Trigon's\n", chosen.info.detail.c_str());
    return chosen;
  });
}

template <class T>
Gemm<T>* gemm_of(const Provider& p) {
  if constexpr (std::is_same_v<T, float>)
    return p.s;
  else if constexpr (std::is_same_v<T, double>)
    return p.d;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return p.c;
  else
    return p.z;
}

struct Word {
  char op;
  index ld;
};

/// Serial builds of OpenBLAS are not made for concurrent callers: Debian's 0.3.21 then returns wrong products.
/// A program's own calls, and our threads, take turns there; so does a fork, whose child would wait for ever for a turn
/// that ends in its parent.
constinit std::mutex turn;
bool take_turns() {
  return core::once([] {
    const bool found = provider().info.version.find("OpenBLAS") != std::string::npos;
    // By way of this function, so that no fork interrupts it: a child would register them once more.
    if (found) pthread_atfork([] { take_turns(), turn.lock(); }, [] { turn.unlock(); }, [] { turn.unlock(); });
    return found;
  });
}
std::unique_lock<std::mutex> one_at_a_time() {
  return take_turns() ? std::unique_lock(turn) : std::unique_lock<std::mutex>();
}

/// A view as BLAS would name it: N (column-major), T or C (row-major); '?' if neither.
template <class T>
Word word(Matrix<T*> m) {
  if (m.row_stride == 1 && !m.conj) return {'N', std::max(m.col_stride, std::max<index>(m.rows, 1))};
  if (m.col_stride == 1) return {m.conj ? 'C' : 'T', std::max(m.row_stride, std::max<index>(m.cols, 1))};
  return {'?', 0};
}

}  // namespace

bool has_provider() { return provider().d != nullptr; }

template <class T>
bool provider_gemm(T alpha, Matrix<T*> a, Matrix<T*> b, T beta, Matrix<T*> c) {
  if (c.row_stride != 1 || c.conj) {  // C^T = B^T A^T has unit row stride
    const auto at = transpose(a);
    a = transpose(b), b = at, c = transpose(c);
  }
  const Word wa = word(a), wb = word(b), wc = word(c);
  if (wa.op == '?' || wb.op == '?' || wc.op != 'N') return false;
  for (index size : {c.rows, c.cols, a.cols, wa.ld, wb.ld, wc.ld})
    if (size > INT_MAX) return false;
  const int m = static_cast<int>(c.rows), n = static_cast<int>(c.cols), k = static_cast<int>(a.cols);
  const int lda = static_cast<int>(wa.ld), ldb = static_cast<int>(wb.ld), ldc = static_cast<int>(wc.ld);
  if (core::observing()) core::note_provider_gemm();
  const auto lock = one_at_a_time();
  gemm_of<T>(provider())(&wa.op, &wb.op, &m, &n, &k, &alpha, a.data, &lda, b.data, &ldb, &beta, c.data, &ldc, 1, 1);
  return true;
}

template bool provider_gemm(float, Matrix<float*>, Matrix<float*>, float, Matrix<float*>);
template bool provider_gemm(double, Matrix<double*>, Matrix<double*>, double, Matrix<double*>);
template bool provider_gemm(std::complex<float>, Matrix<std::complex<float>*>, Matrix<std::complex<float>*>,
                            std::complex<float>, Matrix<std::complex<float>*>);
template bool provider_gemm(std::complex<double>, Matrix<std::complex<double>*>, Matrix<std::complex<double>*>,
                            std::complex<double>, Matrix<std::complex<double>*>);

}  // namespace trigon::cpu

namespace trigon {
ProviderInfo gemm_provider() { return cpu::provider().info; }
}  // namespace trigon
