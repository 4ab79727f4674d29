// The drop-in in programs that were not made for it: preloaded, in place of libblas.so.3, and with a BLAS behind it
// that is missing, lacks a routine, is the drop-in itself, or has integers of another width.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

namespace fs = std::filesystem;

struct Outcome {
  int status = -1;
  std::string text;
};

/// Runs the client program with some settings in the environment. The sanitizers want to be first in a program;
/// a preloaded library that needs them is not.
Outcome client(const std::string& environment, const std::string& what, const std::string& program = CLIENT) {
  const std::string command = "env -u TRIGON_BLAS_FORWARD ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 " +
                              environment + " " + program + " " + what + " 2>&1";
  Outcome outcome;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 256> line;
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) outcome.text += line.data();
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

const std::string preloaded = "LD_PRELOAD=" DROP_IN " TRIGON_BLAS_FORWARD=";

bool mentions(const Outcome& outcome, const std::string& words) {
  return outcome.text.find(words) != std::string::npos;
}

TEST(Client, IsLinkedToTheFakeBlas) {
  EXPECT_EQ(client("", "solve").text, "fake dtrsm\nx = 2 9\n");
  EXPECT_EQ(client("", "dot").text, "dot = 1121\n");
}

TEST(Preloaded, SolvesItselfAndForwardsTheRest) {
  EXPECT_EQ(client(preloaded + FAKE, "solve").text, "x = 1 2\n");
  EXPECT_EQ(client(preloaded + FAKE, "dot").text, "dot = 1121\n");
}

TEST(Preloaded, ReportsBadArgumentsAndReturns) {
  const Outcome bad = client(preloaded + FAKE, "bad");
  EXPECT_EQ(bad.status, 0);
  EXPECT_TRUE(mentions(bad, " ** On entry to DTRSM parameter number  9 had an illegal value\n")) << bad.text;
  EXPECT_TRUE(mentions(bad, "x = 2 9\n")) << bad.text;
}

TEST(Preloaded, FindsABlasByItself) {
  const Outcome dot = client("LD_PRELOAD=" DROP_IN, "dot");
  EXPECT_EQ(dot.text, "dot = 25\n");
}

/// Not the one that several threads may not call at once, as long as there is another.
TEST(Preloaded, FindsOneForSeveralThreads) {
  const Outcome dot = client("LD_PRELOAD=" DROP_IN " TRIGON_VERBOSE=1", "dot");
  if (mentions(dot, "there is no other") || mentions(dot, "recorded")) GTEST_SKIP() << dot.text;
  EXPECT_TRUE(mentions(dot, "(searched)")) << dot.text;
  EXPECT_FALSE(mentions(dot, "openblas-serial")) << dot.text;
}

/// An extension of OpenBLAS, which none of those that are taken before a serial one has.
TEST(Preloaded, LooksForARoutineInOtherBlas) {
  const Outcome scaled = client("LD_PRELOAD=" DROP_IN, "scaled");
  if (mentions(scaled, "has no such routine")) GTEST_SKIP() << "there is no OpenBLAS here";
  EXPECT_EQ(scaled.text, "scaled = 15\n");
}

/// Results of dot products as the program's own BLAS hands them over, whichever way the other one does.
TEST(Preloaded, KeepsTheProgramsConventionOfComplexResults) {
  const std::string once = "dots = 8 24, 8 24\n", more = "dots = 1008 24, 1008 24\n";
  EXPECT_EQ(client("", "complex").text, once + once);
  EXPECT_EQ(client(preloaded + FAKE, "complex").text, once + once);
  EXPECT_EQ(client(preloaded + FAKE_SWAPPED, "complex").text, more + more);
}

TEST(Preloaded, SaysWhichBlasItFound) {
  EXPECT_TRUE(mentions(client(preloaded + FAKE " TRIGON_VERBOSE=1", "dot"), FAKE " (TRIGON_BLAS_FORWARD)"));
}

TEST(Preloaded, NamesARoutineThatTheOtherBlasLacks) {
  const Outcome lacking = client(preloaded + FAKE, "extension");
  EXPECT_EQ(lacking.status, 127);
  EXPECT_TRUE(mentions(lacking, "calls dgemmt_")) << lacking.text;
  EXPECT_TRUE(mentions(lacking, FAKE " has no such routine")) << lacking.text;
  EXPECT_TRUE(mentions(lacking, "TRIGON_BLAS_FORWARD")) << lacking.text;
}

TEST(Preloaded, NamesALibraryThatIsMissing) {
  const Outcome missing = client(preloaded + "/nowhere/libblas.so.3", "extension");
  EXPECT_EQ(missing.status, 127);
  EXPECT_TRUE(mentions(missing, "/nowhere/libblas.so.3 cannot be opened")) << missing.text;
}

TEST(Preloaded, RefusesALibraryOfAnotherWidth) {
  const Outcome wide = client(preloaded + FAKE64, "extension");
  EXPECT_EQ(wide.status, 127);
  EXPECT_TRUE(mentions(wide, FAKE64 " takes 64-bit integers, not 32-bit ones")) << wide.text;
}

TEST(Preloaded, RefusesALibraryThatIsNoBlas) {
  const Outcome other = client(preloaded + "libm.so.6", "extension");
  EXPECT_EQ(other.status, 127);
  EXPECT_TRUE(mentions(other, "is no BLAS")) << other.text;
}

TEST(Preloaded, RefusesItself) {
  for (const std::string self : {DROP_IN, DROP_IN64}) {
    const Outcome loop = client(preloaded + self, "extension");
    EXPECT_EQ(loop.status, 127);
    EXPECT_TRUE(mentions(loop, self + " is Trigon itself")) << loop.text;
  }
}

TEST(Preloaded, LooksForARoutineInTheProgramsLibraries) {
  const std::string environment = preloaded + SYSTEM_FAKE;  // which has no extensions
  EXPECT_EQ(client(environment, "copy").status, 127);
  EXPECT_EQ(client(environment, "copy", LATE_CLIENT).text, "copy = 764336\n");
}

TEST(Preloaded, AnswersForOpenblasThatIsNotThere) {
  EXPECT_EQ(client(preloaded + SYSTEM_FAKE, "threads").text, "threads = 1\n");
}

/// The one behind the drop-in, and the program's own.
TEST(Preloaded, TellsOpenblasOfThreads) {
  EXPECT_EQ(client(preloaded + FAKE, "threads").text, "threads = 5\n");
  EXPECT_EQ(client(preloaded + SYSTEM_FAKE, "threads", LATE_CLIENT).text, "threads = 5\n");
}

/// A directory with a libblas.so.3 that is the drop-in under that name, as an alternatives system would make it.
class Alternative : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(directory);
    fs::remove(directory / "libblas.so.3");
    fs::create_symlink(NAMED_COPY, directory / "libblas.so.3");
  }
  void TearDown() override { fs::remove_all(directory); }

  fs::path directory = fs::temp_directory_path() / ("trigon-alternative-" + std::to_string(getpid()));
  std::string environment = "LD_LIBRARY_PATH=" + directory.string();
};

TEST_F(Alternative, SolvesItselfAndForwardsTheRest) {
  EXPECT_EQ(client(environment, "solve").text, "x = 1 2\n");
  EXPECT_EQ(client(environment + " TRIGON_BLAS_FORWARD=" FAKE, "dot").text, "dot = 1121\n");
}

TEST_F(Alternative, FindsABlasOtherThanItself) { EXPECT_EQ(client(environment, "dot").text, "dot = 25\n"); }

TEST_F(Alternative, RefusesItselfByItsOtherName) {
  const std::string self = directory / "libblas.so.3";
  for (const std::string way : {environment, "LD_PRELOAD=" DROP_IN + (" " + environment)}) {
    const Outcome loop = client(way + " TRIGON_BLAS_FORWARD=" + self, "dot");
    EXPECT_EQ(loop.status, 127);
    EXPECT_TRUE(mentions(loop, self + " is Trigon itself")) << loop.text;
  }
}

TEST_F(Alternative, IsStillReplacedByAPreloadedOne) {
  EXPECT_EQ(client("LD_PRELOAD=" DROP_IN " " + environment, "solve").text, "x = 1 2\n");
  EXPECT_EQ(client("LD_PRELOAD=" DROP_IN " " + environment, "dot").text, "dot = 25\n");
  EXPECT_EQ(client("LD_PRELOAD=" DROP_IN " " + environment + " TRIGON_BLAS_FORWARD=" FAKE, "threads").text,
            "threads = 5\n");
}

/// A preloaded drop-in leaves names as plain as dsum_ to other libraries; OpenBLAS's libblas.so.3 has them.
TEST_F(Alternative, HasTheExtensionsWithPlainNames) {
  EXPECT_EQ(client(environment + " TRIGON_BLAS_FORWARD=" FAKE, "sum").text, "sum = 1019\n");
  EXPECT_EQ(client(preloaded + FAKE, "sum").status, 3);
}

/// The loader asks what a program needs itself before what its libraries need, so the symbols must be in this file.
TEST_F(Alternative, ComesBeforeWhatOtherLibrariesNeed) {
  EXPECT_EQ(client("", "solve", LATE_CLIENT).text, "fake dtrsm\nx = 2 9\n");
  EXPECT_EQ(client(environment, "solve", LATE_CLIENT).text, "x = 1 2\n");
}

/// ldconfig makes links by the names that are recorded inside, so that of the drop-in must not lead here.
TEST_F(Alternative, RecordsItsOwnName) {
  std::ifstream file(NAMED_COPY, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(bytes.find(std::string("\0libblas.so.3\0", 14)), std::string::npos);
  EXPECT_EQ(bytes.find("libtrigon_blas.so"), std::string::npos);
}

}  // namespace
