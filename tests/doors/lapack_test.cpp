// LAPACK's symbols: arguments in their places, letters of either case, info, and what xerbla hears, in both integers.
#include "doors/blas/names.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using trigon::doors::Int;

namespace {
std::string heard;
bool throws = false;  // as handlers of C++ programs may
}  // namespace

extern "C" {
void TRIGON_FORTRAN(xerbla)(const char* routine, const Int* position, std::size_t length) {
  heard = std::string(routine, length) + " " + std::to_string(*position);
  if (throws) throw std::invalid_argument("xerbla");
}

#define DECLARE(prefix, T)                                                                                             \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, potrf))(const char*, const Int*, T*, const Int*, Int*);                     \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, potri))(const char*, const Int*, T*, const Int*, Int*);                     \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, lauum))(const char*, const Int*, T*, const Int*, Int*);                     \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, trtri))(const char*, const char*, const Int*, T*, const Int*, Int*);        \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, trtrs))(const char*, const char*, const char*, const Int*, const Int*,      \
                                                   const T*, const Int*, T*, const Int*, Int*);                        \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, getrf))(const Int*, const Int*, T*, const Int*, Int*, Int*);                \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, getrs))(const char*, const Int*, const Int*, const T*, const Int*,          \
                                                   const Int*, T*, const Int*, Int*);                                  \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, potrs))(const char*, const Int*, const Int*, const T*, const Int*, T*,      \
                                                   const Int*, Int*);                                                  \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, posv))(const char*, const Int*, const Int*, T*, const Int*, T*, const Int*, \
                                                  Int*);                                                               \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, getri))(const Int*, T*, const Int*, const Int*, T*, const Int*, Int*);      \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, gesv))(const Int*, const Int*, T*, const Int*, Int*, T*, const Int*, Int*);
DECLARE(s, float)
DECLARE(d, double)
DECLARE(c, std::complex<float>)
DECLARE(z, std::complex<double>)
}

namespace trigon::test {
namespace {

template <class T>
using Real = decltype(std::abs(T()));

template <class T>
struct Routines;
#define ROUTINES(prefix, T, LETTER)                                                 \
  template <>                                                                       \
  struct Routines<T> {                                                              \
    char letter = LETTER;                                                           \
    decltype(&TRIGON_FORTRAN(prefix##potrf)) potrf = TRIGON_FORTRAN(prefix##potrf); \
    decltype(&TRIGON_FORTRAN(prefix##potri)) potri = TRIGON_FORTRAN(prefix##potri); \
    decltype(&TRIGON_FORTRAN(prefix##lauum)) lauum = TRIGON_FORTRAN(prefix##lauum); \
    decltype(&TRIGON_FORTRAN(prefix##trtri)) trtri = TRIGON_FORTRAN(prefix##trtri); \
    decltype(&TRIGON_FORTRAN(prefix##trtrs)) trtrs = TRIGON_FORTRAN(prefix##trtrs); \
    decltype(&TRIGON_FORTRAN(prefix##getrf)) getrf = TRIGON_FORTRAN(prefix##getrf); \
    decltype(&TRIGON_FORTRAN(prefix##getrs)) getrs = TRIGON_FORTRAN(prefix##getrs); \
    decltype(&TRIGON_FORTRAN(prefix##potrs)) potrs = TRIGON_FORTRAN(prefix##potrs); \
    decltype(&TRIGON_FORTRAN(prefix##posv)) posv = TRIGON_FORTRAN(prefix##posv);    \
    decltype(&TRIGON_FORTRAN(prefix##getri)) getri = TRIGON_FORTRAN(prefix##getri); \
    decltype(&TRIGON_FORTRAN(prefix##gesv)) gesv = TRIGON_FORTRAN(prefix##gesv);    \
  };
ROUTINES(s, float, 'S')
ROUTINES(d, double, 'D')
ROUTINES(c, std::complex<float>, 'C')
ROUTINES(z, std::complex<double>, 'Z')

template <class T>
class Lapack : public testing::Test {
 protected:
  const Routines<T> r;
  const Int two = 2, three = 3, small = 1, negative = -1, none = 0;
  Int info = -99;

  /// {4 2; 2 17} with a row of padding, in the triangle that is named; 7 elsewhere.
  std::vector<T> matrix(char uplo) const {
    return uplo == 'L' ? std::vector<T>{4, 2, 7, 7, 17, 7} : std::vector<T>{4, 7, 7, 2, 17, 7};
  }
};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Lapack, Types);

TYPED_TEST(Lapack, FactorsInvertsAndMultiplies) {
  using V = std::vector<TypeParam>;
  for (const char* uplo : {"L", "l", "U", "u"}) {
    const bool lower = (*uplo & ~0x20) == 'L';
    auto a = this->matrix(lower ? 'L' : 'U');
    this->r.potrf(uplo, &this->two, a.data(), &this->three, &this->info);
    EXPECT_EQ(this->info, 0);
    EXPECT_EQ(a, lower ? (V{2, 1, 7, 7, 4, 7}) : (V{2, 7, 7, 1, 4, 7}));
    auto product = a;
    this->r.lauum(uplo, &this->two, product.data(), &this->three, &this->info);
    EXPECT_EQ(this->info, 0);
    EXPECT_EQ(product, lower ? (V{5, 4, 7, 7, 16, 7}) : (V{5, 7, 7, 4, 16, 7}));
    auto inverse = a;
    this->r.potri(uplo, &this->two, inverse.data(), &this->three, &this->info);
    EXPECT_EQ(this->info, 0);
    const TypeParam off = TypeParam(-0.03125);
    EXPECT_EQ(inverse[0], TypeParam(0.265625));
    EXPECT_EQ(inverse[lower ? 1 : 3], off);
    EXPECT_EQ(inverse[4], TypeParam(0.0625));
    this->r.trtri(uplo, "N", &this->two, a.data(), &this->three, &this->info);
    EXPECT_EQ(this->info, 0);
    EXPECT_EQ(a[0], TypeParam(0.5));
    EXPECT_EQ(a[lower ? 1 : 3], TypeParam(-0.125));
    EXPECT_EQ(a[4], TypeParam(0.25));
    auto unit = this->matrix(lower ? 'L' : 'U');
    this->r.trtri(uplo, "u", &this->two, unit.data(), &this->three, &this->info);
    EXPECT_EQ(unit, lower ? (V{4, -2, 7, 7, 17, 7}) : (V{4, 7, 7, -2, 17, 7}));
  }
}

/// {4 2; 2 17} x = {14, 55} has the solution {2, 3}.
TYPED_TEST(Lapack, SolvesDefiniteSystems) {
  using V = std::vector<TypeParam>;
  const Int one = 1;
  for (const char* uplo : {"L", "l", "U", "u"}) {
    const bool lower = (*uplo & ~0x20) == 'L';
    V a = this->matrix(lower ? 'L' : 'U'), b{14, 55, 7};
    this->info = -99;
    this->r.posv(uplo, &this->two, &one, a.data(), &this->three, b.data(), &this->three, &this->info);
    EXPECT_EQ(this->info, 0);
    EXPECT_EQ(a, lower ? (V{2, 1, 7, 7, 4, 7}) : (V{2, 7, 7, 1, 4, 7}));
    EXPECT_EQ(b, (V{2, 3, 7}));
    V again{14, 55, 7};
    this->info = -99;
    this->r.potrs(uplo, &this->two, &one, a.data(), &this->three, again.data(), &this->three, &this->info);
    EXPECT_EQ(this->info, 0);
    EXPECT_EQ(again, b);
    a[4] = -1, a[0] = 4;
    this->r.posv(uplo, &this->two, &one, a.data(), &this->three, again.data(), &this->three, &this->info);
    EXPECT_EQ(this->info, 2);
    EXPECT_EQ(again, b);
  }
}

/// {0 2; 4 1} has the inverse {-1/8 1/4; 1/2 0}.
TYPED_TEST(Lapack, InvertsGeneralMatrices) {
  using V = std::vector<TypeParam>;
  V a{0, 4, 7, 2, 1, 7};
  Int pivots[2] = {-1, -1};
  TypeParam work[2] = {};
  this->r.getrf(&this->two, &this->two, a.data(), &this->three, pivots, &this->info);
  const V factors = a;
  const Int query = -1;
  this->info = -99;
  this->r.getri(&this->two, a.data(), &this->three, pivots, work, &query, &this->info);
  EXPECT_EQ(this->info, 0);
  EXPECT_EQ(work[0], TypeParam(2));
  EXPECT_EQ(a, factors);
  const Int odd = (Int(1) << 24) + 1;  // no float: what is asked for has to be enough
  this->r.getri(&odd, a.data(), &odd, pivots, work, &query, &this->info);
  EXPECT_EQ(this->info, 0);
  EXPECT_GE(std::real(work[0]), static_cast<double>(odd));
  this->info = -99;
  this->r.getri(&this->two, a.data(), &this->three, pivots, work, &this->two, &this->info);
  EXPECT_EQ(this->info, 0);
  EXPECT_EQ(a, (V{-0.125, 0.5, 7, 0.25, 0, 7}));
  V singular{4, 0, 7, 1, 0, 7};
  const V before = singular;
  this->r.getri(&this->two, singular.data(), &this->three, pivots, work, &this->two, &this->info);
  EXPECT_EQ(this->info, 2);
  EXPECT_EQ(singular, before);
}

/// {0 2; 4 1} x = {6, 11} has the solution {2, 3}; its rows are exchanged, which leaves the factors {4 1; 0 2}.
TYPED_TEST(Lapack, SolvesGeneralSystems) {
  using V = std::vector<TypeParam>;
  const V matrix{0, 4, 7, 2, 1, 7};
  const Int one = 1;
  V a = matrix, b{6, 11, 7};
  Int pivots[3] = {-1, -1, -1};
  this->r.getrf(&this->two, &this->two, a.data(), &this->three, pivots, &this->info);
  EXPECT_EQ(this->info, 0);
  EXPECT_EQ(a, (V{4, 0, 7, 1, 2, 7}));
  EXPECT_EQ(pivots[0], 2);
  EXPECT_EQ(pivots[1], 2);
  EXPECT_EQ(pivots[2], -1);
  this->info = -99;
  this->r.getrs("n", &this->two, &one, a.data(), &this->three, pivots, b.data(), &this->three, &this->info);
  EXPECT_EQ(this->info, 0);
  EXPECT_EQ(b, (V{2, 3, 7}));
  for (const char* trans : {"T", "c"}) {
    V t{12, 7, 7};  // the transpose times {2, 3}
    this->r.getrs(trans, &this->two, &one, a.data(), &this->three, pivots, t.data(), &this->three, &this->info);
    EXPECT_EQ(t, (V{2, 3, 7}));
  }
  V again = matrix, x{6, 11, 7};
  this->info = -99;
  this->r.gesv(&this->two, &one, again.data(), &this->three, pivots, x.data(), &this->three, &this->info);
  EXPECT_EQ(this->info, 0);
  EXPECT_EQ(again, a);
  EXPECT_EQ(x, b);
  V y{11, 6, 7};  // the upper triangle of the factors times {2, 3}
  this->info = -99;
  this->r.trtrs("u", "N", "N", &this->two, &one, a.data(), &this->three, y.data(), &this->three, &this->info);
  EXPECT_EQ(this->info, 0);
  EXPECT_EQ(y, (V{2, 3, 7}));
  // Singular ones.
  V zero{0, 0, 7, 1, 2, 7};
  const V before = y;
  this->r.trtrs("U", "T", "N", &this->two, &one, zero.data(), &this->three, y.data(), &this->three, &this->info);
  EXPECT_EQ(this->info, 1);
  this->r.gesv(&this->two, &one, zero.data(), &this->three, pivots, y.data(), &this->three, &this->info);
  EXPECT_EQ(this->info, 1);
  EXPECT_EQ(y, before);
}

TYPED_TEST(Lapack, FailuresAreInInfo) {
  auto a = this->matrix('L');
  a[4] = -17;
  this->r.potrf("L", &this->two, a.data(), &this->three, &this->info);
  EXPECT_EQ(this->info, 2);
  a = this->matrix('L'), a[0] = 0;
  const auto before = a;
  this->r.potri("L", &this->two, a.data(), &this->three, &this->info);
  EXPECT_EQ(this->info, 1);
  this->r.trtri("L", "N", &this->two, a.data(), &this->three, &this->info);
  EXPECT_EQ(this->info, 1);
  EXPECT_EQ(a, before);
  // Nothing to do is no failure.
  const auto done = [&] {
    EXPECT_EQ(this->info, 0);
    this->info = -99;
  };
  this->r.potrf("L", &this->none, nullptr, &this->small, &this->info), done();
  this->r.potrs("L", &this->two, &this->none, nullptr, &this->three, nullptr, &this->three, &this->info), done();
  this->r.getrs("N", &this->two, &this->none, nullptr, &this->three, nullptr, nullptr, &this->three, &this->info);
  done();
}

/// NaN, infinite and subnormal entries mean what they mean to the reference: a NaN is no positive pivot, and the
/// largest entry of a column only where it is the first.
TYPED_TEST(Lapack, EntriesThatAreNotOrdinary) {
  using T = TypeParam;
  using V = std::vector<T>;
  using Limits = std::numeric_limits<Real<T>>;
  const T nan(Limits::quiet_NaN()), infinite(Limits::infinity()), subnormal(Limits::min() / 2);
  const auto is_nan = [](const T& x) { return std::isnan(std::real(x)); };
  for (const Int bad : {1, 2}) {
    auto a = this->matrix('L');
    a[bad == 1 ? 0 : 4] = nan;
    this->r.potrf("L", &this->two, a.data(), &this->three, &this->info);
    EXPECT_EQ(this->info, bad);
  }
  const auto factors = [&](V a, Int pivot) {
    Int pivots[2] = {-1, -1};
    this->info = -99;
    this->r.getrf(&this->two, &this->two, a.data(), &this->three, pivots, &this->info);
    EXPECT_EQ(this->info, 0);
    EXPECT_EQ(pivots[0], pivot);
    return a;
  };
  V a = factors({nan, 4, 7, 1, 2, 7}, 1);
  EXPECT_TRUE(is_nan(a[0]) && is_nan(a[1]) && is_nan(a[4]));
  a = factors({4, nan, 7, 1, 2, 7}, 1);
  EXPECT_TRUE(a[0] == T(4) && is_nan(a[1]) && is_nan(a[4]));
  EXPECT_EQ(factors({1, infinite, 7, 3, 2, 7}, 2), (V{infinite, 0, 7, 2, 3, 7}));
  EXPECT_EQ(factors({subnormal / T(2), subnormal, 7, 3, 2, 7}, 2), (V{subnormal, 0.5, 7, 2, 2, 7}));
  a = this->matrix('L'), a[1] = nan;
  this->r.trtri("L", "U", &this->two, a.data(), &this->three, &this->info);
  EXPECT_TRUE(is_nan(a[1]) && this->info == 0);
  a = {4, 7, 7, nan, 0, 7};  // the zero hides no NaN
  this->r.lauum("U", &this->two, a.data(), &this->three, &this->info);
  EXPECT_TRUE(is_nan(a[3]) && this->info == 0);
  a[0] = subnormal;  // it has a reciprocal
  const Int one = 1;
  this->r.trtri("U", "N", &one, a.data(), &this->three, &this->info);
  EXPECT_EQ(a[0], T(2 / Limits::min()));
}

/// Also where nothing but a null pointer is wrong, which is found later than the rest.
TYPED_TEST(Lapack, XerblaMayThrow) {
  auto a = this->matrix('L');
  const auto expect = [&](const std::string& routine, int position, const auto& call) {
    EXPECT_THROW(call(), std::invalid_argument);
    EXPECT_EQ(heard, this->r.letter + routine + " " + std::to_string(position));
    EXPECT_EQ(this->info, -position);
  };
  const Int &n = this->two, &ld = this->three;
  Int* const info = &this->info;
  throws = true;
  expect("POTRF", 1, [&] { this->r.potrf("X", &n, a.data(), &ld, info); });
  expect("POTRF", 3, [&] { this->r.potrf("L", &n, nullptr, &ld, info); });
  expect("POTRS", 6, [&] { this->r.potrs("L", &n, &n, a.data(), &ld, nullptr, &ld, info); });
  expect("GETRF", 5, [&] { this->r.getrf(&n, &n, a.data(), &ld, nullptr, info); });
  throws = false;
}

TYPED_TEST(Lapack, BadArgumentsGoToXerbla) {
  auto a = this->matrix('L');
  const auto before = a;
  const auto expect = [&](const std::string& routine, int position) {
    EXPECT_EQ(heard, this->r.letter + routine + " " + std::to_string(position));
    EXPECT_EQ(this->info, -position);
    EXPECT_EQ(a, before);
    heard.clear(), this->info = -99;
  };
  const std::pair<const char*, decltype(this->r.potrf)> same[] = {
      {"POTRF", this->r.potrf}, {"POTRI", this->r.potri}, {"LAUUM", this->r.lauum}};
  for (const auto& [name, routine] : same) {
    routine("X", &this->negative, a.data(), &this->small, &this->info), expect(name, 1);
    routine("L", &this->negative, a.data(), &this->small, &this->info), expect(name, 2);
    routine("L", &this->two, a.data(), &this->small, &this->info), expect(name, 4);
    routine("U", &this->none, a.data(), &this->none, &this->info), expect(name, 4);
  }
  // Null pointers, which the reference would follow.
  this->r.potrf("L", &this->two, nullptr, &this->three, &this->info), expect("POTRF", 3);
  this->r.potrs("L", &this->two, &this->two, a.data(), &this->three, nullptr, &this->three, &this->info);
  expect("POTRS", 6);
  this->r.getrf(&this->two, &this->two, a.data(), &this->three, nullptr, &this->info), expect("GETRF", 5);
  this->r.trtri("N", "N", &this->two, a.data(), &this->three, &this->info), expect("TRTRI", 1);
  this->r.trtri("L", "T", &this->two, a.data(), &this->three, &this->info), expect("TRTRI", 2);
  this->r.trtri("L", "U", &this->negative, a.data(), &this->three, &this->info), expect("TRTRI", 3);
  this->r.trtri("L", "U", &this->two, a.data(), &this->small, &this->info), expect("TRTRI", 5);

  Int pivots[2] = {1, 2};
  const Int none = this->none;
  auto b = this->matrix('U');
  const auto b_before = b;
  const Int &n = this->two, &ld = this->three, &bad = this->negative, &less = this->small;
  Int* const info = &this->info;
  const auto trtrs = [&](const char* uplo, const char* trans, const char* diag, Int order, Int rhs, Int lda, Int ldb) {
    this->r.trtrs(uplo, trans, diag, &order, &rhs, a.data(), &lda, b.data(), &ldb, info);
  };
  trtrs("A", "N", "N", n, 2, ld, ld), expect("TRTRS", 1);
  trtrs("L", "H", "N", n, 2, ld, ld), expect("TRTRS", 2);
  trtrs("L", "N", "I", n, 2, ld, ld), expect("TRTRS", 3);
  trtrs("L", "N", "N", bad, 2, ld, ld), expect("TRTRS", 4);
  trtrs("L", "N", "N", n, bad, ld, ld), expect("TRTRS", 5);
  trtrs("L", "N", "N", n, 2, less, ld), expect("TRTRS", 7);
  trtrs("L", "N", "N", n, 2, ld, less), expect("TRTRS", 9);
  this->r.getrf(&bad, &n, a.data(), &ld, pivots, info), expect("GETRF", 1);
  this->r.getrf(&n, &bad, a.data(), &ld, pivots, info), expect("GETRF", 2);
  this->r.getrf(&n, &n, a.data(), &less, pivots, info), expect("GETRF", 4);
  const auto getrs = [&](const char* trans, Int order, Int rhs, Int lda, Int ldb) {
    this->r.getrs(trans, &order, &rhs, a.data(), &lda, pivots, b.data(), &ldb, info);
  };
  getrs("X", n, 2, ld, ld), expect("GETRS", 1);
  getrs("N", bad, 2, ld, ld), expect("GETRS", 2);
  getrs("N", n, bad, ld, ld), expect("GETRS", 3);
  getrs("N", n, 2, less, ld), expect("GETRS", 5);
  getrs("N", n, 2, ld, less), expect("GETRS", 8);
  const auto gesv = [&](Int order, Int rhs, Int lda, Int ldb) {
    this->r.gesv(&order, &rhs, a.data(), &lda, pivots, b.data(), &ldb, info);
  };
  gesv(bad, 2, ld, ld), expect("GESV ", 1);
  gesv(n, bad, ld, ld), expect("GESV ", 2);
  gesv(n, 2, less, ld), expect("GESV ", 4);
  gesv(n, 2, ld, less), expect("GESV ", 7);
  const auto definite = [&](const char* uplo, Int order, Int rhs, Int lda, Int ldb, int position) {
    this->r.potrs(uplo, &order, &rhs, a.data(), &lda, b.data(), &ldb, info), expect("POTRS", position);
    this->r.posv(uplo, &order, &rhs, a.data(), &lda, b.data(), &ldb, info), expect("POSV ", position);
  };
  definite("N", n, 2, ld, ld, 1);
  definite("L", bad, 2, ld, ld, 2);
  definite("L", n, bad, ld, ld, 3);
  definite("L", n, 2, less, ld, 5);
  definite("L", n, 2, ld, less, 7);
  TypeParam work[2] = {};
  const auto getri = [&](Int order, Int lda, Int lwork, int position, int size) {
    work[0] = TypeParam(7);
    this->r.getri(&order, a.data(), &lda, pivots, work, &lwork, info), expect("GETRI", position);
    EXPECT_EQ(work[0], TypeParam(static_cast<Real<TypeParam>>(size)));
  };
  getri(bad, ld, ld, 1, 1);
  getri(n, less, ld, 3, 2);
  getri(n, ld, less, 6, 2);
  // Of several the first.
  this->r.trtri("N", "T", &bad, a.data(), &less, info), expect("TRTRI", 1);
  this->r.trtri("L", "T", &bad, a.data(), &less, info), expect("TRTRI", 2);
  this->r.trtri("L", "N", &bad, a.data(), &none, info), expect("TRTRI", 3);
  trtrs("A", "H", "I", bad, bad, less, less), expect("TRTRS", 1);
  trtrs("L", "H", "I", bad, bad, less, less), expect("TRTRS", 2);
  trtrs("L", "N", "I", bad, bad, less, less), expect("TRTRS", 3);
  trtrs("L", "N", "N", bad, bad, none, none), expect("TRTRS", 4);
  trtrs("L", "N", "N", n, bad, less, less), expect("TRTRS", 5);
  trtrs("L", "N", "N", n, 2, less, less), expect("TRTRS", 7);
  this->r.getrf(&bad, &bad, a.data(), &none, pivots, info), expect("GETRF", 1);
  this->r.getrf(&n, &bad, a.data(), &less, pivots, info), expect("GETRF", 2);
  this->r.getrf(&n, &n, a.data(), &less, nullptr, info), expect("GETRF", 4);
  getrs("X", bad, bad, none, none), expect("GETRS", 1);
  getrs("N", bad, bad, none, none), expect("GETRS", 2);
  getrs("N", n, bad, less, less), expect("GETRS", 3);
  getrs("N", n, 2, less, less), expect("GETRS", 5);
  gesv(bad, bad, none, none), expect("GESV ", 1);
  gesv(n, bad, less, less), expect("GESV ", 2);
  gesv(n, 2, less, less), expect("GESV ", 4);
  definite("N", bad, bad, none, none, 1);
  definite("L", bad, bad, none, none, 2);
  definite("L", n, bad, less, less, 3);
  definite("L", n, 2, less, less, 5);
  getri(bad, none, none, 1, 1);
  getri(n, less, less, 3, 2);
  EXPECT_EQ(b, b_before);
}

}  // namespace
}  // namespace trigon::test
