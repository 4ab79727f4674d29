// How near a routine comes to Trigon's own GEMM: that GEMM as a contestant beside it.
#pragma once

#include <memory>

#include "trigon/bench/contestant.hpp"

namespace trigon::bench {

/// The GEMM with the same operands, dense: of a triangular or symmetric factor on its side, of A and op(A) for
/// rank-k updates. Throws trigon::error for routines of vectors, which have none.
Call gemm_of(const Call&);

inline constexpr const char* own_gemm_name = "gemm";

/// `trigon`, doing that GEMM instead of the row. It is called "gemm", and its times are those that the row would take
/// at the GEMM's flop rate.
std::unique_ptr<Contestant> as_gemm(std::unique_ptr<Contestant> trigon);

}  // namespace trigon::bench
