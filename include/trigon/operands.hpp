// Operands for trying a call: seeded, guarded, poisoned, and compared afterwards.
#pragma once

#include <trigon/call.hpp>
#include <trigon/guarded_memory.hpp>
#include <trigon/reference.hpp>
#include <trigon/types.hpp>
#include <trigon/verify.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <vector>

namespace trigon {

struct OperandOptions {
  std::uint64_t seed = 1;
  /// Added to the smallest leading dimension wherever the call leaves its own at 0.
  index padding = 3;
  /// Which end of each operand touches an inaccessible page.
  GuardedMemory::Place place = GuardedMemory::Place::EndsAtGuard;
  /// Bytes of distance from that page, to try alignments. A multiple of the element's size.
  std::size_t shift = 0;
  /// Inputs are mapped read-only, those that may not even be read are inaccessible: breaking this is a crash.
  bool protect = true;
  /// Triangles of condition 1e10 and more (two tiny pivots; in unit triangles a block of U(-1, 1)) and, for
  /// solves, right-hand sides whose solution has moderate size. Otherwise triangles are well-conditioned.
  bool ill_conditioned = false;
};

/// The operands of one call: random numbers where it may read, NaN everywhere else, guards around.
///
///     Operands o(parse_call("dtrsm m=65 n=7 uplo=U"), {.seed = 3});
///     execute(o.call());
///     ok = o.verify().ok() && o.intrusion().empty();
class Operands {
 public:
  using Options = OperandOptions;

  /// Pointers in `call` are ignored; leading dimensions of 0 are chosen. The call must be valid otherwise.
  explicit Operands(const Call& call, const Options& options = {}) : call_(call), options_(options) {
    with_type(call_.precision, [&](auto zero) { make<decltype(zero)>(); });
  }

  /// The call on these operands.
  const Call& call() const { return call_; }

  /// The same call on copies of the operands as they were made.
  const Call& before() const { return before_; }

  /// The operand that the call overwrites.
  void* result() const { return overwrites_b() ? call_.b : call_.c; }

  /// Puts the overwritten operand back to what it was.
  void restore() {
    const Operand& out = operands_[output()];
    std::memcpy(out.memory.begin(), out.saved.data(), out.memory.size());
  }

  /// Judges the result.
  Verdict verify(Sample sample = {}) const { return trigon::verify(before_, result(), sample); }

  /// What was written that may not be: empty, or like "C is written at (5, 2), outside its triangle".
  std::string intrusion() const {
    return with_type(call_.precision, [&](auto zero) { return find_intrusion<decltype(zero)>(); });
  }

  /// Puts `value` at entry (i, j) of A, B or C, or entry i of X: to plant NaN, Inf and zeros before the call.
  void plant(Argument operand, index i, index j, std::complex<double> value) {
    with_type(call_.precision, [&](auto zero) {
      using T = decltype(zero);
      Operand& o = operands_[operand == Argument::A ? 0 : operand == Argument::C ? 2 : 1];
      o.memory.protect(PROT_READ | PROT_WRITE);
      T& entry = live<T>(o)[o.position(i, j)];
      entry = reference::scalar<T>(value);
      std::memcpy(o.saved.data() + (reinterpret_cast<std::byte*>(&entry) - o.memory.begin()), &entry, sizeof(T));
      o.memory.protect(o.protection);
    });
  }

  /// Makes whole pages between the lines of the operands inaccessible: they are not the call's either. To judge it they
  /// must be accessible again. Leading dimensions of two pages put one there between any two lines.
  void hide_padding(bool hidden = true) {
    const std::size_t size = with_type(call_.precision, [](auto zero) { return sizeof zero; });
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    for (const Operand& o : operands_)
      for (index line = 0; line + 1 < o.outer() && o.inner() > 0; ++line) {
        const auto from =
            reinterpret_cast<std::uintptr_t>(o.memory.data()) + static_cast<std::size_t>(line * o.ld) * size;
        const std::uintptr_t begin = (from + static_cast<std::size_t>(o.inner()) * size + page - 1) / page * page,
                             end = (from + static_cast<std::size_t>(o.ld) * size) / page * page;
        if (begin < end &&
            mprotect(reinterpret_cast<void*>(begin), end - begin, hidden ? PROT_NONE : o.protection) != 0)
          throw std::bad_alloc();
      }
  }

 private:
  /// One operand as it is stored. A vector is a row-major matrix of one column, with ld = |incx|.
  struct Operand {
    index rows = 0, columns = 0, ld = 1;
    Layout layout = Layout::ColMajor;
    bool reversed = false;
    GuardedMemory memory;
    std::vector<std::byte> saved;
    int protection = PROT_READ | PROT_WRITE;

    index position(index i, index j) const {
      if (reversed) i = rows - 1 - i;
      return layout == Layout::ColMajor ? i + j * ld : i * ld + j;
    }
    index inner() const { return layout == Layout::ColMajor ? rows : columns; }
    index outer() const { return layout == Layout::ColMajor ? columns : rows; }
    /// What no memory holds is not there, however the number would wrap around.
    index elements() const {
      constexpr index most = index{1} << 56;
      if (inner() <= 0 || outer() <= 0) return 0;
      index before = 0, all = 0;
      if (__builtin_mul_overflow(outer() - 1, ld, &before) || __builtin_add_overflow(before, inner(), &all) ||
          all > most)
        throw std::bad_alloc();
      return all;
    }
  };

  template <class T>
  static T* live(const Operand& o) {
    return reinterpret_cast<T*>(o.memory.data());
  }

  bool overwrites_b() const { return call_.operation >= Operation::Trmm; }
  int output() const { return overwrites_b() ? 1 : 2; }
  bool is_vector() const { return call_.operation == Operation::Trmv || call_.operation == Operation::Trsv; }
  bool rank_k() const { return call_.operation >= Operation::Syrk && call_.operation <= Operation::Her2k; }
  bool hermitian_update() const { return call_.operation == Operation::Herk || call_.operation == Operation::Her2k; }

  void shape(int which, index& ld, index rows, index columns, Op op = Op::NoTrans) {
    Operand& o = operands_[which];
    o.rows = op == Op::NoTrans ? rows : columns;
    o.columns = op == Op::NoTrans ? columns : rows;
    o.layout = call_.layout;
    if (ld == 0) ld = std::max<index>(1, o.inner()) + options_.padding;
    o.ld = ld;
  }

  void shapes() {
    const index m = call_.m, n = call_.n, k = call_.k, order = call_.side == Side::Left ? m : n;
    switch (call_.operation) {
      case Operation::Gemm:
        shape(0, call_.lda, m, k, call_.transa);
        shape(1, call_.ldb, k, n, call_.transb);
        return shape(2, call_.ldc, m, n);
      case Operation::Symm:
      case Operation::Hemm:
        shape(0, call_.lda, order, order);
        shape(1, call_.ldb, m, n);
        return shape(2, call_.ldc, m, n);
      case Operation::Syr2k:
      case Operation::Her2k: shape(1, call_.ldb, n, k, call_.transa); [[fallthrough]];
      case Operation::Syrk:
      case Operation::Herk: shape(0, call_.lda, n, k, call_.transa); return shape(2, call_.ldc, n, n);
      case Operation::Trmm:
      case Operation::Trsm: shape(0, call_.lda, order, order); return shape(1, call_.ldb, m, n);
      case Operation::Trmv:
      case Operation::Trsv: break;
    }
    shape(0, call_.lda, n, n);
    Operand& x = operands_[1];
    x.rows = n;
    x.columns = 1;
    x.ld = std::abs(call_.incx);
    x.layout = Layout::RowMajor;
    x.reversed = call_.incx < 0;
  }

  bool is_zero(std::complex<double> v) const {
    return with_type(call_.precision, [&](auto zero) { return reference::scalar<decltype(zero)>(v) == zero; });
  }

  /// Whether the call may look at the values of A, B, C (0, 1, 2).
  bool reads(int which) const {
    if (call_.n == 0 || (call_.m == 0 && !rank_k() && !is_vector())) return false;
    if (is_vector()) return true;
    if (which == 2) return !is_zero(hermitian_update() ? call_.beta.real() : call_.beta);
    if ((rank_k() || call_.operation == Operation::Gemm) && call_.k == 0) return false;
    return !is_zero(call_.operation == Operation::Herk ? call_.alpha.real() : call_.alpha);
  }

  bool one_triangle(int which) const {
    return which == 2 ? rank_k() : which == 0 && !rank_k() && call_.operation != Operation::Gemm;
  }

  /// Whether entry (i, j) belongs to the problem.
  bool referenced(int which, index i, index j) const {
    if (!one_triangle(which)) return true;
    if (which == 0 && overwrites_b() && call_.diag == Diag::Unit && i == j) return false;
    return call_.uplo == Uplo::Lower ? i >= j : i <= j;
  }

  /// Whether the imaginary part of the diagonal is ignored.
  bool real_diagonal(int which) const {
    return (which == 0 && call_.operation == Operation::Hemm) || (which == 2 && hermitian_update());
  }

  template <class T>
  void make() {
    shapes();
    for (int which = 0; which < 3; ++which) {
      allocate<T>(which);
      if (reads(which)) fill<T>(which);
    }
    point(call_, [](const Operand& o) { return o.memory.data(); });
    if (options_.ill_conditioned && reads(1)) moderate_solution();
    for (int which = 0; which < 3; ++which) {
      Operand& o = operands_[which];
      o.saved.assign(o.memory.begin(), o.memory.begin() + o.memory.size());
      if (which == output() || !options_.protect) continue;
      o.protection = reads(which) ? PROT_READ : PROT_NONE;
      o.memory.protect(o.protection);
    }
    before_ = call_;
    point(before_, [](Operand& o) { return o.saved.data() + (o.memory.data() - o.memory.begin()); });
  }

  template <class Where>
  void point(Call& call, Where where) {
    call.a = where(operands_[0]);
    call.b = where(operands_[1]);
    call.c = where(operands_[2]);
  }

  template <class T>
  void allocate(int which) {
    Operand& o = operands_[which];
    o.memory = GuardedMemory(static_cast<std::size_t>(o.elements()) * sizeof(T), options_.place, options_.shift);
    const real_t<T> nan = std::numeric_limits<real_t<T>>::quiet_NaN();
    T poison(nan);
    if constexpr (is_complex<T>) poison = T(nan, nan);
    std::fill_n(reinterpret_cast<T*>(o.memory.begin()), o.memory.size() / sizeof(T), poison);
  }

  template <class T>
  void fill(int which) {
    const Operand& o = operands_[which];
    const bool triangular = which == 0 && overwrites_b();
    const real_t<T> nan = std::numeric_limits<real_t<T>>::quiet_NaN();
    const double tame = 1 / std::sqrt(static_cast<double>(std::max<index>(1, o.rows)));
    for (index j = 0; j < o.columns; ++j)
      for (index i = 0; i < o.rows; ++i) {
        if (!referenced(which, i, j)) continue;
        T& entry = live<T>(o)[o.position(i, j)];
        entry = triangular ? of_triangle<T>(o.rows, tame, i, j) : random<T>();
        if constexpr (is_complex<T>)
          if (i == j && real_diagonal(which)) entry = T(entry.real(), nan);
      }
  }

  /// Off the diagonal of a size so tame that solutions do not grow with the order, 1 to 2 on it.
  template <class T>
  T of_triangle(index order, double tame, index i, index j) {
    const bool ill = options_.ill_conditioned;
    if (i == j) {
      const bool tiny = ill && (i == order / 3 || i == order / 2);
      const T v = random<T>();
      return v / real_t<T>(std::abs(v) + real_t<T>(0.001)) * real_t<T>(tiny ? 1e-10 : 1 + std::abs(uniform()));
    }
    const index block = std::max<index>(0, order / 2 - 64);
    const bool wild = ill && call_.diag == Diag::Unit && std::min(i, j) >= block && std::max(i, j) < block + 128;
    return random<T>() * real_t<T>(wild ? (is_complex<T> ? 0.7 : 1.0) : tame);
  }

  /// B := op(A) B, so that the random B that was there becomes the solution.
  void moderate_solution() {
    Call product = call_;
    if (call_.operation == Operation::Trsm)
      product.operation = Operation::Trmm;
    else if (call_.operation == Operation::Trsv)
      product.operation = Operation::Trmv;
    else
      return;
    product.alpha = 1;
    reference::execute(product);
  }

  double uniform() {
    std::uint64_t z = (options_.seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
  }

  template <class T>
  T random() {
    using R = real_t<T>;
    if constexpr (is_complex<T>) {
      const R re = static_cast<R>(uniform());
      return T(re, static_cast<R>(uniform()));
    } else {
      return static_cast<R>(uniform());
    }
  }

  static std::string operand_name(int which, bool vector) {
    return which == 1 && vector ? "x" : std::string(1, "ABC"[which]);
  }

  template <class T>
  std::string find_intrusion() const {
    for (int which = 0; which < 3; ++which) {
      const Operand& o = operands_[which];
      if (o.protection == PROT_NONE) continue;
      std::vector<std::byte> now(o.memory.begin(), o.memory.begin() + o.memory.size());
      const std::size_t start = static_cast<std::size_t>(o.memory.data() - o.memory.begin());
      if (which == output())
        for (index j = 0; j < o.columns; ++j)
          for (index i = 0; i < o.rows; ++i)
            if (referenced(which, i, j)) {
              const std::size_t at = start + static_cast<std::size_t>(o.position(i, j)) * sizeof(T);
              std::memcpy(now.data() + at, o.saved.data() + at, sizeof(T));
            }
      if (std::memcmp(now.data(), o.saved.data(), now.size()) == 0) continue;
      const auto differ = std::mismatch(now.begin(), now.end(), o.saved.begin());
      const index at = (differ.first - now.begin() - static_cast<index>(start)) / static_cast<index>(sizeof(T));
      return operand_name(which, is_vector()) + " is written " + where(which, at);
    }
    return {};
  }

  std::string where(int which, index at) const {
    const Operand& o = operands_[which];
    if (at < 0 || at >= o.elements()) return "outside of its memory, at element " + std::to_string(at);
    const index inner = at % o.ld, outer = at / o.ld;
    if (inner >= o.inner()) return "in its padding, at element " + std::to_string(at);
    const index i = o.layout == Layout::ColMajor ? inner : outer, j = o.layout == Layout::ColMajor ? outer : inner;
    const std::string place = "at (" + std::to_string(i) + ", " + std::to_string(j) + ")";
    return which == output() ? place + ", outside its triangle" : place + ", which is input";
  }

  Call call_, before_;
  Options options_;
  Operand operands_[3];
};

}  // namespace trigon
