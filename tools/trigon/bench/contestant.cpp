#include "trigon/bench/contestant.hpp"

#include <trigon/error.hpp>
#include <trigon/verify.hpp>

#include <algorithm>
#include <cmath>

#include "trigon/bench/placement.hpp"

namespace trigon::bench {
namespace {

class Local final : public Contestant {
 public:
  Local(Contender who, std::shared_ptr<OperandPool> pool) : who_(std::move(who)), pool_(std::move(pool)) {
    if (who_.entry == Entry::Cpp) return;
    library_.emplace(who_.name, who_.path, who_.is_trigon);
    who_.path = library_->path();
    who_.version = who_.is_trigon ? trigon::version() : library_->version();
  }

  const Contender& who() const override { return who_; }

  bool prepare(const Row& row, std::uint64_t seed, std::string& why) override {
    row_ = row;
    last_ = 0;
    seed_ = seed;
    clock_ = row.threads == 1 && !measures_a_device() ? Clock::Cpu : Clock::Wall;
    operands_ = pool_->get(row, seed);
    repeats_ = repeats(row.call);
    if (!library_) return true;
    try {
      const auto door = who_.entry == Entry::Cblas ? BlasLibrary::Door::Cblas : BlasLibrary::Door::Fortran;
      invocation_ = library_->prepare(operands_->call(), door);
      return true;
    } catch (const error& e) {
      why = e.what();
      return false;
    }
  }

  Checked check() override {
    operands_->restore();
    if (who_.is_trigon) count_paths(true);
    call();
    if (who_.is_trigon) count_paths(false);
    const Verdict verdict = verify(operands_->before(), operands_->result(), sample_for(row_.call, seed_));
    return {verdict.ok(), verdict.ratio, verdict.ok() ? "" : verdict.words};
  }

  double sample(int inner, bool cold) override {
    double elapsed = 0;
    if (row_.threads > 1) spread_threads();
    for (int left = inner; left > 0; left -= repeats_) {
      operands_->restore();
      // One call to have code, pool and operands where repeated calls find them; a long call does that itself.
      constexpr double long_call = 2e-3;
      if (!cold && (last_ < long_call || row_.threads > 1)) call();
      if (cold) operands_->flush();
      const double begin = now(clock_);
      for (int i = std::min(left, repeats_); i > 0; --i) call();
      elapsed += now(clock_) - begin - clock_overhead(clock_);
    }
    last_ = std::max(elapsed, 1e-10) / inner;
    return last_;
  }

  PlanInfo plan() override { return explain(row_.call); }
  Counted counted() override { return {path_counts(), provider_gemm_calls()}; }
  void release() override {
    operands_.reset();
    pool_->operands.reset();
    pool_->key.clear();
  }

 private:
  void call() const {
    if (library_) return invocation_();
    execute(operands_->call());
  }

  Contender who_;
  std::shared_ptr<OperandPool> pool_;
  std::optional<BlasLibrary> library_;
  Row row_;
  std::uint64_t seed_ = 0;
  Clock clock_ = Clock::Cpu;
  std::shared_ptr<Operands> operands_;
  Invocation invocation_;
  int repeats_ = 1;
  double last_ = 0;  ///< seconds per call of the last sample of this row
};

}  // namespace

/// All of a small one; of a large one, as many lines as keep the check
/// (which works in higher precision) within a fraction of a second.
Sample sample_for(const Call& call, std::uint64_t seed) {
  const double work = flops(call);
  if (work <= 4e6) return {-1, seed};
  return {work <= 1e9 ? 4 : 2, seed};
}

int repeats(const Call& call) {
  const double alpha = std::abs(call.alpha), beta = std::abs(call.beta);
  const double factor = overwrites_b(call.operation) ? (is_vector(call.operation) ? 1 : alpha) : std::max(beta, 1.0);
  constexpr int any = 1 << 20;
  if (factor == 0) return any;
  const double octaves = std::abs(std::log2(factor));
  return octaves * any < 60 ? any : std::max(1, static_cast<int>(60 / octaves));
}

std::shared_ptr<Operands> OperandPool::get(const Row& row, std::uint64_t seed) {
  const std::string wanted = bench::key(row) + " seed=" + std::to_string(seed);
  if (wanted != key || !operands) {
    operands.reset();
    operands = std::make_shared<Operands>(row.call, seed);
    key = wanted;
  }
  return operands;
}

std::unique_ptr<Contestant> open_here(Contender who, std::shared_ptr<OperandPool> pool) {
  if (who.entry == Entry::Device) return open_on_device(std::move(who), std::move(pool));
  return std::make_unique<Local>(std::move(who), std::move(pool));
}

std::vector<std::pair<std::string, std::string>> thread_environment(int threads) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const char* name : {"TRIGON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
                           "MKL_NUM_THREADS", "POCL_MAX_PTHREAD_COUNT"})
    list.emplace_back(name, std::to_string(threads));
  list.emplace_back("MKL_THREADING_LAYER", threads == 1 ? "SEQUENTIAL" : "INTEL");
  return list;
}

std::string to_string(Entry entry) {
  return entry == Entry::Fortran ? "blas" : entry == Entry::Cblas ? "cblas" : entry == Entry::Cpp ? "cpp" : "device";
}

Entry parse_entry(const std::string& word) {
  if (word == "blas") return Entry::Fortran;
  if (word == "cblas") return Entry::Cblas;
  if (word == "cpp") return Entry::Cpp;
  if (word == "device") return Entry::Device;
  throw error("--door: '" + word + "' is none of blas, cblas, cpp, device");
}

}  // namespace trigon::bench
