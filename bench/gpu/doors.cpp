// What only a device shows of the doors: calls that are captured into graphs and replayed, and faults that are refused,
// told, and survived.
#include "stages.hpp"

#include <trigon/error.hpp>

namespace trigon::gpu {
namespace {

/// Told where it was not so.
bool expect(bool so, const std::string& what) {
  if (!so) emit({{"stage", "doors"}, {"wrong", what}});
  return so;
}

/// The same bits from a graph, replayed three times, as from the call itself.
bool replays(const std::string& text, const Settings& s) {
  Call c = parse_call(text);
  if (s.tiny) c.m = std::min<index>(c.m, 70), c.n = std::min<index>(c.n, 70), c.k = std::min<index>(c.k, 20);
  const Problem p(complete(c), s.seed);
  const std::size_t bytes = workspace_bytes(p.device(), queue());
  const Memory workspace(bytes);
  Submission on(queue());
  on.workspace = workspace.address(), on.workspace_bytes = bytes;
  const auto call = [&] { execute(p.device(), {}, on); };
  p.restore();
  call();
  queue().finish();
  const auto first = p.result();
  bool right = expect(verify(p.host(), first.data(), {2, s.seed}).ratio <= 1, text);
  const auto replay = captured(call);
  for (int time = 0; time < 3; ++time) {
    p.restore();
    replay();
    queue().finish();
    right = expect(p.result() == first, text + ", from a graph") && right;
  }
  return right;
}

bool graphs(const Settings& s) {
  bool right = true;
  for (const std::string text : {"dtrsv n=900", "strmv n=900 transa=T", "ztrsm m=500 n=9", "dtrmm m=500 n=30 uplo=U",
                                 "dtrsm m=300 n=200", "cgemm m=200 n=100 k=300", "dsyrk n=200 k=90"})
    right = carried_out("doors", text, [&] { return replays(text, s); }) && right;
  return right;
}

template <class Error, class Work>
bool refuses(const Work& work, const std::string& what) {
  try {
    work();
  } catch (const Error&) {
    return true;
  }
  return expect(false, what + " is not refused");
}

/// Each is refused with the error that it is, and a call afterwards is right.
bool faults(const Settings& s) {
  const Problem p(complete(parse_call("dtrsm m=100 n=80")), s.seed);
  const std::size_t too_much = std::size_t{1} << (has_memory_of_its_own() ? 42 : 60);
  bool right = refuses<out_of_memory>([&] { DeviceMemory(queue(), too_much); }, "more memory than there is");
  right = refuses<argument_error>(
              [&] {
                Call bad = p.device();
                bad.lda = 99;
                execute(bad, {}, queue());
              },
              "a leading dimension that is too small") &&
          right;
  if (has_memory_of_its_own())
    right = refuses<backend_error>(
                [&] {
                  Call bad = p.device();
                  bad.a = p.host().a;
                  execute(bad, {}, queue());
                },
                "an address of the host") &&
            right;
  p.restore();
  trigon_call(p.device());
  queue().finish();
  return expect(verify(p.host(), p.result().data(), {2, s.seed}).ratio <= 1, "a call after faults") && right;
}

}  // namespace

bool doors(const Settings& s) {
  const bool replayed = graphs(s), refused = carried_out("doors", "faults", [&] { return faults(s); });
  emit({{"stage", "doors"}, {"graphs", replayed}, {"faults", refused}});
  return replayed && refused;
}

}  // namespace trigon::gpu
