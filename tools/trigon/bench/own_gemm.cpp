#include "trigon/bench/own_gemm.hpp"

#include <trigon/error.hpp>

#include <utility>

namespace trigon::bench {
namespace {

class AsGemm final : public Contestant {
 public:
  explicit AsGemm(std::unique_ptr<Contestant> trigon) : trigon_(std::move(trigon)), who_(trigon_->who()) {
    who_.name = own_gemm_name;
    who_.is_trigon = false;
  }

  const Contender& who() const override { return who_; }
  bool prepare(const Row& row, std::uint64_t seed, std::string& why) override {
    Row gemm = row;
    try {
      gemm.call = gemm_of(row.call);
    } catch (const error& e) {
      why = e.what();
      return false;
    }
    scale_ = flops(row.call) / flops(gemm.call);
    return trigon_->prepare(gemm, seed, why);
  }
  Checked check() override { return trigon_->check(); }
  double sample(int inner, bool cold) override { return scale_ * trigon_->sample(inner, cold); }
  PlanInfo plan() override { return trigon_->plan(); }
  Counted counted() override { return trigon_->counted(); }
  void release() override { trigon_->release(); }

 private:
  std::unique_ptr<Contestant> trigon_;
  Contender who_;
  double scale_ = 1;  ///< flops of the row over the GEMM's
};

}  // namespace

Call gemm_of(const Call& of) {
  Call gemm = of;
  gemm.operation = Operation::Gemm;
  gemm.alpha = gemm.beta = 1;  // C grows by the same product each time, and never overflows
  switch (of.operation) {
    case Operation::Gemm: break;
    case Operation::Trmm:
    case Operation::Trsm:
    case Operation::Symm:
    case Operation::Hemm:
      gemm.ldc = has(of.operation, Argument::Ldc) ? of.ldc : of.ldb;
      gemm.transb = Op::NoTrans;
      if (!has(of.operation, Argument::TransA)) gemm.transa = Op::NoTrans;
      gemm.k = of.side == Side::Left ? of.m : of.n;
      if (of.side == Side::Right) std::swap(gemm.transa, gemm.transb), std::swap(gemm.lda, gemm.ldb);
      break;
    case Operation::Syrk:
    case Operation::Herk:
    case Operation::Syr2k:
    case Operation::Her2k:
      gemm.m = of.n;
      if (!has(of.operation, Argument::Ldb)) gemm.ldb = of.lda;
      gemm.transb = of.transa != Op::NoTrans                                              ? Op::NoTrans
                    : of.operation == Operation::Herk || of.operation == Operation::Her2k ? Op::ConjTrans
                                                                                          : Op::Trans;
      break;
    case Operation::Trmv:
    case Operation::Trsv: throw error("no GEMM is like a routine of vectors");
  }
  return gemm;
}

std::unique_ptr<Contestant> as_gemm(std::unique_ptr<Contestant> trigon) {
  return std::make_unique<AsGemm>(std::move(trigon));
}

}  // namespace trigon::bench
