// Scratch: one growing block per slot, all of whose pages exist.
#include "cpu/scratch.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace trigon::cpu {
namespace {

constexpr std::size_t kilobyte = 1024, megabyte = 1024 * kilobyte;

std::size_t missing_pages(const void* data, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(data) / page * page;
  const std::size_t length = reinterpret_cast<std::uintptr_t>(data) + bytes - begin;
  std::vector<unsigned char> there((length + page - 1) / page);
  EXPECT_EQ(mincore(reinterpret_cast<void*>(begin), length, there.data()), 0);
  return static_cast<std::size_t>(std::count_if(there.begin(), there.end(), [](unsigned char c) { return !(c & 1); }));
}

TEST(Scratch, PagesExistBeforeTheyAreWritten) {
  for (const std::size_t bytes : {48 * kilobyte, 300 * kilobyte, 3 * megabyte, 40 * megabyte}) {
    const void* const data = scratch(0, bytes);
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(missing_pages(data, bytes), 0u) << bytes;
  }
}

TEST(Scratch, GrowsAndIsKept) {
  void* const large = scratch(1, megabyte);
  ASSERT_NE(large, nullptr);
  EXPECT_EQ(scratch(1, kilobyte), large);
  EXPECT_NE(scratch(2, kilobyte), large);
}

}  // namespace
}  // namespace trigon::cpu
