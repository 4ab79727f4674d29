#include "doors/blas/report.hpp"

#include "doors/blas/handlers.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

namespace trigon::doors {
namespace {

/// "DTRSM ": upper case, six characters.
std::string fortran_name(const Call& call) {
  std::string text = routine(call);
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  text.resize(std::max<std::size_t>(text.size(), 6), ' ');
  return text;
}

void to_xerbla(const Call& call, Argument bad) {
  const std::string name = fortran_name(call);
  const Int at = position(call.operation, bad, false);
  TRIGON_FORTRAN(xerbla)(name.c_str(), &at, name.size());
}

/// A row-major call is the transposed column-major one, and its sizes are reported as that one's: who replaces
/// the handlers expects to turn these positions back, as the default ones here do. (Not those of A and B: the
/// reference does not look for null pointers.)
Argument as_transposed(const Call& call, Argument argument) {
  using enum Argument;
  if (call.layout != Layout::RowMajor) return argument;
  const bool gemm = call.operation == Operation::Gemm;
  const bool rectangular = gemm || call.operation == Operation::Symm || call.operation == Operation::Hemm ||
                           call.operation == Operation::Trmm || call.operation == Operation::Trsm;
  switch (argument) {
    case M: return rectangular ? N : M;
    case N: return rectangular ? M : N;
    case Lda: return gemm ? Ldb : Lda;
    case Ldb: return gemm ? Lda : Ldb;
    default: return argument;
  }
}

/// What handlers are told about the call, as long as they may ask.
struct InCblas {
  explicit InCblas(bool row_major) { CBLAS_CallFromC = 1, RowMajorStrg = row_major; }
  ~InCblas() { CBLAS_CallFromC = 0, RowMajorStrg = 0; }
};

/// What cblas_xerbla calls a flag.
const char* setting(const Call& call, Argument flag) {
  const Operation operation = call.operation;
  const bool vector = operation == Operation::Trmv || operation == Operation::Trsv;
  switch (flag) {
    case Argument::Layout: return "layout";
    case Argument::Side: return "Side";
    case Argument::Uplo: return "Uplo";
    case Argument::TransA: return operation == Operation::Gemm || vector ? "TransA" : "Trans";
    case Argument::TransB: return "TransB";
    case Argument::Diag: return "Diag";
    default: return nullptr;
  }
}

/// Complex rank-k updates accept two of the three ops. The third is found by the Fortran routine beneath,
/// except in row-major calls, where the C routine has no letter for it.
bool left_to_fortran(const Call& call, Argument flag) {
  return flag == Argument::TransA && call.transa != Op{} && call.layout == Layout::ColMajor;
}

}  // namespace

void report_fortran(const Call& call, Argument bad) { to_xerbla(call, bad); }

void report_cblas(const Call& call, Argument bad, long long value) {
  const char* const flag = setting(call, bad);
  const InCblas now(call.layout == Layout::RowMajor);
  if (flag != nullptr && !left_to_fortran(call, bad)) {
    char form[32];  // saying what is wrong takes no memory
    std::snprintf(form, sizeof form, "Illegal %s setting, %%d\n", flag);
    const std::string name = "cblas_" + routine(call);
    cblas_handler()(position(call.operation, bad, true), name.c_str(), form, static_cast<int>(value));
  } else {
    to_xerbla(call, as_transposed(call, bad));
  }
}

void stop(const std::exception& failure) noexcept {
  std::fprintf(stderr, "trigon: %s\n", failure.what());
  std::abort();
}

}  // namespace trigon::doors
