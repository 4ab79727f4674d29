// The example of the README.
// [example]
#include <trigon/trigon.hpp>

#include <cstdio>
#include <vector>

int main() {
  using namespace trigon;
  const trigon::index n = 1000, rhs = 4;  // L X = B: L is n × n, B is n × rhs, both stored by columns
  std::vector<double> L(n * n, 0.001), B(n * rhs, 1.0);
  for (trigon::index i = 0; i < n; ++i) L[i + i * n] = 2;

  trsm(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, n, rhs, 1.0, L.data(), n, B.data(), n);
  std::printf("X(0,0) = %g, X(n-1,0) = %g\n", B[0], B[n - 1]);

  try {
    trsm(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, n, rhs, 1.0, L.data(), n / 2, B.data(),
         n);
  } catch (const argument_error& e) {
    std::printf("%s\n", e.what());  // nothing has been read or written
  }
}
// [example]
