// Leading dimensions and increments whose products pass 2^31 and 2^32 elements, on memory that is mapped but
// never touched in between.
#include "support/variants.hpp"

#include <trigon/inspect.hpp>
#include <trigon/operands.hpp>
#include <trigon/verify.hpp>

#include <sys/mman.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

namespace trigon::test {
namespace {

/// Address space without memory behind it, until it is touched.
class Sparse {
 public:
  explicit Sparse(std::size_t bytes) : bytes_(bytes) {
    base_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Sparse() {
    if (base_ != MAP_FAILED) munmap(base_, bytes_);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  void* data() const { return base_ == MAP_FAILED ? nullptr : base_; }

 private:
  std::size_t bytes_;
  void* base_;
};

class Strides : public testing::TestWithParam<Operation> {};

/// Moves the entries of an operand between two leading dimensions.
template <class T>
void spread(const void* from, index from_ld, void* to, index to_ld, index inner, index outer) {
  for (index o = 0; o < outer; ++o)
    for (index i = 0; i < inner; ++i) static_cast<T*>(to)[o * to_ld + i] = static_cast<const T*>(from)[o * from_ld + i];
}

TEST_P(Strides, PassTwoToThe31) {
  constexpr index huge = index{1} << 31;
  for (const Precision p : {Precision::Single, Precision::ComplexDouble})
    for (const Call& v : variants(GetParam(), p))
      with_type(p, [&](auto zero) {
        using T = decltype(zero);
        Call c = v;
        c.m = 3, c.n = 3, c.k = 3;
        c.beta = 0.5;
        const auto has = [&](Argument a) { return position(c.operation, a, false) != 0; };
        for (const index increment : {huge - 1, 1 - huge}) {
          Operands compact(c, {.padding = 0, .protect = false});
          Call wide = compact.call();
          wide.lda = wide.ldb = wide.ldc = huge + 7;
          if (is_vector(c.operation)) wide.incx = increment;
          Sparse a(static_cast<std::size_t>(2 * wide.lda + 3) * sizeof(T));
          Sparse b(static_cast<std::size_t>(2 * std::max(wide.ldb, huge) + 3) * sizeof(T));
          Sparse r(static_cast<std::size_t>(2 * wide.ldc + 3) * sizeof(T));
          if (!a.data() || !b.data() || !r.data()) GTEST_SKIP() << "no room for sparse memory";
          wide.a = a.data(), wide.b = b.data(), wide.c = r.data();
          const bool vector = is_vector(c.operation);
          spread<T>(compact.call().a, compact.call().lda, a.data(), wide.lda, 3, 3);
          if (vector) {
            for (index i = 0; i < 3; ++i)
              reference::Strided<T>{static_cast<T*>(b.data()), 3, increment}(i) =
                  static_cast<const T*>(compact.call().b)[i];
          } else if (has(Argument::B)) {
            spread<T>(compact.call().b, compact.call().ldb, b.data(), wide.ldb, 3, 3);
          }
          if (has(Argument::C)) spread<T>(compact.call().c, compact.call().ldc, r.data(), wide.ldc, 3, 3);
          execute(wide);
          const bool in_b = is_triangular(c.operation);
          if (vector) {
            for (index i = 0; i < 3; ++i)
              static_cast<T*>(compact.result())[i] = reference::Strided<T>{static_cast<T*>(b.data()), 3, increment}(i);
          } else {
            spread<T>(in_b ? b.data() : r.data(), huge + 7, compact.result(),
                      in_b ? compact.call().ldb : compact.call().ldc, 3, 3);
          }
          const Verdict verdict = compact.verify();
          EXPECT_TRUE(verdict.ok()) << to_text(wide) << "\n" << verdict.words;
          if (!vector) break;
        }
      });
}

/// Orders of every way of the CPU's kernels, whose offsets pass 2^31 in one of the first lines. Devices, to which
/// operands are copied densely, have tests of their own.
class FarLines : public testing::TestWithParam<Operation> {
 protected:
  static constexpr std::pair<index, index> sizes[] = {{12, 5}, {40, 3}, {100, 30}, {90, 70}, {300, 5}, {300, 70}};

  /// How many lines a matrix has, and how long they are.
  static std::pair<index, index> lines(const Call& c, Argument operand) {
    const Extent e = extent(c, operand);
    return c.layout == Layout::ColMajor ? std::pair(e.cols, e.rows) : std::pair(e.rows, e.cols);
  }

  template <class T>
  void run() {
    constexpr index apart = ((index{1} << 31) + 128) / (is_complex<T> ? 2 : 1), most = 300;
    constexpr std::size_t bytes = static_cast<std::size_t>(most * apart) * sizeof(T);
    const std::array<Sparse, 3> far{Sparse(bytes), Sparse(bytes), Sparse(bytes)};
    for (const Sparse& room : far)
      if (!room.data()) GTEST_SKIP() << "no room for sparse memory";
    std::size_t turn = 0;
    for (const auto& [order, others] : sizes) {
      if (order > 100 && cpu_info().target == "scalar") continue;  // one way for all, which takes long
      const std::vector<Call> all = variants(GetParam(), precision_of<T>);
      // Of the variants each size has others.
      const std::size_t step = 1 + all.size() / 12;
      for (std::size_t v = turn++ % step; v < all.size(); v += step) {
        Call c = all[v];
        set_sizes(c, order, others, others);
        c.alpha = -0.5, c.beta = 0.75;
        check<T>(c, far, apart);
      }
    }
  }

  template <class T>
  static void check(const Call& c, const std::array<Sparse, 3>& far, index apart) {
    Operands near(c, {.protect = false});
    const Call& n = near.call();
    Call wide = n;
    wide.a = far[0].data(), wide.b = far[1].data(), wide.c = far[2].data();
    wide.lda = wide.ldb = wide.ldc = apart;
    if (is_vector(c.operation)) wide.incx = apart;
    const auto move = [&](Argument operand, const void* from, index from_ld, void* to, index to_ld) {
      const bool is_x = is_vector(c.operation) && operand == Argument::B;
      if (!is_x && position(c.operation, operand, false) == 0) return;
      const auto [count, length] = is_x ? std::pair(c.n, index{1}) : lines(c, operand);
      spread<T>(from, from_ld, to, to_ld, length, count);
    };
    const index near_b = is_vector(c.operation) ? n.incx : n.ldb;
    move(Argument::A, n.a, n.lda, far[0].data(), apart);
    move(Argument::B, n.b, near_b, wide.b, apart);
    move(Argument::C, n.c, n.ldc, wide.c, apart);
    execute(wide);
    move(Argument::B, wide.b, apart, n.b, near_b);
    move(Argument::C, wide.c, apart, n.c, n.ldc);
    const Verdict verdict = near.verify({.lines = 4});
    EXPECT_TRUE(verdict.ok()) << to_text(wide) << "\n" << verdict.words;
  }
};

TEST_P(FarLines, PassTwoToThe31) {
  if (explain(parse_call("dgemm m=300 n=300 k=300")).backend != "cpu") GTEST_SKIP() << "not on this processor";
  run<float>(), run<double>(), run<std::complex<float>>(), run<std::complex<double>>();
}

INSTANTIATE_TEST_SUITE_P(All, FarLines, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

INSTANTIATE_TEST_SUITE_P(All, Strides, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
