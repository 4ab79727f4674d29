// LAPACK's symbols: arguments in their places, letters of either case, info, and what xerbla hears, in both integers.
#include "doors/blas/names.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

using trigon::doors::Int;

namespace {
std::string heard;
}

extern "C" {
void TRIGON_FORTRAN(xerbla)(const char* routine, const Int* position, std::size_t length) {
  heard = std::string(routine, length) + " " + std::to_string(*position);
}

#define DECLARE(prefix, T)                                                                         \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, potrf))(const char*, const Int*, T*, const Int*, Int*); \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, potri))(const char*, const Int*, T*, const Int*, Int*); \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, lauum))(const char*, const Int*, T*, const Int*, Int*); \
  void TRIGON_FORTRAN(TRIGON_PASTE(prefix, trtri))(const char*, const char*, const Int*, T*, const Int*, Int*);
DECLARE(s, float)
DECLARE(d, double)
DECLARE(c, std::complex<float>)
DECLARE(z, std::complex<double>)
}

namespace trigon::test {
namespace {

template <class T>
struct Routines {
  void (*potrf)(const char*, const Int*, T*, const Int*, Int*);
  void (*potri)(const char*, const Int*, T*, const Int*, Int*);
  void (*lauum)(const char*, const Int*, T*, const Int*, Int*);
  void (*trtri)(const char*, const char*, const Int*, T*, const Int*, Int*);
  char letter;
};
#define ROUTINES(prefix, letter)                                                                         \
  {                                                                                                      \
    TRIGON_FORTRAN(TRIGON_PASTE(prefix, potrf)), TRIGON_FORTRAN(TRIGON_PASTE(prefix, potri)),            \
        TRIGON_FORTRAN(TRIGON_PASTE(prefix, lauum)), TRIGON_FORTRAN(TRIGON_PASTE(prefix, trtri)), letter \
  }

template <class T>
Routines<T> routines();
template <>
Routines<float> routines() {
  return ROUTINES(s, 'S');
}
template <>
Routines<double> routines() {
  return ROUTINES(d, 'D');
}
template <>
Routines<std::complex<float>> routines() {
  return ROUTINES(c, 'C');
}
template <>
Routines<std::complex<double>> routines() {
  return ROUTINES(z, 'Z');
}

template <class T>
class Lapack : public testing::Test {
 protected:
  const Routines<T> r = routines<T>();
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
  this->r.potrf("L", &this->none, nullptr, &this->small, &this->info);
  EXPECT_EQ(this->info, 0);
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
  this->r.trtri("N", "N", &this->two, a.data(), &this->three, &this->info), expect("TRTRI", 1);
  this->r.trtri("L", "T", &this->two, a.data(), &this->three, &this->info), expect("TRTRI", 2);
  this->r.trtri("L", "U", &this->negative, a.data(), &this->three, &this->info), expect("TRTRI", 3);
  this->r.trtri("L", "U", &this->two, a.data(), &this->small, &this->info), expect("TRTRI", 5);
}

}  // namespace
}  // namespace trigon::test
