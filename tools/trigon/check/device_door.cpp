#include "trigon/check/device_door.hpp"

#include <trigon/device.hpp>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <optional>

#include "trigon/bench/contestant.hpp"

namespace trigon::selftest {
namespace {

const Queue& queue() {
  static const Queue& q = *new Queue(bench::device_by_name());
  return q;
}

/// An operand on the device, for one call.
class Sent {
 public:
  Sent(const Call& call, Argument operand, const void* host, bool exists)
      : bytes_(bench::storage(call, operand) * bench::element_size(call.precision)), memory_(queue(), bytes_) {
    if (exists) memory_.write(host, bytes_);
  }
  void* handle() const { return memory_.handle(); }
  void fetch(void* host) const { memory_.read(host, bytes_); }

 private:
  std::size_t bytes_;
  DeviceMemory memory_;
};

}  // namespace

bool has_device_memory() {
  try {
    const DeviceMemory some(queue(), 1);
    return true;
  } catch (const backend_error&) {
    return false;
  }
}

void call_on_device(const Call& host) {
  const bool in_b = bench::overwrites_b(host.operation);
  const Argument second = bench::is_vector(host.operation) ? Argument::X : Argument::B;
  const auto has = [&](Argument operand) { return bench::has(host.operation, operand); };
  // What BLAS does not reference does not exist: the judge's is an inaccessible page.
  const std::string path = explain(host).path;
  const bool result = path != "nothing", factors = result && path != "scale";
  Call there = host;
  std::optional<Sent> a, b, c;
  there.a = a.emplace(host, Argument::A, host.a, factors).handle();
  if (in_b || has(Argument::B)) there.b = b.emplace(host, second, host.b, in_b ? result : factors).handle();
  if (has(Argument::C)) there.c = c.emplace(host, Argument::C, host.c, result).handle();
  execute(there, {}, queue());
  queue().finish();
  if (result) in_b ? b->fetch(host.b) : c->fetch(host.c);
}

}  // namespace trigon::selftest
