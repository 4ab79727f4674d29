// `trigon check` over a library that does not look at its arguments as it should.
#include "trigon/bench/variants.hpp"
#include "trigon/check/worker.hpp"

#include <trigon/error.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace trigon {
namespace {
enum class Careless { Not, Accepts, OneFurther, AnotherRoutine, NoPosition } careless;
}

/// In place of the library's: this program's symbols come first.
void execute(const Call& call) {
  static const auto library =
      reinterpret_cast<void (*)(const Call&)>(dlsym(RTLD_NEXT, "_ZN6trigon7executeERKNS_4CallE"));
  try {
    library(call);
  } catch (const argument_error& e) {
    switch (careless) {
      case Careless::Not: throw;
      case Careless::Accepts: return;
      case Careless::OneFurther: throw argument_error(e.routine, e.name, e.position + 1, "is bad");
      case Careless::AnotherRoutine: throw argument_error("dtrsn", e.name, e.position, "is bad");
      case Careless::NoPosition: throw error("something is bad");
    }
  }
}

namespace selftest {
namespace {

/// The lines that the part about wrong arguments reports, for a TRSM of doubles.
struct Reported {
  int cases = 0;
  std::vector<nlohmann::json> failures;
};

Reported report(Careless how) {
  careless = how;
  Work w;
  w.part = "errors";
  w.cases.operations = {Operation::Trsm}, w.cases.precisions = "d";
  std::FILE* const file = std::tmpfile();
  work(w, Reporter(fileno(file)));
  std::rewind(file);
  Reported r;
  char line[4096];
  while (std::fgets(line, sizeof line, file)) {
    r.cases += line[0] == 'C';
    if (line[0] == 'F') r.failures.push_back(nlohmann::json::parse(line + 2));
  }
  std::fclose(file);
  return r;
}

// Two layouts; layout, side, uplo, transa, diag, m, n, A, lda, B, ldb.
constexpr int wrong_arguments = 2 * 11;

TEST(WrongArguments, AreRefusedByTheLibrary) {
  const Reported r = report(Careless::Not);
  EXPECT_EQ(r.cases, wrong_arguments);
  EXPECT_TRUE(r.failures.empty()) << r.failures.front();
}

TEST(WrongArguments, ThatAreAcceptedAreReported) {
  const Reported r = report(Careless::Accepts);
  ASSERT_EQ(r.failures.size(), wrong_arguments);
  for (const auto& f : r.failures) {
    EXPECT_EQ(f["kind"], "argument error");
    EXPECT_EQ(f["words"], "accepted");
  }
  EXPECT_EQ(r.failures[5]["case"],
            "dtrsm layout=C side=L uplo=L transa=N diag=N m=5 n=4 alpha=1 lda=6 ldb=6 # wrong: m");
}

TEST(WrongArguments, MustBeReportedAtTheirPosition) {
  const Reported r = report(Careless::OneFurther);
  ASSERT_EQ(r.failures.size(), wrong_arguments);
  EXPECT_EQ(r.failures[5]["words"], "reported as \"dtrsm: argument 7 (m) is bad\" instead of argument 6");
  EXPECT_EQ(report(Careless::AnotherRoutine).failures.size(), wrong_arguments);
}

TEST(WrongArguments, MustBeReportedAsArguments) {
  const Reported r = report(Careless::NoPosition);
  ASSERT_EQ(r.failures.size(), wrong_arguments);
  EXPECT_EQ(r.failures[0]["words"], "reported as \"something is bad\"");
}

}  // namespace
}  // namespace selftest
}  // namespace trigon
