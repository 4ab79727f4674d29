// The default error handlers, and the few helpers of the reference BLAS that are one line each. Unlike the
// reference's, the handlers return: a library should not end the program that called it.
#include "doors/blas/handlers.hpp"

#include "doors/blas/hidden_handlers.hpp"

#include <cctype>
#include <cmath>
#include <complex>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

using trigon::doors::HiddenCall;
using trigon::doors::Int;

namespace {

/// Length of a routine's name without trailing blanks. Callers written in C often leave the hidden length out,
/// so a length that no routine has is taken for the classical six.
int trimmed(const char* name, std::size_t length) {
  if (length == 0 || length > 32) length = 6;
  length = strnlen(name, length);
  while (length > 0 && name[length - 1] == ' ') --length;
  return static_cast<int>(length);
}

struct Swap {
  const char* routine;
  Int one, other;
};
// A row-major call is carried out by the reference as the transposed one; these positions trade places.
constexpr Swap row_major_swaps[] = {{"gemm", 4, 5}, {"gemm", 9, 11}, {"symm", 4, 5}, {"hemm", 4, 5}, {"trmm", 6, 7},
                                    {"trsm", 6, 7}, {"gemv", 3, 4},  {"gbmv", 3, 4}, {"gbmv", 5, 6}, {"ger", 2, 3},
                                    {"ger", 6, 8},  {"her2", 6, 8},  {"hpr2", 6, 8}};

bool is(const char* routine, const char* operation) {
  const char* found = std::strstr(routine, operation);
  if (found == nullptr) return false;
  // "her2" is not the head of "her2k", "gemm" not that of "gemmtr"; "ger" is also that of "geru" and "gerc".
  const char after = found[std::strlen(operation)];
  return after == '\0' || after == '_' || (std::strcmp(operation, "ger") == 0 && (after == 'u' || after == 'c'));
}

/// The program's handler that the linker has passed over, or null: `in_force` is what the whole program uses.
template <class F>
F* hidden(F* in_force, F* own, const char* symbol) {
  if (in_force != own || trigon::doors::within_hidden_handler()) return nullptr;
  return reinterpret_cast<F*>(trigon::doors::hidden_handler(symbol));
}

}  // namespace

extern "C" {

// The default ones by names that nothing can take the place of.
__attribute__((visibility("hidden"),
               alias(TRIGON_NAME(TRIGON_FORTRAN(xerbla))))) decltype(TRIGON_FORTRAN(xerbla)) own_xerbla;
__attribute__((visibility("hidden"),
               alias(TRIGON_NAME(TRIGON_CBLAS(xerbla))))) decltype(TRIGON_CBLAS(xerbla)) own_cblas_xerbla;

/// By whichever name.
static auto* hidden_cblas_handler() {
  auto* theirs = hidden(trigon::doors::cblas_handler(), own_cblas_xerbla, TRIGON_NAME(TRIGON_CBLAS(xerbla)));
#ifdef TRIGON_BLAS_ILP64
  if (!theirs)
    theirs = hidden(trigon::doors::cblas_handler(), own_cblas_xerbla, TRIGON_NAME(TRIGON_CBLAS_ALIAS(xerbla)));
#endif
  return theirs;
}

__attribute__((visibility("default"))) int CBLAS_CallFromC = 0;
__attribute__((visibility("default"))) int RowMajorStrg = 0;

__attribute__((weak, visibility("default"))) void TRIGON_FORTRAN(xerbla)(const char* routine, const Int* position,
                                                                         std::size_t length) {
  if (const auto theirs = hidden(TRIGON_FORTRAN(xerbla), own_xerbla, TRIGON_NAME(TRIGON_FORTRAN(xerbla)))) {
    const HiddenCall now;
    return theirs(routine, position, length);
  }
  const int n = trimmed(routine, length);
  if (!CBLAS_CallFromC) {
    std::fprintf(stderr, " ** On entry to %.*s parameter number %2lld had an illegal value\n", n, routine,
                 static_cast<long long>(*position));
    return;
  }
  char name[6 + 32 + 1] = "cblas_";
  for (int i = 0; i < n; ++i) name[6 + i] = static_cast<char>(std::tolower(static_cast<unsigned char>(routine[i])));
  trigon::doors::cblas_handler()(*position + 1, name, "");
}

__attribute__((weak, visibility("default"))) void TRIGON_CBLAS(xerbla)(std::int64_t position, const char* routine,
                                                                       const char* form, ...) {
  if (const auto number = reinterpret_cast<std::uintptr_t>(routine); number - 1 < 4095) {  // no address: MKL's call
    routine = reinterpret_cast<const char*>(position);
    position = static_cast<std::int64_t>(number);
    form = "";
  }
  position = static_cast<Int>(position);
  std::va_list values;
  va_start(values, form);
  if (const auto theirs = hidden_cblas_handler()) {
    char text[256];
    std::vsnprintf(text, sizeof text, form, values);
    va_end(values);
    const HiddenCall now;
    return theirs(position, routine, "%s", text);
  }
  if (RowMajorStrg)
    for (const Swap& swap : row_major_swaps)
      if (is(routine, swap.routine) && (position == swap.one || position == swap.other)) {
        position = swap.one + swap.other - position;
        break;
      }
  if (position)
    std::fprintf(stderr, "Parameter %lld to routine %s was incorrect\n", static_cast<long long>(position), routine);
  std::vfprintf(stderr, form, values);
  va_end(values);
}

TRIGON_CBLAS_RESPELL(xerbla)

TRIGON_BLAS_EXPORT void TRIGON_FORTRAN(xerbla_array)(const char* routine, const Int* length, const Int* position,
                                                     std::size_t) {
  char name[32];
  std::size_t n = *length < 0 ? 0 : static_cast<std::size_t>(*length);
  if (n > sizeof name) n = sizeof name;
  std::memset(name, ' ', sizeof name);
  std::memcpy(name, routine, n);
  TRIGON_FORTRAN(xerbla)(name, position, sizeof name);
}

TRIGON_BLAS_EXPORT Int TRIGON_FORTRAN(lsame)(const char* a, const char* b, std::size_t, std::size_t) {
  return std::toupper(static_cast<unsigned char>(*a)) == std::toupper(static_cast<unsigned char>(*b));
}

TRIGON_BLAS_EXPORT float TRIGON_FORTRAN(scabs1)(const std::complex<float>* z) {
  return std::fabs(z->real()) + std::fabs(z->imag());
}
TRIGON_BLAS_EXPORT double TRIGON_FORTRAN(dcabs1)(const std::complex<double>* z) {
  return std::fabs(z->real()) + std::fabs(z->imag());
}
TRIGON_BLAS_EXPORT float TRIGON_CBLAS(scabs1)(const void* z) {
  return TRIGON_FORTRAN(scabs1)(static_cast<const std::complex<float>*>(z));
}
TRIGON_BLAS_EXPORT double TRIGON_CBLAS(dcabs1)(const void* z) {
  return TRIGON_FORTRAN(dcabs1)(static_cast<const std::complex<double>*>(z));
}
TRIGON_CBLAS_RESPELL(scabs1)
TRIGON_CBLAS_RESPELL(dcabs1)

}  // extern "C"

decltype(&TRIGON_CBLAS(xerbla)) trigon::doors::cblas_handler() {
#ifdef TRIGON_BLAS_ILP64
  if (&TRIGON_CBLAS_ALIAS(xerbla) != own_cblas_xerbla) return &TRIGON_CBLAS_ALIAS(xerbla);
#endif
  return &TRIGON_CBLAS(xerbla);
}
