// One BLAS call as a value: what is checked, planned, traced, replayed, explained and benchmarked.
#pragma once

#include <trigon/export.hpp>
#include <trigon/types.hpp>

#include <span>
#include <string>
#include <string_view>

namespace trigon {

/// A call in the caller's own words. Fields that the operation does not have are ignored.
///
/// Sizes: m and n are those of the result (of B for Trmm and Trsm); n alone is the order for Syrk, Herk,
/// Syr2k, Her2k, Trmv and Trsv; k is the inner dimension of Gemm and of the rank-k updates.
/// Trmm, Trsm, Trmv and Trsv overwrite `b` (the vector x, for the last two, with increment incx);
/// the others read `b` and overwrite `c`. Rank-k updates take their op in `transa`.
struct Call {
  Operation operation = Operation::Gemm;
  Precision precision = Precision::Double;
  Layout layout = Layout::ColMajor;
  Side side = Side::Left;
  Uplo uplo = Uplo::Lower;
  Op transa = Op::NoTrans, transb = Op::NoTrans;
  Diag diag = Diag::NonUnit;
  index m = 0, n = 0, k = 0;
  std::complex<double> alpha = 1, beta = 0;
  const void* a = nullptr;
  index lda = 0;
  void* b = nullptr;
  index ldb = 0;
  index incx = 1;
  void* c = nullptr;
  index ldc = 0;
};

enum class Argument : unsigned char {
  None,
  Layout,
  Side,
  Uplo,
  TransA,
  TransB,
  Diag,
  M,
  N,
  K,
  Alpha,
  A,
  Lda,
  B,
  Ldb,
  X,
  Incx,
  Beta,
  C,
  Ldc
};

/// The parameters of an operation in the order of the Fortran BLAS; the C and C++ doors put the layout first.
TRIGON_API std::span<const Argument> parameters(Operation);

/// 1-based position of `argument` among the parameters, counting a leading layout when `with_layout`.
TRIGON_API int position(Operation, Argument argument, bool with_layout);

/// "trsm", "m", ...: the names that BLAS documents. The rank-k updates call their op "trans".
TRIGON_API std::string_view name(Operation);
TRIGON_API std::string_view name(Operation, Argument);

/// "dtrsm": the routine of the call, precision first.
TRIGON_API std::string routine(const Call&);

/// The first bad argument in the reference's order of tests, or None. Touches no operand.
TRIGON_API Argument check(const Call&);

/// What is wrong with it: "is -1, must not be negative".
TRIGON_API std::string complaint(const Call&, Argument);

/// Checks the call and carries it out. Throws argument_error or backend_error; after an
/// argument_error nothing has been written.
TRIGON_API void execute(const Call&);

/// The same for doors that have checked already.
TRIGON_API void execute_checked(const Call&);

/// Floating-point operations of the call, the usual BLAS counts (a complex multiply-add is 8), whatever alpha is.
TRIGON_API double flops(const Call&);

/// Rows and columns of an operand as stored, before op: what `lda` and an allocation must cover.
struct Extent {
  index rows = 0, cols = 0;
};
TRIGON_API Extent extent(const Call&, Argument operand);

/// `dtrsm layout=C side=L uplo=L transa=N diag=N m=5 n=3 alpha=1 lda=5 ldb=5`: the line of a trace.
TRIGON_API std::string to_text(const Call&);

/// The inverse of to_text. After the routine order is free, what is left out has its default (leading dimensions: the
/// smallest), anything after '#' is ignored. Throws trigon::error that names the bad word: an argument that the routine
/// does not have, or has been given already, is one.
TRIGON_API Call parse_call(std::string_view text);

}  // namespace trigon
