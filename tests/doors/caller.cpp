#include "caller.hpp"

#include <dlfcn.h>

#include <cstring>
#include <stdexcept>

namespace trigon::test {
namespace {

/// The calling conventions of x86-64 and AArch64 Linux number integer and floating-point arguments apart, and all
/// floating-point ones of BLAS fit in registers. So every routine can be called with its integers and addresses as
/// words, then its real scalars; words too many do no harm.
struct Arguments {
  std::vector<std::intptr_t> words;
  std::vector<double> reals;
  std::deque<Int> sizes;  // a deque does not move what it holds
  std::deque<char> letters;
  std::complex<double> scalars[2];
  std::complex<float> single_scalars[2];
};

template <class Real>
int jump(void* entry, const Arguments& arguments) {
  using W = std::intptr_t;
  W w[16] = {};
  for (std::size_t i = 0; i < arguments.words.size(); ++i) w[i] = arguments.words[i];
  Real r[2] = {};
  for (std::size_t i = 0; i < arguments.reals.size(); ++i) r[i] = static_cast<Real>(arguments.reals[i]);
  return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, Real, Real)>(entry)(
      w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15], r[0], r[1]);
}

bool complex(const Call& call) {
  return call.precision == Precision::ComplexSingle || call.precision == Precision::ComplexDouble;
}
bool single(const Call& call) {
  return call.precision == Precision::Single || call.precision == Precision::ComplexSingle;
}

bool real_scalar(const Call& call, Argument scalar) {
  return !complex(call) || call.operation == Operation::Herk ||
         (call.operation == Operation::Her2k && scalar == Argument::Beta);
}

int number(Layout v) { return v == Layout::RowMajor ? 101 : v == Layout::ColMajor ? 102 : 999; }
int number(Op v) { return v == Op::NoTrans ? 111 : v == Op::Trans ? 112 : v == Op::ConjTrans ? 113 : 999; }
int number(Uplo v) { return v == Uplo::Upper ? 121 : v == Uplo::Lower ? 122 : 999; }
int number(Diag v) { return v == Diag::NonUnit ? 131 : v == Diag::Unit ? 132 : 999; }
int number(Side v) { return v == Side::Left ? 141 : v == Side::Right ? 142 : 999; }

class Builder {
 public:
  Builder(Door door, const Call& call, Argument null) : door_(door), call_(call), null_(null) {}

  const Arguments& build() {
    if (door_ != Door::Fortran) out_.words.push_back(number(call_.layout));
    for (Argument argument : parameters(call_.operation)) add(argument);
    return out_;
  }

 private:
  void add(Argument argument) {
    if (argument == null_ && door_ == Door::Fortran) return address(nullptr);
    switch (argument) {
      case Argument::Side: return flag(call_.side);
      case Argument::Uplo: return flag(call_.uplo);
      case Argument::TransA: return flag(call_.transa);
      case Argument::TransB: return flag(call_.transb);
      case Argument::Diag: return flag(call_.diag);
      case Argument::M: return size(call_.m);
      case Argument::N: return size(call_.n);
      case Argument::K: return size(call_.k);
      case Argument::Lda: return size(call_.lda);
      case Argument::Ldb: return size(call_.ldb);
      case Argument::Ldc: return size(call_.ldc);
      case Argument::Incx: return size(call_.incx);
      case Argument::A: return address(call_.a);
      case Argument::B:
      case Argument::X: return address(call_.b);
      case Argument::C: return address(call_.c);
      case Argument::Alpha: return scalar(argument, call_.alpha, 0);
      case Argument::Beta: return scalar(argument, call_.beta, 1);
      default: throw std::logic_error("no such parameter");
    }
  }

  template <class Flag>
  void flag(Flag value) {
    if (door_ != Door::Fortran) return out_.words.push_back(number(value));
    out_.letters.push_back(static_cast<char>(value));
    address(&out_.letters.back());
  }

  void size(index value) {
    if (door_ != Door::Fortran) return out_.words.push_back(value);
    out_.sizes.push_back(static_cast<Int>(value));
    address(&out_.sizes.back());
  }

  void scalar(Argument argument, std::complex<double> value, int slot) {
    if (!by_address(door_, call_, argument)) return out_.reals.push_back(value.real());
    if (argument == null_) return address(nullptr);
    out_.scalars[slot] = value;
    out_.single_scalars[slot] = std::complex<float>(value);
    address(single(call_) ? static_cast<void*>(&out_.single_scalars[slot]) : &out_.scalars[slot]);
  }

  void address(const void* p) { out_.words.push_back(reinterpret_cast<std::intptr_t>(p)); }

  Door door_;
  const Call& call_;
  Argument null_;
  Arguments out_;
};

}  // namespace

bool Operands::same_bits(const Operands& other) const {
  const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
    return std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
  };
  return same(a, other.a) && same(b, other.b) && same(c, other.c);
}

std::string symbol(Door door, const Call& call) {
  switch (door) {
    case Door::Fortran: return routine(call) + (wide ? "_64_" : "_");
    case Door::Cblas: return "cblas_" + routine(call) + (wide ? "_64" : "");
    case Door::C: break;
  }
  return "trigon_" + routine(call);
}

bool by_address(Door door, const Call& call, Argument scalar) {
  return door == Door::Fortran || !real_scalar(call, scalar);
}

int invoke(Door door, const Call& call, Argument null) {
  void* const entry = dlsym(RTLD_DEFAULT, symbol(door, call).c_str());
  if (entry == nullptr) throw std::runtime_error(symbol(door, call) + " is not exported");
  Builder builder(door, call, null);
  const Arguments& arguments = builder.build();
  const int result = single(call) ? jump<float>(entry, arguments) : jump<double>(entry, arguments);
  return door == Door::C ? result : 0;
}

std::vector<Call> every_routine(Layout layout, Operands& operands) {
  std::vector<Call> calls;
  for (int o = 0; o < operation_count; ++o)
    for (char p : {'s', 'd', 'c', 'z'}) {
      Call call;
      call.operation = static_cast<Operation>(o);
      call.precision = static_cast<Precision>(p);
      const bool hermitian =
          call.operation == Operation::Hemm || call.operation == Operation::Herk || call.operation == Operation::Her2k;
      if (hermitian && !complex(call)) continue;
      call.layout = layout;
      call.m = 5, call.n = 4, call.k = 3;
      call.alpha = 2, call.beta = 3;
      call.a = operands.a.data(), call.b = operands.b.data(), call.c = operands.c.data();
      call.lda = call.ldb = call.ldc = 6;
      calls.push_back(call);
    }
  return calls;
}

Call spoiled(Call call, Argument argument) {
  const auto short_by_one = [&](Argument operand) {
    const Extent e = extent(call, operand);
    return (call.layout == Layout::ColMajor ? e.rows : e.cols) - 1;
  };
  switch (argument) {
    case Argument::Layout: call.layout = Layout{'X'}; break;
    case Argument::Side: call.side = Side{'X'}; break;
    case Argument::Uplo: call.uplo = Uplo{'X'}; break;
    case Argument::TransA: call.transa = Op{'X'}; break;
    case Argument::TransB: call.transb = Op{'X'}; break;
    case Argument::Diag: call.diag = Diag{'X'}; break;
    case Argument::M: call.m = -1; break;
    case Argument::N: call.n = -1; break;
    case Argument::K: call.k = -1; break;
    case Argument::Lda: call.lda = short_by_one(Argument::A); break;
    case Argument::Ldb: call.ldb = short_by_one(Argument::B); break;
    case Argument::Ldc: call.ldc = short_by_one(Argument::C); break;
    case Argument::Incx: call.incx = 0; break;
    case Argument::A: call.a = nullptr; break;
    case Argument::B:
    case Argument::X: call.b = nullptr; break;
    case Argument::C: call.c = nullptr; break;
    default: break;
  }
  return call;
}

}  // namespace trigon::test
