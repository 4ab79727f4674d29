// What is wrong with the arguments of a routine: they are looked at in their order, which counts them.
#pragma once

#include <trigon/error.hpp>
#include <trigon/types.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace trigon::lapack {

template <class T>
class Arguments {
 public:
  Arguments(const char* routine, Layout layout) : routine_(routine), layout_(layout) {
    require(layout == Layout::ColMajor || layout == Layout::RowMajor, "layout", "is neither C nor R");
  }
  Arguments& uplo(Uplo uplo) {
    return require(uplo == Uplo::Lower || uplo == Uplo::Upper, "uplo", "is neither L nor U");
  }
  Arguments& trans(Op op) {
    return require(op == Op::NoTrans || op == Op::Trans || op == Op::ConjTrans, "trans", "is none of N, T and C");
  }
  Arguments& diag(Diag diag) {
    return require(diag == Diag::NonUnit || diag == Diag::Unit, "diag", "is neither N nor U");
  }
  Arguments& size(const char* name, index n) { return require(n >= 0, name, "is negative"); }
  /// … of rows that pivots name.
  template <class Int>
  Arguments& size(const char* name, index n, const Int*) {
    const bool fits = n <= std::numeric_limits<Int>::max();
    return require(n >= 0 && fits, name, fits ? "is negative" : "is more than a pivot can say");
  }
  /// A matrix and its leading dimension; whether it is `used` as far as it has entries.
  Arguments& matrix(const char* name, const char* ld_name, const T* a, index rows, index cols, index ld,
                    bool used = true) {
    require(a != nullptr || rows == 0 || cols == 0 || !used, name, "is a null pointer");
    return require(ld >= std::max<index>(1, layout_ == Layout::ColMajor ? rows : cols), ld_name, "is too small");
  }
  /// Anything else that is read or written.
  Arguments& array(const char* name, const void* a, index count) {
    return require(a != nullptr || count == 0, name, "is a null pointer");
  }

 private:
  Arguments& require(bool good, const char* name, const char* why) {
    ++position_;
    if (!good) throw argument_error(static_cast<char>(precision_of<T>) + std::string(routine_), name, position_, why);
    return *this;
  }

  const char* routine_;
  Layout layout_;
  int position_ = 0;
};

}  // namespace trigon::lapack
