#include "support/harness.hpp"

#include "support/thinning.hpp"

#include <trigon/call.hpp>
#include <trigon/reference.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <csignal>
#include <cstring>
#include <exception>
#include <ostream>

namespace trigon::test {
namespace {

constexpr int loud = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;

/// What the signal handler prints: set before each call.
thread_local char current_case[1024];

void on_crash(int signal) {
  constexpr char head[] = "\ncrash in the case: ";
  // Nothing can be done about a failing write here.
  if (write(STDERR_FILENO, head, sizeof head - 1) < 0 || write(STDERR_FILENO, current_case, strlen(current_case)) < 0 ||
      write(STDERR_FILENO, "\n", 1) < 0)
    _exit(127);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void announce(const std::string& text) {
  static const bool installed = [] {
    for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(s, on_crash);
    return true;
  }();
  (void)installed;
  std::strncpy(current_case, text.c_str(), sizeof current_case - 1);
}

std::string describe(const Case& c, const Call& call) {
  std::string text = to_text(call) + " # seed=" + std::to_string(c.operands.seed);
  text += c.operands.place == GuardedMemory::Place::EndsAtGuard ? " ends-at-guard" : " starts-at-guard";
  if (c.operands.shift != 0) text += " shift=" + std::to_string(c.operands.shift);
  if (c.operands.ill_conditioned) text += " ill-conditioned";
  for (const Plant& p : c.plants)
    text += " planted " + std::string(name(call.operation, p.operand)) + "(" + std::to_string(p.i) + "," +
            std::to_string(p.j) + ")=" + std::to_string(p.value.real());
  return text;
}

std::vector<std::byte> bits(const Operands& operands) {
  const Call& c = operands.call();
  // Padding and the other triangle are compared by `intrusion`; here whole columns do.
  const bool b = c.operation >= Operation::Trmm;
  const bool vector = c.operation == Operation::Trmv || c.operation == Operation::Trsv;
  const bool square = c.operation >= Operation::Syrk && c.operation <= Operation::Her2k;
  const index rows = square || vector ? c.n : c.m, columns = vector ? 1 : c.n, ld = b ? c.ldb : c.ldc;
  const index outer = c.layout == Layout::ColMajor ? columns : rows,
              inner = c.layout == Layout::ColMajor ? rows : columns;
  index elements = outer > 0 && inner > 0 ? (outer - 1) * ld + inner : 0;
  if (vector) elements = rows > 0 ? (rows - 1) * std::abs(c.incx) + 1 : 0;
  const auto size = with_type(c.precision, [](auto zero) { return sizeof zero; });
  const auto* p = static_cast<const std::byte*>(operands.result());
  return {p, p + static_cast<std::size_t>(elements) * size};
}

/// What an ordinary BLAS raises with the operands as they were before, which it overwrites.
int flags_of_plain(const Operands& operands) {
  std::feclearexcept(FE_ALL_EXCEPT);
  reference::execute_plain(operands.before());
  return std::fetestexcept(loud);
}

/// TRIGON_TEST_REPEAT=N repeats one case in N, none if N is 0: for interpreters, which do all in one order, and tables
/// of a device that repeats every case with another one.
bool is_repeated(const Case& c) {
  static const unsigned n = number("TRIGON_TEST_REPEAT", 1);
  return c.repeat && n != 0 && c.operands.seed % n == 0;
}

Outcome judge(const Implementation& run, const Case& c, Operands& operands, const std::string& words) {
  const auto fail = [&](Failure failure, const std::string& why) { return Outcome{failure, 0, why + "\n  " + words}; };
  const std::vector<unsigned> control = control_state();
  std::feclearexcept(FE_ALL_EXCEPT);
  if (c.hide_padding) operands.hide_padding();
  try {
    run(operands.call());
  } catch (const std::exception& e) {
    return fail(Failure::Exception, e.what());
  }
  const int raised = std::fetestexcept(loud);
  if (c.hide_padding) operands.hide_padding(false);
  if (control_state() != control) return fail(Failure::ControlState, "the floating-point control state has changed");
  if (const std::string intrusion = operands.intrusion(); !intrusion.empty())
    return fail(Failure::Intrusion, intrusion);
  const Verdict verdict = operands.verify(c.sample);
  if (!verdict.ok()) return {Failure::Accuracy, verdict.ratio, verdict.words + "\n  " + words};
  if (is_repeated(c)) {
    const std::vector<std::byte> first = bits(operands);
    operands.restore();
    run(operands.call());
    if (bits(operands) != first) return fail(Failure::Unrepeatable, "a second run gave other bits");
  }
  // At last, for what the operands were before is overwritten.
  const int spurious = c.check_flags && raised != 0 ? raised & ~flags_of_plain(operands) : 0;
  if (spurious != 0)
    return fail(Failure::Flags, std::string("spurious flags:") + (spurious & FE_INVALID ? " invalid" : "") +
                                    (spurious & FE_DIVBYZERO ? " divide-by-zero" : "") +
                                    (spurious & FE_OVERFLOW ? " overflow" : ""));
  return {Failure::None, verdict.ratio, {}};
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Failure failure) {
  constexpr const char* names[] = {"none",          "accuracy",     "intrusion", "flags",
                                   "control state", "unrepeatable", "crash",     "exception"};
  return out << names[static_cast<int>(failure)];
}

std::vector<unsigned> control_state() {
  std::vector<unsigned> state{static_cast<unsigned>(std::fegetround())};
#if defined(__x86_64__)
  unsigned mxcsr = 0;
  unsigned short x87 = 0;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  asm volatile("fnstcw %0" : "=m"(x87));
  constexpr unsigned sticky = 0x3f;
  state.push_back(mxcsr & ~sticky);
  state.push_back(x87);
#elif defined(__aarch64__)
  unsigned long fpcr = 0;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  state.push_back(static_cast<unsigned>(fpcr));
#endif
  return state;
}

Outcome run_case(const Implementation& run, const Case& c) {
  Operands operands(c.call, c.operands);
  for (const Plant& p : c.plants) operands.plant(p.operand, p.i, p.j, p.value);
  const std::string words = describe(c, operands.call());
  announce(words);
  return judge(run, c, operands, words);
}

Outcome run_case_in_child(const Implementation& run, const Case& c) {
  int ends[2];
  if (pipe(ends) != 0) return {Failure::Crash, 0, "no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    for (const int s : {SIGSEGV, SIGBUS}) std::signal(s, SIG_DFL);
    Operands operands(c.call, c.operands);
    for (const Plant& p : c.plants) operands.plant(p.operand, p.i, p.j, p.value);
    const Outcome outcome = judge(run, c, operands, describe(c, operands.call()));
    const char kind = static_cast<char>(outcome.failure);
    const bool sent = write(ends[1], &kind, 1) == 1 && write(ends[1], outcome.words.data(), outcome.words.size()) ==
                                                           static_cast<ssize_t>(outcome.words.size());
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  char kind = 0;
  Outcome outcome;
  if (read(ends[0], &kind, 1) == 1) {
    outcome.failure = static_cast<Failure>(kind);
    char text[512];
    for (ssize_t got; (got = read(ends[0], text, sizeof text)) > 0;) outcome.words.append(text, text + got);
  } else {
    outcome.failure = Failure::Crash;
    outcome.words = "the child ended without an answer";
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) outcome.failure = Failure::Crash;
  return outcome;
}

}  // namespace trigon::test
