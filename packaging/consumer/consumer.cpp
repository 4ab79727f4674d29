// The C++ door of an installed Trigon: solve, check, and catch an error.
#include <trigon/trigon.hpp>
#include <trigon/verify.hpp>

#include <cstdio>
#include <vector>

int main() {
  const trigon::index n = 50, rhs = 3;
  std::vector<double> a(n * n, 0.25), b(n * rhs, 1);
  for (trigon::index i = 0; i < n; ++i) a[i + i * n] = 4;
  const std::vector<double> before = b;
  using enum trigon::Layout;
  trigon::trsm<double>(ColMajor, trigon::Side::Left, trigon::Uplo::Lower, trigon::Op::NoTrans, trigon::Diag::NonUnit, n,
                       rhs, 2, a.data(), n, b.data(), n);

  trigon::Call call = trigon::parse_call("dtrsm m=50 n=3 alpha=2");
  call.a = a.data();
  call.b = const_cast<double*>(before.data());
  const trigon::Verdict verdict = trigon::verify(call, b.data());
  std::printf("trigon %s: error / bound = %.3f\n", trigon::version().c_str(), verdict.ratio);

  try {
    trigon::trsv<double>(ColMajor, trigon::Uplo::Lower, trigon::Op::NoTrans, trigon::Diag::NonUnit, n, a.data(), n,
                         b.data(), 0);
    return 1;
  } catch (const trigon::argument_error& e) {
    std::printf("as it should: %s\n", e.what());
  }
  return verdict.ok() ? 0 : 1;
}
