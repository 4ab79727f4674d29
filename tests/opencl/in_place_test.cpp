// Products of a triangle with so many right-hand sides that they are made in place: columns contiguous, lanes along
// them.
#include "opencl/on_device.hpp"

#include <complex>
#include <random>

namespace trigon::test {
namespace {

/// So many that a work-item of each unit has some, and a few more.
index many(const Queue& queue) {
  cl_device_id device = nullptr;
  cl_uint units = 0;
  must(clGetCommandQueueInfo(static_cast<cl_command_queue>(queue.native()), CL_QUEUE_DEVICE, sizeof device, &device,
                             nullptr),
       "device");
  must(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "units");
  return 64 * static_cast<index>(units) + 3;
}

/// The variants whose columns are contiguous, for triangles of these orders.
void expect_right_in_place(const Queue& queue, std::initializer_list<index> orders) {
  const index cols = many(queue);
  unsigned seed = 0;
  for (const Precision p : all_precisions)
    for (const Call& variant : variants(Operation::Trmm, p)) {
      if ((variant.side == Side::Left) != (variant.layout == Layout::ColMajor)) continue;
      for (const index n : orders) {
        Case c{variant};
        const bool left = variant.side == Side::Left;
        set_sizes(c.call, left ? n : cols - n % 4, left ? cols - n % 4 : n, 0);
        c.call.alpha = seed % 3 == 0 ? 1 : std::complex<double>(0.75, is_complex_precision(p) ? -2 : 0);
        c.operands.seed = ++seed;
        c.operands.protect = false;
        c.operands.padding = static_cast<index>(seed % 3);
        c.operands.ill_conditioned = seed % 4 == 0;
        c.sample = {8, seed};
        c.check_flags = false;
        expect_right(queue, c, seed);
        if (testing::Test::HasFailure()) return;
      }
    }
}

TEST(InPlace, Products) { expect_right_in_place(Queue("opencl"), {23, 24, 25, 48, 50, 71, 131}); }

/// For an interpreter of kernels that looks for races.
TEST(InPlace, WhenTiny) { expect_right_in_place(Queue("opencl"), {13}); }

/// Sums are those of the panels that fewer right-hand sides take, bit for bit.
template <class T>
void expect_bits_of_few(const Queue& queue, Uplo uplo, Op op, Diag diag) {
  constexpr index n = 131, few = 5;
  const index cols = many(queue);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> some(-1, 1);
  const auto fill = [&](index count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T& x : values)
      if constexpr (is_complex<T>)
        x = T(static_cast<real_t<T>>(some(random)), static_cast<real_t<T>>(some(random)));
      else
        x = static_cast<T>(some(random));
    return values;
  };
  const std::vector<T> triangle = fill(n * n), sides = fill(n * cols);
  DeviceMemory a(queue, triangle.size() * sizeof(T)), b(queue, sides.size() * sizeof(T));
  a.write(triangle.data(), triangle.size() * sizeof(T));
  const auto run = [&](index from, index count) {
    std::vector<T> x(static_cast<std::size_t>(n * count));
    b.write(sides.data() + n * from, x.size() * sizeof(T));
    trmm<T>(Layout::ColMajor, Side::Left, uplo, op, diag, n, count, T(2), {a.handle(), 0}, n, {b.handle(), 0}, n,
            queue);
    b.read(x.data(), x.size() * sizeof(T));
    return x;
  };
  const std::vector<T> all = run(0, cols);
  for (const index from : {index{0}, cols / 2, cols - few}) {
    const std::vector<T> these = run(from, few);
    EXPECT_TRUE(std::equal(these.begin(), these.end(), all.begin() + n * from))
        << static_cast<char>(uplo) << static_cast<char>(op) << static_cast<char>(diag) << ", from " << from;
  }
}

TEST(InPlace, BitsAreThoseOfFewRightHandSides) {
  const Queue queue("opencl");
  for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
    for (const Op op : {Op::NoTrans, Op::ConjTrans})
      for (const Diag diag : {Diag::NonUnit, Diag::Unit}) {
        expect_bits_of_few<float>(queue, uplo, op, diag);
        expect_bits_of_few<double>(queue, uplo, op, diag);
        expect_bits_of_few<std::complex<float>>(queue, uplo, op, diag);
        expect_bits_of_few<std::complex<double>>(queue, uplo, op, diag);
      }
}

}  // namespace
}  // namespace trigon::test
