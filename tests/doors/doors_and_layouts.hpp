// Every door with every layout that it has, for tests of all of them.
#pragma once

#include "caller.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace trigon::test {

using DoorAndLayout = std::tuple<Door, Layout>;

inline auto doors_and_layouts() {
  return testing::Values(DoorAndLayout(Door::Fortran, Layout::ColMajor), DoorAndLayout(Door::Cblas, Layout::ColMajor),
                         DoorAndLayout(Door::Cblas, Layout::RowMajor), DoorAndLayout(Door::C, Layout::ColMajor),
                         DoorAndLayout(Door::C, Layout::RowMajor));
}

inline std::string door_and_layout(const testing::TestParamInfo<DoorAndLayout>& info) {
  const auto [door, layout] = info.param;
  const std::string doors[] = {"Fortran", "Cblas", "C"};
  return doors[static_cast<int>(door)] + (layout == Layout::RowMajor ? "RowMajor" : "ColMajor");
}

}  // namespace trigon::test
