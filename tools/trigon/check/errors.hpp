// Calls with one wrong argument each, and whether the library says which.
#pragma once

#include <trigon/call.hpp>

#include <string>
#include <vector>

namespace trigon::selftest {

struct BrokenCall {
  Call call;  ///< its operands are no memory: touching them is a crash
  Argument wrong;
  std::string words;  ///< the call, and what is wrong with it
};

std::vector<BrokenCall> broken_calls(const std::vector<Operation>&, const std::string& precisions);

/// Carries out the call, which must be refused with the position and the name of the argument in the order of the C++
/// interface. Empty, or what happened instead.
std::string misjudged(const BrokenCall&);

}  // namespace trigon::selftest
