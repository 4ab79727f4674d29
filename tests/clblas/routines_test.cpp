// The eleven operations through the clBLAS interface: every variant at odd offsets between guards, judged by the
// harness that judges the CPU; on an out-of-order queue; and under the older names.
#include "clblas/caller.hpp"
#include "support/harness.hpp"

#include <gtest/gtest.h>

#include <random>

namespace trigon::test {
namespace {

using Routine = std::function<clblasStatus(const Call&, const Offsets&, const Submitted&)>;

/// The call on buffers, and whether guards and inputs are as they were.
void execute_on_device(const Queue& queue, const Routine& routine, const Call& host, unsigned seed) {
  const bool in_b = is_triangular(host.operation), vector = is_vector(host.operation);
  const auto has = [&](Argument a) { return position(host.operation, a, false) != 0; };
  DeviceOperand a(queue, host, Argument::A, host.a, seed % 7);
  DeviceOperand b(queue, has(Argument::B) || vector ? host : Call{}, vector ? Argument::X : Argument::B, host.b,
                  seed % 5);
  DeviceOperand c(queue, has(Argument::C) ? host : Call{}, Argument::C, host.c, seed % 3);
  Call call = host;
  call.a = a.memory(), call.b = b.memory(), call.c = c.memory();
  auto native = static_cast<cl_command_queue>(queue.native());
  cl_event done = nullptr;
  const clblasStatus status = routine(call, {a.offset(), b.offset(), c.offset()}, {1, &native, 0, nullptr, &done});
  if (status != clblasSuccess) throw std::runtime_error(trigon_clblas_message());
  must(clWaitForEvents(1, &done), "the event");
  clReleaseEvent(done);
  a.check("A", nullptr);
  b.check("B", in_b ? host.b : nullptr);
  c.check("C", in_b ? nullptr : host.c);
}

Case some_case(const Call& variant, std::mt19937_64& random, index most) {
  constexpr index sizes[] = {1, 2, 3, 5, 8, 9, 17, 24, 33, 48, 65, 97, 130};
  const auto size = [&] {
    index n = 0;
    do n = sizes[random() % std::size(sizes)];
    while (n > most);
    return n;
  };
  constexpr double scalars[] = {1, 1, -1, 0.75, 0};
  constexpr index increments[] = {1, -1, 2, -3};
  Case c{variant};
  set_sizes(c.call, size(), size(), size());
  c.call.alpha = {scalars[random() % 5], variant.operation == Operation::Herk ? 0 : 0.5};
  c.call.beta = scalars[random() % 5];
  if (!is_complex_precision(variant.precision)) c.call.alpha = c.call.alpha.real();
  c.call.incx = increments[random() % 4];
  c.operands.seed = random();
  c.operands.protect = false;
  c.operands.padding = static_cast<index>(random() % 4);
  c.sample = {6, random()};
  c.check_flags = false;
  return c;
}

void expect_right(const Queue& queue, const Routine& routine, const Case& c, unsigned seed) {
  const Outcome outcome = run_case([&](const Call& call) { execute_on_device(queue, routine, call, seed); }, c);
  EXPECT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
}

class ThroughClblas : public testing::TestWithParam<Operation> {
  const Session session_;
};

TEST_P(ThroughClblas, EveryVariantMeetsItsBound) {
  const Queue queue("opencl");
  std::mt19937_64 random(3 + static_cast<unsigned>(GetParam()));
  for (const Precision p : all_precisions)
    for (const Call& variant : variants(GetParam(), p)) {
      expect_right(queue, clblas::execute, some_case(variant, random, 130), static_cast<unsigned>(random()));
      if (HasFailure()) return;
    }
}

TEST_P(ThroughClblas, TheOlderNamesAreTheSame) {
  if (is_hermitian(GetParam())) return;
  const Queue queue("opencl");
  std::mt19937_64 random(5);
  const auto all = variants(GetParam(), Precision::Double);
  for (int i = 0; i < 4; ++i) {
    const Case c = some_case(all[random() % all.size()], random, 48);
    expect_right(queue, clblas::execute_older, c, 4);
    if (is_vector(GetParam()) || GetParam() == Operation::Symm) continue;
    expect_right(
        queue,
        [](const Call& call, const Offsets&, const Submitted& q) { return clblas::execute_without_offsets(call, q); },
        c, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ThroughClblas, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
