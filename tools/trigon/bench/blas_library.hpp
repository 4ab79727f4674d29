// Any BLAS by file: its Fortran and C entry points, called with the arguments of a trigon::Call.
#pragma once

#include <trigon/call.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace trigon::bench {

/// One call, its arguments laid out once so that a timed call costs the call and nothing else.
class Invocation {
 public:
  void operator()() const { run_(*this); }

 private:
  friend class BlasLibrary;
  template <class T>
  static void run_cblas(const Invocation&);
  static void run_fortran(const Invocation&);

  void (*run_)(const Invocation&) = nullptr;
  void* symbol_ = nullptr;
  trigon::Call call_;
  // What the Fortran arguments point to; shared, so that copies of an Invocation stay valid.
  struct Storage {
    std::array<char, 4> flags{};
    std::array<int, 8> ints{};
    std::array<std::array<double, 2>, 2> scalars{};
  };
  std::shared_ptr<Storage> storage_;
  std::array<const void*, 13> args_{};
  int count_ = 0;
};

/// A BLAS with 32-bit integers, opened privately: it sees its own symbols first and lends none.
class BlasLibrary {
 public:
  /// `ours`: the Trigon that this program runs on; any other one stays apart from it. Throws trigon::error with the
  /// loader's message.
  BlasLibrary(std::string name, const std::string& path, bool ours = false);

  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }
  /// What the library says of itself; empty when it says nothing.
  std::string version() const;

  enum class Door { Fortran, Cblas };
  /// Null when the library lacks the routine.
  void* symbol(const trigon::Call&, Door) const;
  void* symbol(const std::string& name) const;

  /// Row-major calls go through CBLAS whatever the door. Throws trigon::error when the
  /// routine is missing or a size does not fit a 32-bit integer.
  Invocation prepare(const trigon::Call&, Door = Door::Fortran) const;

 private:
  std::string name_, path_, prefix_;
  std::shared_ptr<void> handle_;
};

}  // namespace trigon::bench
