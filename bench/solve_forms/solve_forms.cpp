// TRSM by substitution and by inverses of diagonal blocks, side by side on one device: backward errors on matrices that
// tell them apart, and speed. Usage: solve_forms QUEUE [ORDER [SIZE...]], as in `solve_forms opencl 512 256 512 1024`.
#include <trigon/device.hpp>
#include <trigon/error.hpp>
#include <trigon/verify.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using trigon::Call;
using trigon::DeviceMemory;
using trigon::index;
using trigon::Queue;
using trigon::Solve;

/// Square, by columns.
struct Square {
  index n;
  std::vector<double> values = std::vector<double>(static_cast<std::size_t>(n * n));
  double& operator()(index i, index j) { return values[static_cast<std::size_t>(i + j * n)]; }
};

std::mt19937_64 dice(7);
double uniform() { return std::uniform_real_distribution<double>(-1, 1)(dice); }
double normal() { return std::normal_distribution<double>()(dice); }

Square filled(index n, const std::function<double(index, index)>& entry) {
  Square a{n};
  for (index j = 0; j < n; ++j)
    for (index i = j; i < n; ++i) a(i, j) = entry(i, j);
  return a;
}

/// P A = L U of a normal random matrix, with partial pivoting; what is wanted of it as a lower triangle.
Square of_lu(index n, bool lower) {
  Square a{n};
  for (double& x : a.values) x = normal();
  for (index k = 0; k < n; ++k) {
    index pivot = k;
    for (index i = k; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    for (index j = 0; j < n; ++j) std::swap(a(k, j), a(pivot, j));
    for (index i = k + 1; i < n; ++i) a(i, k) /= a(k, k);
    for (index j = k + 1; j < n; ++j)
      for (index i = k + 1; i < n; ++i) a(i, j) -= a(i, k) * a(k, j);
  }
  return filled(n, [&](index i, index j) { return lower ? (i == j ? 1 : a(i, j)) : a(j, i); });
}

/// The Cholesky factor of A A' + I.
Square of_cholesky(index n) {
  Square a{n}, s{n};
  for (double& x : a.values) x = normal();
  for (index j = 0; j < n; ++j)
    for (index k = 0; k < n; ++k)
      for (index i = j; i < n; ++i) s(i, j) += a(i, k) * a(j, k);
  for (index j = 0; j < n; ++j) s(j, j) += 1;
  for (index j = 0; j < n; ++j) {
    for (index k = 0; k < j; ++k)
      for (index i = j; i < n; ++i) s(i, j) -= s(i, k) * s(j, k);
    const double root = std::sqrt(s(j, j));
    for (index i = j; i < n; ++i) s(i, j) /= root;
  }
  return filled(n, [&](index i, index j) { return s(i, j); });
}

Square scaled_rows(Square a) {
  for (index i = 0; i < a.n; ++i) {
    const double s = std::pow(10, 4 * uniform());
    for (index j = 0; j <= i; ++j) a(i, j) *= s;
  }
  return a;
}

struct Kind {
  const char* name;
  std::function<Square(index)> make;
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"random / n + 2 I",
       [](index n) { return filled(n, [n](index i, index j) { return normal() / double(n) + 2 * (i == j); }); }},
      {"unit L of LU(random)", [](index n) { return of_lu(n, true); }},
      {"U' of LU(random)", [](index n) { return of_lu(n, false); }},
      {"Cholesky of A A' + I", of_cholesky},
      {"the same, rows scaled by 10^U(-4,4)", [](index n) { return scaled_rows(of_cholesky(n)); }},
      {"Cholesky, two pivots times 1e-10",
       [](index n) {
         Square a = of_cholesky(n);
         a(n / 3, n / 3) *= 1e-10, a(n / 2, n / 2) *= 1e-10;
         return a;
       }},
      {"unit 128-blocks, U(-1,1) below",
       [](index n) {
         return filled(n, [](index i, index j) { return i == j ? 1 : i / 128 == j / 128 ? uniform() : 0; });
       }},
      {"unit 32-blocks, -1 below",
       [](index n) { return filled(n, [](index i, index j) { return i == j             ? 1
                                                                    : i / 32 == j / 32 ? -1
                                                                                       : 0; }); }},
  };
  return all;
}

/// T X = B with a moderate X, in a precision.
template <class T>
struct Problem {
  index n, cols;
  std::vector<T> t, b;

  Problem(Square a, index cols)
      : n(a.n), cols(cols), t(a.values.begin(), a.values.end()), b(static_cast<std::size_t>(n * cols)) {
    for (index c = 0; c < cols; ++c) {
      std::vector<double> x(static_cast<std::size_t>(n)), sum(static_cast<std::size_t>(n));
      for (double& v : x) v = uniform();
      for (index j = 0; j < n; ++j)
        for (index i = j; i < n; ++i) sum[std::size_t(i)] += double(t[std::size_t(i + j * n)]) * x[std::size_t(j)];
      std::copy(sum.begin(), sum.end(), b.begin() + c * n);
    }
  }

  Call call() const {
    Call c;
    c.operation = trigon::Operation::Trsm, c.precision = trigon::precision_of<T>;
    c.m = n, c.n = cols, c.lda = n, c.ldb = n;
    c.a = t.data(), c.b = const_cast<T*>(b.data());
    return c;
  }
};

struct Errors {
  double over_bound = 0;  ///< the worst entry of |B - T X| over the bound of promise 1
  double normwise = 0;    ///< |B - T X| / (|T| |X|), infinity norms, in u
};

template <class T>
Errors errors(const Queue& queue, const Problem<T>& p, Solve solve) {
  DeviceMemory t(queue, p.t.size() * sizeof(T)), b(queue, p.b.size() * sizeof(T));
  t.write(p.t.data(), p.t.size() * sizeof(T)), b.write(p.b.data(), p.b.size() * sizeof(T));
  Call call = p.call();
  call.a = t.handle(), call.b = b.handle();
  trigon::Submission on(queue);
  on.solve = solve;
  trigon::execute(call, {}, on);
  std::vector<T> x(p.b.size());
  b.read(x.data(), x.size() * sizeof(T));
  Errors e;
  e.over_bound = trigon::verify(p.call(), x.data()).ratio;
  double largest_t = 0, largest_x = 0, largest_r = 0;
  for (index i = 0; i < p.n; ++i) {
    double row = 0;
    for (index j = 0; j <= i; ++j) row += std::abs(double(p.t[std::size_t(i + j * p.n)]));
    largest_t = std::max(largest_t, row);
    for (index c = 0; c < p.cols; ++c) {
      long double r = p.b[std::size_t(i + c * p.n)];
      for (index j = 0; j <= i; ++j)
        r -= static_cast<long double>(p.t[std::size_t(i + j * p.n)]) * x[std::size_t(j + c * p.n)];
      largest_r = std::max(largest_r, double(std::abs(r)));
      largest_x = std::max(largest_x, std::abs(double(x[std::size_t(i + c * p.n)])));
    }
  }
  e.normwise = largest_r / (largest_t * largest_x) / (std::numeric_limits<T>::epsilon() / 2);
  return e;
}

template <class T>
void error_rows(const Queue& queue, char letter, index n) {
  for (const Kind& kind : kinds()) {
    const Problem<T> p(kind.make(n), 48);
    const Errors exact = errors(queue, p, Solve::Exact), inverted = errors(queue, p, Solve::Inverted);
    std::printf("%c  %-38s %9.2g %9.2g   %9.2g %9.2g\n", letter, kind.name, exact.over_bound, inverted.over_bound,
                exact.normwise, inverted.normwise);
  }
}

/// GFLOP/s of both forms, in turn; medians of nine rounds.
template <class T>
void speed_row(const Queue& queue, char letter, index n) {
  const Problem<T> p(filled(n, [n](index i, index j) { return normal() / double(n) + (i == j); }), n);
  DeviceMemory t(queue, p.t.size() * sizeof(T)), b(queue, p.b.size() * sizeof(T));
  t.write(p.t.data(), p.t.size() * sizeof(T)), b.write(p.b.data(), p.b.size() * sizeof(T));
  Call call = p.call();
  call.a = t.handle(), call.b = b.handle();
  const double flops = double(n) * double(n) * double(n);
  const int calls = std::max(1, static_cast<int>(2e8 / flops));
  std::vector<double> seconds[2];
  for (int round = 0; round < 10; ++round)
    for (const Solve solve : {Solve::Exact, Solve::Inverted}) {
      trigon::Submission on(queue);
      on.solve = solve;
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < calls; ++i) trigon::execute(call, {}, on);
      queue.finish();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      if (round > 0) seconds[solve == Solve::Inverted].push_back(took.count() / calls);
    }
  double speed[2];
  for (int form = 0; form < 2; ++form) {
    std::nth_element(seconds[form].begin(), seconds[form].begin() + 4, seconds[form].end());
    speed[form] = flops / seconds[form][4] / 1e9;
  }
  std::printf("%c  %6td %10.2f %10.2f %8.2f\n", letter, n, speed[0], speed[1], speed[1] / speed[0]);
}

}  // namespace

int main(int argc, char** argv) try {
  const Queue queue(argc > 1 ? argv[1] : "opencl");
  const index order = argc > 2 ? std::stoll(argv[2]) : 512;
  std::printf("TRSM, left, lower, order %td, 48 right-hand sides T X of moderate X\n", order);
  std::printf("   %-38s %-19s   %s\n", "", "error / bound", "normwise error, u");
  std::printf("   %-38s %9s %9s   %9s %9s\n", "triangle", "exact", "inverted", "exact", "inverted");
  error_rows<float>(queue, 's', order);
  error_rows<double>(queue, 'd', order);
  if (argc > 3)
    std::printf("\nGFLOP/s, squares, on device memory\n   %6s %10s %10s %8s\n", "n", "exact", "inverted", "ratio");
  for (int i = 3; i < argc; ++i) speed_row<float>(queue, 's', std::stoll(argv[i]));
  for (int i = 3; i < argc; ++i) speed_row<double>(queue, 'd', std::stoll(argv[i]));
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "solve_forms: %s\n", e.what());
  return 1;
}
