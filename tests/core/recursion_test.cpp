// The recursions of algorithm.hpp over loops that cannot be wrong, for every variant and any leaf.
#include "core/canonical.hpp"
#include "core/dispatch.hpp"
#include "core/naive_backend.hpp"
#include "support/variants.hpp"

#include <trigon/operands.hpp>

#include <gtest/gtest.h>

namespace trigon::core {
namespace {

using namespace trigon::test;

static_assert(Backend<NaiveBackend<double>, double, double*>);

class Recursion : public testing::TestWithParam<Operation> {
 protected:
  /// Runs the call with leaves of `stop`; `on_gemm(a, b, c)` sees the rectangles.
  template <class T, class OnGemm>
  static void run(const Call& call, index stop, OnGemm on_gemm) {
    NaiveBackend<T> backend{stop, on_gemm};
    dispatch<T>(canonical(call), backend, [](const Operand& o) { return host_view<T>(o); });
  }

  static Call sized(Call c, index order, index others) {
    set_sizes(c, order, others, order);
    const bool complex = is_complex_precision(c.precision);
    c.alpha = {1.25, complex && c.operation != Operation::Herk ? 0.5 : 0};
    c.beta = {-0.5, complex && c.operation != Operation::Herk && c.operation != Operation::Her2k ? 0.25 : 0};
    return c;
  }
};

TEST_P(Recursion, IsRightForEveryLeaf) {
  for (const Precision p : {Precision::Double, Precision::ComplexDouble})
    for (const Call& v : variants(GetParam(), p))
      for (const index order : {1, 2, 3, 5, 8, 13, 21, 32, 33})
        for (const index stop : {1, 2, 3, 7, 16})
          with_type(p, [&](auto zero) {
            Operands o(sized(v, order, 4));
            run<decltype(zero)>(o.call(), stop, [](auto...) {});
            const Verdict verdict = o.verify();
            EXPECT_TRUE(verdict.ok()) << to_text(o.call()) << " leaf " << stop << "\n" << verdict.words;
            EXPECT_EQ(o.intrusion(), "");
          });
}

/// What a vendor GEMM can name: column-major, or row-major with or without conjugation.
template <class T>
bool is_word(Matrix<T*> m) {
  const bool column_major = m.row_stride == 1 && (m.col_stride >= m.rows || m.cols <= 1);
  const bool row_major = m.col_stride == 1 && (m.row_stride >= m.cols || m.rows <= 1);
  return m.conj ? row_major : column_major || row_major;
}

TEST_P(Recursion, HandsGemmOnlyWhatBlasCanName) {
  for (const Precision p : {Precision::Double, Precision::ComplexDouble})
    for (const Call& v : variants(GetParam(), p))
      for (const index order : {2, 5, 17, 33})
        for (const index others : {1, 6})
          with_type(p, [&](auto zero) {
            using T = decltype(zero);
            if (is_vector(v.operation)) return;  // strided vectors are gathered first
            int blocks = 0;
            Operands o(sized(v, order, others));
            run<T>(o.call(), 1, [&](Matrix<T*> a, Matrix<T*> b, Matrix<T*> c) {
              ++blocks;
              const bool by_column = c.row_stride == 1;
              ASSERT_TRUE(by_column || c.col_stride == 1);
              ASSERT_FALSE(c.conj);
              EXPECT_TRUE(is_word(by_column ? a : transpose(a))) << to_text(o.call());
              EXPECT_TRUE(is_word(by_column ? b : transpose(b))) << to_text(o.call());
              EXPECT_GT(c.rows * c.cols * a.cols, 0);
            });
            EXPECT_GT(blocks, 0);
          });
}

TEST_P(Recursion, DoesNotBranchOnData) {
  for (const Call& v : variants(GetParam(), Precision::ComplexDouble)) {
    using T = std::complex<double>;
    std::vector<std::vector<index>> lists;
    for (const std::uint64_t seed : {1, 2}) {
      Operands o(sized(v, 21, 3), {.seed = seed, .ill_conditioned = seed == 2});
      std::vector<index> list;
      run<T>(o.call(), 4, [&](Matrix<T*> a, Matrix<T*>, Matrix<T*> c) {
        list.insert(list.end(), {c.rows, c.cols, a.cols});
      });
      lists.push_back(list);
    }
    EXPECT_EQ(lists[0], lists[1]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Recursion, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(Cut, IsTheLargestPowerOfTwoBelow) {
  for (index n = 2; n < 5000; ++n) {
    const index k = cut(n);
    EXPECT_LT(k, n);
    EXPECT_GE(2 * k, n);
    EXPECT_EQ(k & (k - 1), 0);
  }
}

}  // namespace
}  // namespace trigon::core
