// Views: every element that a view names is the one that the mathematics names.
#include "core/view.hpp"

#include <gtest/gtest.h>

#include <set>

namespace trigon::core {
namespace {

using M = Matrix<const int*>;

const int& at(const M& m, index i, index j) { return *shift(m.data, i, j, m.row_stride, m.col_stride); }

class Views : public testing::Test {
 protected:
  int memory_[400] = {};
  M matrix(index rows, index cols) { return {memory_, rows, cols, 1, 20}; }
};

TEST_F(Views, BlockIsAnOffset) {
  const M m = matrix(7, 9), b = m.block(2, 3, 4, 5);
  EXPECT_EQ(b.rows, 4);
  EXPECT_EQ(b.cols, 5);
  for (index i = 0; i < 4; ++i)
    for (index j = 0; j < 5; ++j) EXPECT_EQ(&at(b, i, j), &at(m, i + 2, j + 3));
}

TEST_F(Views, TransposeExchangesIndicesAndKeepsConjugation) {
  const M m = conjugate(matrix(7, 9)), t = transpose(m);
  EXPECT_EQ(t.rows, 9);
  EXPECT_EQ(t.cols, 7);
  EXPECT_TRUE(t.conj);
  EXPECT_FALSE(adjoint(m).conj);
  for (index i = 0; i < 7; ++i)
    for (index j = 0; j < 9; ++j) EXPECT_EQ(&at(m, i, j), &at(t, j, i));
}

TEST_F(Views, BlockKeepsConjugation) { EXPECT_TRUE(conjugate(matrix(3, 3)).block(1, 1, 2, 2).conj); }

/// The addresses inside a triangle.
std::set<const int*> content(const Triangle<const int*>& t) {
  std::set<const int*> all;
  for (index j = 0; j < t.n(); ++j)
    for (index i = 0; i < t.n(); ++i)
      if (t.uplo == Uplo::Lower ? i >= j : i <= j) all.insert(&at(t.a, i, j));
  return all;
}
std::set<const int*> content(const M& m) {
  std::set<const int*> all;
  for (index j = 0; j < m.cols; ++j)
    for (index i = 0; i < m.rows; ++i) all.insert(&at(m, i, j));
  return all;
}

TEST_F(Views, SplitPartitionsTheTriangle) {
  for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
    for (const bool turned : {false, true})
      for (index n = 2; n <= 17; ++n)
        for (index k = 1; k < n; ++k) {
          Triangle<const int*> t{matrix(n, n), uplo, Diag::Unit};
          if (turned) t = transpose(t);
          const auto [head, link, tail] = split(t, k);
          EXPECT_EQ(head.n(), k);
          EXPECT_EQ(tail.n(), n - k);
          EXPECT_EQ(link.rows, n - k);
          EXPECT_EQ(link.cols, k);
          EXPECT_EQ(head.uplo, t.uplo);
          EXPECT_EQ(tail.diag, Diag::Unit);
          const auto h = content(head), l = content(link), e = content(tail), whole = content(t);
          EXPECT_EQ(h.size() + l.size() + e.size(), whole.size());
          auto joined = h;
          joined.insert(l.begin(), l.end());
          joined.insert(e.begin(), e.end());
          EXPECT_EQ(joined, whole);
        }
}

TEST_F(Views, HeadDependsOnNothingOfTheTail) {
  // Row i of a lower triangle needs the unknowns before it, of an upper one those after it.
  for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
    const Triangle<const int*> t{matrix(8, 8), uplo, Diag::NonUnit};
    const M b = matrix(8, 3);
    const auto [head, link, tail] = split(t, 3);
    const auto [b_head, b_tail] = split_rows(b, uplo, 3);
    const index first = uplo == Uplo::Lower ? 0 : 5;
    EXPECT_EQ(&at(head.a, 0, 0), &at(t.a, first, first));
    EXPECT_EQ(&at(b_head, 0, 0), &at(b, first, 0));
    const index rest = uplo == Uplo::Lower ? 3 : 0;
    EXPECT_EQ(&at(tail.a, 0, 0), &at(t.a, rest, rest));
    EXPECT_EQ(&at(b_tail, 0, 0), &at(b, rest, 0));
    EXPECT_EQ(&at(link, 0, 0), &at(t.a, rest, first));
    EXPECT_EQ(b_head.rows, 3);
    EXPECT_EQ(b_tail.rows, 5);
  }
}

TEST_F(Views, TransposedTriangleIsTheOtherOne) {
  const Triangle<const int*> t{matrix(6, 6), Uplo::Lower, Diag::NonUnit};
  EXPECT_EQ(transpose(t).uplo, Uplo::Upper);
  EXPECT_EQ(content(transpose(t)), content(t));
}

TEST_F(Views, OffsetsAre64Bit) {
  const std::uintptr_t base = 4096;
  const M m{reinterpret_cast<const int*>(base), 3, 100000, 1, 100000};
  const auto address = reinterpret_cast<std::uintptr_t>(m.block(1, 90000, 1, 1).data);
  EXPECT_EQ(address - base, (90000ull * 100000 + 1) * sizeof(int));
}

}  // namespace
}  // namespace trigon::core
