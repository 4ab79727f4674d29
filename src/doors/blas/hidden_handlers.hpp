// Handlers of the program that this library hides when it is preloaded.
#pragma once

namespace trigon::doors {

/// A handler by its symbol, to be called while this object lives: that of the first library that has one and is no BLAS
/// or LAPACK itself, as R's, NumPy's and Octave's are. The dynamic linker finds one in the executable by itself, but
/// prefers those of preloaded libraries to those of all other ones, weak or not. Null where there is none, and where
/// `caller`, an address, is within a function of that name: such a handler goes on to the default one.
class HiddenHandler {
 public:
  HiddenHandler(const char* symbol, const void* caller);
  ~HiddenHandler();
  HiddenHandler(const HiddenHandler&) = delete;
  HiddenHandler& operator=(const HiddenHandler&) = delete;

  explicit operator bool() const { return address_ != nullptr; }
  template <class F>
  F* as() const {
    return reinterpret_cast<F*>(address_);
  }

 private:
  void* library_ = nullptr;
  void* address_ = nullptr;
};

}  // namespace trigon::doors
