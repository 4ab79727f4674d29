// All variants of an operation, and the sizes where blocked code goes wrong.
#pragma once

#include <trigon/call.hpp>

#include <array>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace trigon {

// How GoogleTest shows parameters.
inline void PrintTo(Operation operation, std::ostream* out) { *out << name(operation); }
inline void PrintTo(Precision precision, std::ostream* out) { *out << static_cast<char>(precision); }

}  // namespace trigon

namespace trigon::test {

inline constexpr std::array all_precisions{Precision::Single, Precision::Double, Precision::ComplexSingle,
                                           Precision::ComplexDouble};
inline constexpr std::array all_layouts{Layout::ColMajor, Layout::RowMajor};

inline std::vector<Operation> all_operations() {
  std::vector<Operation> list;
  for (int i = 0; i < operation_count; ++i) list.push_back(static_cast<Operation>(i));
  return list;
}

inline bool is_complex_precision(Precision p) { return p == Precision::ComplexSingle || p == Precision::ComplexDouble; }
inline bool is_triangular(Operation op) { return op >= Operation::Trmm; }
inline bool is_vector(Operation op) { return op == Operation::Trmv || op == Operation::Trsv; }
inline bool is_solve(Operation op) { return op == Operation::Trsm || op == Operation::Trsv; }
inline bool is_rank_k(Operation op) { return op >= Operation::Syrk && op <= Operation::Her2k; }
inline bool is_hermitian(Operation op) {
  return op == Operation::Hemm || op == Operation::Herk || op == Operation::Her2k;
}
inline bool has_side(Operation op) {
  return op == Operation::Symm || op == Operation::Hemm || op == Operation::Trmm || op == Operation::Trsm;
}

/// Every legal choice of layout and flags, sizes left at 0. Hermitian operations exist for complex types only.
inline std::vector<Call> variants(Operation operation, Precision precision) {
  std::vector<Call> list;
  const bool complex = is_complex_precision(precision);
  if (is_hermitian(operation) && !complex) return list;
  const std::vector<Op> ops{Op::NoTrans, Op::Trans, Op::ConjTrans};
  const auto allowed = [&](Op op) {
    if (!complex || !is_rank_k(operation)) return true;
    return op != (is_hermitian(operation) ? Op::Trans : Op::ConjTrans);
  };
  for (const Layout layout : all_layouts)
    for (const Side side : {Side::Left, Side::Right})
      for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
        for (const Op transa : ops)
          for (const Op transb : ops)
            for (const Diag diag : {Diag::NonUnit, Diag::Unit}) {
              if (side == Side::Right && !has_side(operation)) continue;
              if (uplo == Uplo::Upper && operation == Operation::Gemm) continue;
              const bool has_transa = operation != Operation::Symm && operation != Operation::Hemm;
              if (transa != Op::NoTrans && (!has_transa || !allowed(transa))) continue;
              if (transb != Op::NoTrans && operation != Operation::Gemm) continue;
              if (diag == Diag::Unit && !is_triangular(operation)) continue;
              Call c;
              c.operation = operation;
              c.precision = precision;
              c.layout = layout;
              c.side = side;
              c.uplo = uplo;
              c.transa = transa;
              c.transb = transb;
              c.diag = diag;
              list.push_back(c);
            }
  return list;
}

/// Orders around the edges of vectors, register tiles, leaves and packed blocks.
inline const std::vector<index>& edge_sizes() {
  static const std::vector<index> sizes{1,   2,   3,   4,   5,   7,   8,   9,   11,  12,  13,  15,  16,  17,  23,  24,
                                        25,  31,  32,  33,  47,  48,  49,  63,  64,  65,  95,  96,  97,  127, 128, 129,
                                        143, 144, 145, 191, 192, 193, 239, 240, 241, 255, 256, 257, 383, 384, 385};
  return sizes;
}

/// Sets the sizes so that the triangular or symmetric matrix has `order` and there are `others` right-hand sides
/// (for rank-k updates the inner dimension; for Gemm m x order x others).
inline void set_sizes(Call& c, index order, index others, index third) {
  const bool right = has_side(c.operation) && c.side == Side::Right;
  c.m = right || c.operation == Operation::Gemm ? others : order;
  c.n = right ? order : others;
  c.k = others;
  if (is_rank_k(c.operation) || is_vector(c.operation)) c.n = order;
  if (c.operation == Operation::Gemm) c.n = third, c.k = order;
}

/// Every routine, as the parameters of a suite, and what such a parameter is called.
using Routine = std::tuple<Operation, Precision>;
inline std::vector<Routine> all_routines() {
  std::vector<Routine> list;
  for (const Operation op : all_operations())
    for (const Precision p : all_precisions)
      if (!variants(op, p).empty()) list.emplace_back(op, p);
  return list;
}
inline std::string routine_name(const Routine& r) {
  Call c;
  std::tie(c.operation, c.precision) = r;
  return routine(c);
}

}  // namespace trigon::test
