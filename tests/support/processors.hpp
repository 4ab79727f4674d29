// The processors that have defaults of their own, whichever this one is.
#pragma once

#include "core/processors.hpp"

#include <utility>

namespace trigon::test {

inline constexpr std::pair<const char*, core::Processor> processors[] = {
    {"Zen3", {.avx2_alone = true, .amd = true}},
    {"Xeon", {.avx512 = true, .intel = true}},
    {"LargeXeon", {.avx512 = true, .intel = true, .large_cache = true}},
    {"Zen4", {.avx512 = true, .amd = true, .halves = true}},
    {"Zen5", {.avx512 = true, .amd = true}},
    {"LargeArm", {.large_cache = true}},
};

}  // namespace trigon::test
