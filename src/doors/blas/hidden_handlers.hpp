// Handlers of the program that this library hides when it is preloaded.
#pragma once

namespace trigon::doors {

/// A handler by its symbol: that of the first library that has one and no routine of BLAS or LAPACK, as R's, NumPy's
/// and Octave's are. The dynamic linker finds one in the executable by itself, but prefers those of preloaded libraries
/// to those of all other ones, weak or not. Null where there is none. To be asked for where the handler in force is
/// this library's own: else the program has chosen to go on to that.
void* hidden_handler(const char* symbol);

/// Whether a handler that was found so is at work on this thread, and this is for the default one that it goes on to.
bool within_hidden_handler();

/// Calls a handler, as one of these. It may throw, and jump away.
class HiddenCall {
 public:
  HiddenCall();
  ~HiddenCall();
  HiddenCall(const HiddenCall&) = delete;
  HiddenCall& operator=(const HiddenCall&) = delete;

 private:
  friend bool within_hidden_handler();
  const HiddenCall* outer_;
  unsigned long mark_;
};

}  // namespace trigon::doors
