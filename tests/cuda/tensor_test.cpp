// The tensor unit of the shim: the product that PTX says it is, with the lanes that PTX says hold it.
#include "cuda/tensor.cuh"
#include "cuda/launch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace trigon::cuda {
namespace {

constexpr int rows = 16, columns = 8, depth = 8;

/// d += a b, of one warp: a by rows, b by columns, d by rows. The places are those of PTX ISA, "Matrix fragments for
/// mma.m16n8k8", type f64, put down here from its words and not from the wrapper's.
void multiply(const double* a, const double* b, double* d) {
  const int group = thread() / 4, within = thread() % 4;
  Fragment f;
  for (int i = 0; i < 4; ++i) {
    const int row = i == 0 || i == 2 ? group : group + 8, column = i < 2 ? within : within + 4;
    f.a[i] = a[row * depth + column];
  }
  for (int i = 0; i < 2; ++i) f.b[i] = b[(i == 0 ? within : within + 4) + group * depth];
  const auto place = [&](int i) { return (i < 2 ? group : group + 8) * columns + within * 2 + (i & 1); };
  double c[4];
  for (int i = 0; i < 4; ++i) c[i] = d[place(i)];
  multiply_add(c, f);
  for (int i = 0; i < 4; ++i) d[place(i)] = c[i];
}

TEST(CudaTensor, MultipliesAsDocumented) {
  std::mt19937 random(3);
  const auto some = [&](int count) {
    std::vector<double> x(static_cast<std::size_t>(count));
    for (double& v : x) v = static_cast<double>(random()) * 0x1p-31 - 1;
    return x;
  };
  const std::vector<double> a = some(rows * depth), b = some(depth * columns);
  std::vector<double> d = some(rows * columns), expected = d;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < depth; ++k) {
        double& x = expected[static_cast<std::size_t>(i * columns + j)];
        x = std::fma(a[static_cast<std::size_t>(i * depth + k)], b[static_cast<std::size_t>(k + j * depth)], x);
      }
  launch({}, 1, 32, multiply, a.data(), b.data(), d.data());
  EXPECT_EQ(d, expected);
}

}  // namespace
}  // namespace trigon::cuda
