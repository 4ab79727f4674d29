// Every argument of every routine, wrong, through every door: the name and the position that are reported, in the
// caller's order, and that nothing was written.
#include "doors_and_layouts.hpp"

#include <gtest/gtest.h>
#include <trigon/trigon.h>

#include <cctype>
#include <cstdio>
#include <functional>

namespace trigon::test {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string captured(const std::function<void()>& action) {
  testing::internal::CaptureStderr();
  action();
  return testing::internal::GetCapturedStderr();
}

/// What the default handlers are to print for a bad argument.
std::string expected(Door door, const Call& call, Argument bad) {
  char text[128];
  if (door == Door::Fortran)
    std::snprintf(text, sizeof text, " ** On entry to %s parameter number %2d had an illegal value\n",
                  upper(routine(call)).c_str(), position(call.operation, bad, false));
  else
    std::snprintf(text, sizeof text, "Parameter %d to routine cblas_%s was incorrect\n",
                  position(call.operation, bad, true), routine(call).c_str());
  return text;
}

class Errors : public testing::TestWithParam<DoorAndLayout> {
 protected:
  void reports(const Call& call, Argument bad, Argument null = Argument::None) {
    SCOPED_TRACE(symbol(door, call) + " " + std::string(name(call.operation, bad)));
    const Operands before = operands;
    int status = 0;
    const std::string text = captured([&] { status = invoke(door, call, null); });
    if (door == Door::C) {
      EXPECT_EQ(status, TRIGON_INVALID_ARGUMENT);
      EXPECT_EQ(trigon_last_argument(), position(call.operation, bad, true));
      const std::string head = routine(call) + ": argument " + std::to_string(trigon_last_argument()) + " (" +
                               std::string(name(call.operation, bad)) + ") is ";
      EXPECT_EQ(std::string(trigon_last_error()).substr(0, head.size()), head);
      EXPECT_EQ(text, "");
    } else {
      EXPECT_EQ(text.substr(0, text.find('\n') + 1), expected(door, call, bad));
    }
    EXPECT_TRUE(operands.same_bits(before)) << "an operand was written";
  }

  void accepts(const Call& call) {
    SCOPED_TRACE(symbol(door, call));
    int status = 0;
    EXPECT_EQ(captured([&] { status = invoke(door, call); }), "");
    EXPECT_EQ(status, 0);
  }

  Door door = std::get<0>(GetParam());
  Layout layout = std::get<1>(GetParam());
  Operands operands;
};

TEST_P(Errors, EveryArgumentOfEveryRoutine) {
  for (const Call& call : every_routine(layout, operands)) {
    accepts(call);
    for (Argument argument : parameters(call.operation)) {
      const bool scalar = argument == Argument::Alpha || argument == Argument::Beta;
      if (!scalar)
        reports(spoiled(call, argument), argument);
      else if (by_address(door, call, argument))
        reports(call, argument, argument);
    }
    if (door != Door::Fortran) reports(spoiled(call, Argument::Layout), Argument::Layout);
  }
}

TEST_P(Errors, TheFirstOfSeveralIsTheReferences) {
  using enum Argument;
  for (Call call : every_routine(layout, operands)) {
    const bool has_m = position(call.operation, M, true) != 0;
    const bool turned = has_m && layout == Layout::RowMajor;  // carried out as the transposed call
    if (has_m) reports(spoiled(spoiled(call, M), N), turned ? N : M);
    if (call.operation == Operation::Gemm) reports(spoiled(spoiled(call, Lda), Ldb), turned ? Ldb : Lda);
    reports(spoiled(spoiled(call, Lda), N), N);
    const Argument flag = parameters(call.operation)[0];
    reports(spoiled(spoiled(call, N), flag), flag);
    if (door != Door::Fortran) reports(spoiled(spoiled(call, flag), Argument::Layout), Argument::Layout);
  }
}

/// Fortran passes flags and sizes by address, too: one that is not there is as bad as a wrong one.
TEST_P(Errors, FlagsAndSizesThatAreNotThere) {
  if (door != Door::Fortran) return;
  for (const Call& call : every_routine(layout, operands)) {
    const auto list = parameters(call.operation);
    for (Argument argument : list) {
      using enum Argument;
      if (argument == A || argument == B || argument == C || argument == X) continue;
      reports(call, argument, argument);
      if (argument != list.front()) reports(spoiled(call, list.front()), list.front(), argument);
      if (argument != list.back() && list.back() != C) reports(spoiled(call, list.back()), argument, argument);
    }
  }
}

TEST_P(Errors, RankUpdatesTakeTheOpsOfTheReference) {
  for (Call call : every_routine(layout, operands)) {
    const bool real = call.precision == Precision::Single || call.precision == Precision::Double;
    const auto with = [&](Op op) {
      Call other = call;
      other.transa = op;
      return other;
    };
    switch (call.operation) {
      case Operation::Syrk:
      case Operation::Syr2k:
        accepts(with(Op::Trans));
        if (real)
          accepts(with(Op::ConjTrans));
        else
          reports(with(Op::ConjTrans), Argument::TransA);
        break;
      case Operation::Herk:
      case Operation::Her2k:
        accepts(with(Op::ConjTrans));
        reports(with(Op::Trans), Argument::TransA);
        break;
      default: break;
    }
  }
}

TEST_P(Errors, OperandsThatAreNotThereAreFineWhenEmpty) {
  for (Call call : every_routine(layout, operands)) {
    call.m = call.n = 0;
    call.a = nullptr, call.b = call.c = nullptr;
    accepts(call);
  }
}

TEST_P(Errors, FlagsMayBeInLowerCaseInFortran) {
  if (door != Door::Fortran) return;
  for (Call call : every_routine(layout, operands)) {
    call.side = Side{'l'}, call.uplo = Uplo{'u'}, call.transa = Op{'n'}, call.transb = Op{'t'}, call.diag = Diag{'u'};
    accepts(call);
  }
}

TEST(CblasMessages, NameTheSettingAndItsValue) {
  Operands operands;
  for (const Call& call : every_routine(Layout::RowMajor, operands))
    for (Argument flag :
         {Argument::Layout, Argument::Side, Argument::Uplo, Argument::TransA, Argument::TransB, Argument::Diag}) {
      if (position(call.operation, flag, true) == 0) continue;
      const std::string text = captured([&] { invoke(Door::Cblas, spoiled(call, flag)); });
      EXPECT_NE(text.find("\nIllegal "), std::string::npos) << text;
      EXPECT_NE(text.find(" setting, 999\n"), std::string::npos) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Doors, Errors, doors_and_layouts(), door_and_layout);

}  // namespace
}  // namespace trigon::test
