// The tuning table: what is read, and what is refused with the line that is wrong.
#include "core/tuning.hpp"

#include "support/processors.hpp"

#include <trigon/error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace trigon::core {
namespace {

TEST(Tuning, DefaultsWhereNothingIsSaid) {
  const Tuning t = parse_tuning("", "test");
  const auto given = entries(t), built_in = entries(built_in_tuning());
  ASSERT_EQ(given.size(), built_in.size());
  for (std::size_t i = 0; i < given.size(); ++i) EXPECT_EQ(given[i].value, built_in[i].value) << given[i].name;
  EXPECT_EQ(t.source, "test");
}

TEST(Tuning, ReadsValuesCommentsAndProvenance) {
  const Tuning t = parse_tuning(
      "# provenance: some machine, some day\n\n  cpu.leaf 32 64 96 128 # by hand\ncpu.fetched_bytes 1000\n", "test");
  EXPECT_EQ(t.cpu_leaf[Precision::Single], 32);
  EXPECT_EQ(t.cpu_leaf[Precision::ComplexDouble], 128);
  EXPECT_EQ(t.cpu_fetched_bytes, 1000);
  EXPECT_EQ(t.provenance, "some machine, some day");
}

TEST(Tuning, ReadsOneValueOfAPrecision) {
  const Tuning t = parse_tuning("cpu.leaf 32 64 96 128\ncpu.leaf.c 40\n", "test");
  EXPECT_EQ(t.cpu_leaf.value, (std::array<index, 4>{32, 64, 40, 128}));
}

TEST(Tuning, ReadsWhatItLists) {
  Tuning changed;
  changed.cpu_gemm_k.value = {1, 2, 3, 4};
  changed.cpu_spin_microseconds = 7;
  std::string text;
  for (const TuningEntry& e : entries(changed)) text += e.name + " " + std::to_string(e.value) + "\n";
  const auto listed = entries(changed), read = entries(parse_tuning(text, "test"));
  for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i].value, listed[i].value) << read[i].name;
}

TEST(Tuning, TablesOfProcessorsAreInRange) {
  for (const auto& [name, processor] : test::processors) {
    const auto table = entries(tuning_of(processor)), plain = entries(Tuning{});
    std::string text;
    int changed = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      text += table[i].name + " " + std::to_string(table[i].value) + "\n";
      changed += table[i].value != plain[i].value;
    }
    EXPECT_GT(changed, 0) << name;
    const auto read = entries(parse_tuning(text, name));
    for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i].value, table[i].value) << name << read[i].name;
  }
}

TEST(Tuning, EveryEntryHasANameAValueAndAMeaning) {
  for (const TuningEntry& e : entries(Tuning{})) {
    EXPECT_FALSE(e.name.empty());
    EXPECT_FALSE(e.meaning.empty());
    EXPECT_GE(e.value, 0);
  }
}

TEST(Tuning, RefusesBadLinesByNumber) {
  const std::pair<const char*, const char*> bad[] = {
      {"cpu.leaf 1 2 3\n", "line 1"},
      {"\ncpu.leaf 1 2 3 4 5\n", "line 2"},
      {"cpu.leaf a b c d\n", "line 1: 'cpu.leaf': 'a' is not a whole number"},
      {"cpu.leaf 1 2 3 1.0\n", "'1.0' is not a whole number"},
      {"cpu.fetched_bytes 1e3\n", "'1e3' is not a whole number"},
      {"cpu.fetched_bytes 0x10\n", "'0x10' is not a whole number"},
      {"cpu.fetched_bytes nan\n", "'nan' is not a whole number"},
      {"cpu.leaf 0 1 1 1\n", "out of range"},
      {"cpu.fetched_bytes -1\n", "out of range"},
      {"cpu.fetched_bytes 99999999999999999999999\n", "line 1: 'cpu.fetched_bytes' is out of range"},
      {"cpu.solve_blocks 2 2 2 1\n", "out of range"},
      {"cpu.solve_blocks.d 2\n", "out of range"},
      {"# fine\ncpu.leaves 3\n", "cpu.leaves"},
      {"cpu.fetched_bytes\n", "line 1"},
      {"cpu.leaf.d 1 2\n", "wrong number"},
      {"cpu.leaf.q 1\n", "cpu.leaf.q"},
      {"cpu.fetched_bytes.d 1\n", "unknown"},
  };
  for (const auto& [text, what] : bad) {
    try {
      parse_tuning(text, "test");
      ADD_FAILURE() << "accepted: " << text;
    } catch (const error& e) {
      EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << text << " -> " << e.what();
    }
  }
}

}  // namespace
}  // namespace trigon::core
