// Trigon, CLBlast and clBLAS on device memory: operands are there before the clock starts, calls are submitted one
// after the other, and the clock stops when the queue is empty.
#include <trigon/device.hpp>
#include <trigon/error.hpp>

#include <algorithm>
#include <functional>
#include <optional>

#include "trigon/bench/contestant.hpp"
#include "trigon/bench/opencl_peer.hpp"
#include "trigon/setting.hpp"

namespace trigon::bench {
namespace {

class OnDevice final : public Contestant {
 public:
  OnDevice(Contender who, std::shared_ptr<OperandPool> pool)
      : who_(std::move(who)), pool_(std::move(pool)), queue_(device_by_name()) {
    if (who_.is_trigon) return;
    peer_.emplace(who_.path);
    who_.path = peer_->path(), who_.version = peer_->version();
  }

  const Contender& who() const override { return who_; }

  bool prepare(const Row& row, std::uint64_t seed, std::string& why) override {
    release();
    row_ = row;
    last_ = 0;
    seed_ = seed;
    operands_ = pool_->get(row, seed);
    call_ = operands_->call();
    const bool in_b = overwrites_b(call_.operation);
    const auto place = [&](std::optional<DeviceMemory>& memory, Argument operand, const void* host) {
      const std::size_t bytes = storage(call_, operand) * element_size(call_.precision);
      memory.emplace(queue_, bytes);
      if (host) memory->write(host, bytes);
      return memory->handle();
    };
    const Call& before = operands_->before();
    const bool has_b = in_b || has(call_.operation, Argument::B), has_c = has(call_.operation, Argument::C);
    call_.a = place(a_, Argument::A, before.a);
    if (has_b) call_.b = place(b_, is_vector(call_.operation) ? Argument::X : Argument::B, before.b);
    if (has_c) call_.c = place(c_, Argument::C, before.c);
    result_bytes_ = storage(call_, result_argument()) * element_size(call_.precision);
    repeats_ = repeats(row.call);
    submit_ = [this] { execute(call_, {}, queue_); };
    if (!peer_) return true;
    try {
      submit_ = peer_->prepare(call_, queue_);
      submit_();  // compiles what it takes, and shows whether it does the call at all
      queue_.finish();
      return true;
    } catch (const error& e) {
      why = e.what();
      return false;
    }
  }

  Checked check() override {
    restore();
    if (who_.is_trigon) count_paths(true);
    submit_();
    if (who_.is_trigon) count_paths(false);
    std::vector<std::byte> result(result_bytes_);
    memory_of_result().read(result.data(), result_bytes_);
    const Verdict verdict = verify(operands_->before(), result.data(), sample_for(row_.call, seed_));
    return {verdict.ok(), verdict.ratio, verdict.ok() ? "" : verdict.words};
  }

  double sample(int inner, bool cold) override {
    if (cold) throw error("--cold: the caches of a device are its own");
    // Long enough that the wait at the end is not what is measured.
    const int calls = std::max(inner, last_ > 0 ? static_cast<int>(std::min(4e-3 / last_, 1000.0)) : 1);
    double elapsed = 0;
    for (int left = calls; left > 0; left -= repeats_) {
      restore();
      submit_();
      queue_.finish();
      const double begin = now(Clock::Wall);
      for (int i = std::min(left, repeats_); i > 0; --i) submit_();
      queue_.finish();
      elapsed += now(Clock::Wall) - begin - clock_overhead(Clock::Wall);
    }
    return last_ = std::max(elapsed, 1e-10) / calls;
  }

  PlanInfo plan() override { return explain(row_.call); }
  Counted counted() override { return {path_counts(), 0}; }
  void release() override {
    a_.reset(), b_.reset(), c_.reset();
    operands_.reset();
    pool_->operands.reset();
    pool_->key.clear();
  }

 private:
  Argument result_argument() const {
    if (is_vector(call_.operation)) return Argument::X;
    return overwrites_b(call_.operation) ? Argument::B : Argument::C;
  }
  DeviceMemory& memory_of_result() { return overwrites_b(call_.operation) ? *b_ : *c_; }
  void restore() {
    const Call& before = operands_->before();
    memory_of_result().write(overwrites_b(call_.operation) ? before.b : before.c, result_bytes_);
  }

  Contender who_;
  std::shared_ptr<OperandPool> pool_;
  Queue queue_;
  std::optional<OpenclPeer> peer_;
  std::function<void()> submit_;
  Row row_;
  std::uint64_t seed_ = 0;
  std::shared_ptr<Operands> operands_;
  Call call_;
  std::optional<DeviceMemory> a_, b_, c_;
  std::size_t result_bytes_ = 0;
  int repeats_ = 1;
  double last_ = 0;  ///< seconds per call of the last sample of this row
};

}  // namespace

std::unique_ptr<Contestant> open_on_device(Contender who, std::shared_ptr<OperandPool> pool) {
  return std::make_unique<OnDevice>(std::move(who), std::move(pool));
}

std::string device_by_name() {
  const std::string device = setting("TRIGON_DEVICE");
  return setting("TRIGON_BACKEND") + (device.empty() ? "" : ":" + device);
}

bool measures_a_device() {
  const std::string backend = setting("TRIGON_BACKEND");
  return !backend.empty() && backend != "auto" && backend != "cpu";
}

}  // namespace trigon::bench
