// One try of a call: its arguments, how its operands lie in memory, and the door it goes through.
#pragma once

#include <trigon/operands.hpp>

#include <string>

#include "trigon/bench/contestant.hpp"

namespace trigon::selftest {

struct Case {
  Call call;  ///< leading dimensions set, pointers ignored
  OperandOptions operands;
  bench::Entry door = bench::Entry::Cpp;
};

/// `dtrsm layout=C … ldb=7 # seed=12 place=end shift=8 ill door=blas`: what --case takes.
std::string to_text(const Case&);

/// The inverse of to_text; what is left out has its default. Throws trigon::error that names the bad word.
Case parse_case(const std::string& text);

}  // namespace trigon::selftest
