// Random calls, judged, and many times those in which blocks wait for each other.
#include "stages.hpp"

#include <cstdlib>
#include <random>

namespace trigon::gpu {
namespace {

/// A call with random flags and sizes.
Call random_call(std::mt19937_64& random, index most) {
  Call c;
  c.operation = static_cast<Operation>(random() % operation_count);
  constexpr Precision precisions[] = {Precision::Single, Precision::Double, Precision::ComplexSingle,
                                      Precision::ComplexDouble};
  c.precision = precisions[random() % 4];
  const bool complex = c.precision == Precision::ComplexSingle || c.precision == Precision::ComplexDouble;
  const bool hermitian =
      c.operation == Operation::Hemm || c.operation == Operation::Herk || c.operation == Operation::Her2k;
  if (hermitian && !complex) c.precision = Precision::ComplexDouble;
  const bool rank_k = c.operation >= Operation::Syrk && c.operation <= Operation::Her2k;
  constexpr Op ops[] = {Op::NoTrans, Op::Trans, Op::ConjTrans};
  c.layout = random() % 2 ? Layout::ColMajor : Layout::RowMajor;
  c.side = random() % 2 ? Side::Left : Side::Right;
  c.uplo = random() % 2 ? Uplo::Lower : Uplo::Upper;
  c.diag = random() % 2 ? Diag::NonUnit : Diag::Unit;
  c.transa = ops[random() % 3], c.transb = ops[random() % 3];
  if (rank_k && c.transa != Op::NoTrans) c.transa = hermitian ? Op::ConjTrans : Op::Trans;
  const auto size = [&] {
    return 1 + static_cast<index>(random() % static_cast<std::uint64_t>(random() % 3 ? most : 20));
  };
  c.m = size(), c.n = size(), c.k = size();
  c.alpha = 0.75, c.beta = random() % 2 ? -0.5 : 0;
  c.incx = random() % 2 ? 1 : -3;
  return c;
}

/// Whether the provider that the environment asks for is in use. Otherwise every call would pass on our own kernels.
bool has_its_provider() {
  if (!std::getenv("TRIGON_PROVIDER")) return true;
  for (const BackendInfo& b : backends())
    if (b.name == backend() && b.detail.find("GEMM of ") != std::string::npos) return true;
  return false;
}

/// Carries the call out three times in device memory, judges it, and tells what is wrong.
bool is_right(Operands& o, std::mt19937_64& random, const Settings& s, double& worst) {
  Call there = o.call();
  const Argument second = has(there, Argument::X) ? Argument::X : Argument::B;
  const std::size_t element = with_type(there.precision, [](auto zero) { return sizeof zero; });
  std::vector<std::unique_ptr<Memory>> memory;
  const auto send = [&](Argument operand, const void* host) -> void* {
    if (!has(there, operand)) return nullptr;
    memory.push_back(std::make_unique<Memory>(span_of(there, operand) * element));
    upload(memory.back()->address(), host, memory.back()->bytes());
    return memory.back()->address();
  };
  there.a = send(Argument::A, o.call().a), there.b = send(second, o.call().b), there.c = send(Argument::C, o.call().c);
  const bool in_b = there.operation >= Operation::Trmm;
  void* const result = in_b ? there.b : there.c;
  const std::size_t bytes = memory.back()->bytes();  // the result is sent last
  std::vector<std::byte> before(bytes), first(bytes), again(bytes);
  std::memcpy(before.data(), o.result(), bytes);
  bool repeats = true;
  for (int time = 0; time < 3; ++time) {
    upload(result, before.data(), bytes);
    trigon_call(there);
    queue().finish();
    download(time == 0 ? first.data() : again.data(), result, bytes);
    repeats = repeats && (time == 0 || again == first);
  }
  std::memcpy(o.result(), first.data(), bytes);
  const Verdict verdict = o.verify({s.tiny ? 4 : 8, random()});
  worst = std::max(worst, verdict.ratio);
  const std::string intrusion = o.intrusion();
  if (verdict.ok() && intrusion.empty() && repeats) return true;
  emit({{"stage", "correctness"},
        {"wrong", to_text(o.call())},
        {"words", verdict.ok() ? intrusion : verdict.words},
        {"repeats", repeats}});
  return false;
}

/// Judged once, and then the same bits each time.
bool stays_the_same(const Call& c, const Settings& s) {
  const int rounds = s.tiny ? 3 : 300;
  const Problem p(c, s.seed);
  int other = 0;
  double error = 0;
  std::vector<std::byte> first;
  for (int i = 0; i < rounds; ++i) {
    p.restore();
    trigon_call(p.device());
    queue().finish();
    if (i == 0) {
      first = p.result();
      error = verify(p.host(), first.data(), {2, s.seed}).ratio;
    } else {
      other += p.result() != first;
    }
  }
  emit({{"stage", "stress"},
        {"routine", routine(c)},
        {"call", to_text(c)},
        {"rounds", rounds},
        {"error", error},
        {"failures", other}});
  return other == 0 && error <= 1;
}

}  // namespace

/// Random calls with fresh seeds on guarded, poisoned operands: judged, and three times the same bits.
bool correctness(const Settings& s) {
  if (!has_its_provider()) {
    emit({{"stage", "correctness"}, {"wrong", "TRIGON_PROVIDER is not in use"}});
    return false;
  }
  std::mt19937_64 random(s.seed);
  // First some calls in which blocks take several tickets each: 608 on 132 multiprocessors, or 14 on the shim's two.
  const std::string many_tickets[] = {"dtrsm", "ctrmm uplo=U", "ztrsm transa=C", "strmm transa=T"};
  const std::string more_rows = s.tiny ? " m=220 n=7" : " m=1200 n=61";
  const int cases = s.cases > 0 ? s.cases : s.tiny ? 60 : 2000;
  const Deadline deadline(s);
  int wrong = 0, done = 0;
  double worst = 0;
  for (int i = 0; i < cases && !deadline.passed(); ++i, ++done) {
    OperandOptions options;
    options.seed = random(), options.protect = false, options.ill_conditioned = random() % 4 == 0;
    const auto chosen = static_cast<std::size_t>(i);
    Operands o(chosen < std::size(many_tickets) ? parse_call(many_tickets[chosen] + more_rows)
                                                : random_call(random, s.tiny ? 70 : 700),
               options);
    wrong += !carried_out("correctness", to_text(o.call()), [&] { return is_right(o, random, s, worst); });
  }
  emit({{"stage", "correctness"}, {"cases", done}, {"failures", wrong}, {"worst", worst}, {"seed", s.seed}});
  return wrong == 0;
}

/// The kernels whose blocks wait for each other, many times: a missing fence shows as other bits. With 61 right-hand
/// sides there are thousands of tickets, more than any device has blocks at once.
bool stress(const Settings& s) {
  bool right = true;
  for (const char* form : {"trsv transa=N", "trsv transa=T", "trmv transa=N", "trmv transa=T", "trsm n=7",
                           "trmm n=7 uplo=U", "trsm n=61", "trmm n=61 uplo=U transa=T"})
    for (const char* precision : {"s", "z"}) {
      Call c = parse_call(std::string(precision) + form);
      (has(c, Argument::M) ? c.m : c.n) = s.tiny ? 200 : 6000;
      c = complete(c);
      right = carried_out("stress", to_text(c), [&] { return stays_the_same(c, s); }) && right;
    }
  return right;
}

}  // namespace trigon::gpu
