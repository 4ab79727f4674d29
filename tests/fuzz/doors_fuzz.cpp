// Fuzzing the argument space of the doors. The bytes choose a door and a call; a call that `check` accepts must
// be right and must touch nothing else, one that it rejects must be reported under the right number, and its
// operands, which do not exist, must not be touched.
#include "doors/caller.hpp"
#include "fuzz/target.hpp"

#include <trigon/trigon.h>
#include <trigon/error.hpp>
#include <trigon/operands.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

/// What the error handlers were told last; 0 for nothing.
int reported = 0;

}  // namespace

// A program's own handlers win over the drop-in's: these listen instead of printing. As in the reference, CBLAS
// leaves most of the arguments to the Fortran routine, which counts without the layout.
extern "C" {
extern int CBLAS_CallFromC;
__attribute__((visibility("default"))) void xerbla_(const char*, const int* info, std::size_t) {
  reported = *info + (CBLAS_CallFromC ? 1 : 0);
}
__attribute__((visibility("default"))) void cblas_xerbla(int position, const char*, const char*, ...) {
  reported = position;
}
}

namespace trigon::test {
namespace {

/// Takes the input apart. An exhausted input gives zeros.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  unsigned next() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  /// One of the choices; the later ones are rare.
  template <class V, std::size_t n>
  V usually(const V (&usual)[n], V rare) {
    const unsigned byte = next();
    return byte >= 250 ? rare : usual[byte % n];
  }
  index size() {
    const unsigned byte = next();
    return byte >= 252 ? -static_cast<index>(byte - 251) : byte >= 240 ? 60 + static_cast<index>(next()) : byte % 36;
  }
  std::complex<double> scalar() {
    constexpr double values[] = {1, 0, -1, 0.5, 2, -0.75};
    const unsigned byte = next();
    return {values[byte % 6], byte >= 128 ? values[byte / 6 % 6] : 0.0};
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

index leading(Bytes& bytes, const Call& call, Argument operand) {
  const Extent e = extent(call, operand);
  const index least = std::max<index>(1, call.layout == Layout::ColMajor ? e.rows : e.cols);
  const unsigned byte = bytes.next();
  return byte >= 250 ? least - 1 : byte >= 246 ? -static_cast<index>(byte) : least + byte % 5;
}

struct Input {
  enum class Entry { Cpp, Fortran, Cblas, C } entry;
  Call call;
  OperandOptions options;
};

Input decode(Bytes& bytes) {
  Input in;
  in.entry = static_cast<Input::Entry>(bytes.next() % 4);
  Call& c = in.call;
  c.operation = static_cast<Operation>(bytes.next() % operation_count);
  c.precision = static_cast<Precision>("sdcz"[bytes.next() % 4]);
  const bool complex = c.precision == Precision::ComplexSingle || c.precision == Precision::ComplexDouble;
  const bool hermitian =
      c.operation == Operation::Hemm || c.operation == Operation::Herk || c.operation == Operation::Her2k;
  if (hermitian && !complex) c.precision = Precision::ComplexDouble;
  c.layout = bytes.usually({Layout::ColMajor, Layout::RowMajor}, static_cast<Layout>('X'));
  if (in.entry == Input::Entry::Fortran) c.layout = Layout::ColMajor;
  c.side = bytes.usually({Side::Left, Side::Right}, static_cast<Side>('X'));
  c.uplo = bytes.usually({Uplo::Lower, Uplo::Upper}, static_cast<Uplo>('X'));
  c.transa = bytes.usually({Op::NoTrans, Op::Trans, Op::ConjTrans}, static_cast<Op>('X'));
  c.transb = bytes.usually({Op::NoTrans, Op::Trans, Op::ConjTrans}, static_cast<Op>('X'));
  c.diag = bytes.usually({Diag::NonUnit, Diag::Unit}, static_cast<Diag>('X'));
  c.m = bytes.size(), c.n = bytes.size(), c.k = bytes.size();
  c.alpha = bytes.scalar(), c.beta = bytes.scalar();
  if (!complex || c.operation == Operation::Herk) c.alpha = c.alpha.real();
  if (!complex || c.operation == Operation::Herk || c.operation == Operation::Her2k) c.beta = c.beta.real();
  c.lda = leading(bytes, c, Argument::A);
  c.ldb = leading(bytes, c, Argument::B);
  c.ldc = leading(bytes, c, Argument::C);
  c.incx = bytes.usually({index{1}, index{-1}, index{2}, index{-3}}, index{0});
  in.options.seed = bytes.next();
  in.options.place = bytes.next() % 2 ? GuardedMemory::Place::StartsAtGuard : GuardedMemory::Place::EndsAtGuard;
  in.options.ill_conditioned = bytes.next() % 4 == 0;
  return in;
}

[[noreturn]] void fail(const Input& in, const std::string& why) {
  constexpr const char* entries[] = {"C++", "Fortran", "CBLAS", "C"};
  std::fprintf(stderr, "\n%s door, %s # seed=%llu %s\n  %s\n", entries[static_cast<int>(in.entry)],
               to_text(in.call).c_str(), static_cast<unsigned long long>(in.options.seed),
               in.options.place == GuardedMemory::Place::EndsAtGuard ? "ends-at-guard" : "starts-at-guard",
               why.c_str());
  std::abort();
}

/// Calls through the door and returns the position of the argument that it complained about, 0 for none.
int enter(const Input& in, const Call& call) {
  reported = 0;
  switch (in.entry) {
    case Input::Entry::Cpp: try { execute(call);
      } catch (const argument_error& e) {
        return e.position;
      }
      return 0;
    case Input::Entry::Fortran: invoke(Door::Fortran, call); return reported;
    case Input::Entry::Cblas: invoke(Door::Cblas, call); return reported;
    case Input::Entry::C: break;
  }
  const int status = invoke(Door::C, call);
  return status == TRIGON_INVALID_ARGUMENT ? trigon_last_argument() : status == TRIGON_SUCCESS ? 0 : -status;
}

void run(const Input& in) {
  Call described = in.call;
  // With memory that nobody may touch behind every pointer, only the other arguments can be wrong.
  described.a = described.b = described.c = reinterpret_cast<void*>(64);
  const Argument wrong = check(described);
  if (wrong != Argument::None) {
    const int expected = position(in.call.operation, wrong, in.entry != Input::Entry::Fortran);
    const int got = enter(in, described);
    // A row-major CBLAS call is reported in the terms of the transposed one; tests/doors has those numbers.
    const bool turned = in.entry == Input::Entry::Cblas && in.call.layout == Layout::RowMajor;
    if (turned ? got == 0 : got != expected)
      fail(in, "reported position " + std::to_string(got) + " instead of " + std::to_string(expected));
    return;
  }
  trigon::Operands operands(in.call, in.options);
  if (const int got = enter(in, operands.call()); got != 0)
    fail(in, "a valid call was refused: position " + std::to_string(got));
  if (const std::string intrusion = operands.intrusion(); !intrusion.empty()) fail(in, intrusion);
  const Verdict verdict = operands.verify({.lines = 4, .seed = in.options.seed});
  if (!verdict.ok()) fail(in, verdict.words);
}

}  // namespace
}  // namespace trigon::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trigon::test::Bytes bytes(data, size);
  trigon::test::run(trigon::test::decode(bytes));
  return 0;
}
