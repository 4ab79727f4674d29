// Vectors and matrices in guarded buffers, for routines that the harness does not know.
#pragma once

#include "clblas/caller.hpp"

#include <complex>
#include <limits>
#include <random>
#include <vector>

namespace trigon::test {

template <class T>
T random_value(std::mt19937_64& random) {
  std::uniform_real_distribution<double> in(-1, 1);
  if constexpr (is_complex<T>) {
    const auto re = static_cast<real_t<T>>(in(random));
    return T(re, static_cast<real_t<T>>(in(random)));
  } else {
    return static_cast<T>(in(random));
  }
}

template <class T>
std::vector<T> random_values(index n, std::mt19937_64& random) {
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) x = random_value<T>(random);
  return v;
}

template <class T>
T not_a_number() {
  const auto nan = std::numeric_limits<real_t<T>>::quiet_NaN();
  if constexpr (is_complex<T>) {
    return T(nan, nan);
  } else {
    return nan;
  }
}

/// n entries with an increment, from an offset of a buffer on; everything between and around is NaN.
template <class T>
class DeviceVector {
 public:
  DeviceVector(cl_command_queue queue, const std::vector<T>& entries, int increment, std::size_t offset)
      : queue_(queue), n_(static_cast<index>(entries.size())), inc(increment), offset(offset) {
    const auto span = static_cast<std::size_t>(n_ > 0 ? (n_ - 1) * std::abs(inc) + 1 : 0);
    before_.assign(offset + span + guard, not_a_number<T>());
    for (index i = 0; i < n_; ++i) before_[at(i)] = entries[static_cast<std::size_t>(i)];
    cl_context context = nullptr;
    must(clGetCommandQueueInfo(queue_, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr), "context");
    cl_int error = CL_SUCCESS;
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, before_.size() * sizeof(T),
                            before_.data(), &error);
    must(error, "buffer");
  }
  ~DeviceVector() { clReleaseMemObject(memory); }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;

  /// The entries as they are now. Throws if anything around them has changed.
  std::vector<T> read() const {
    std::vector<T> after(before_.size()), entries(static_cast<std::size_t>(n_));
    must(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, after.size() * sizeof(T), after.data(), 0, nullptr, nullptr),
         "read");
    for (index i = 0; i < n_; ++i) {
      entries[static_cast<std::size_t>(i)] = after[at(i)];
      after[at(i)] = before_[at(i)];
    }
    if (std::memcmp(after.data(), before_.data(), after.size() * sizeof(T)) != 0)
      throw std::runtime_error("something around a vector has changed");
    return entries;
  }
  /// Whether nothing has been written.
  bool untouched() const {
    std::vector<T> after(before_.size());
    must(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, after.size() * sizeof(T), after.data(), 0, nullptr, nullptr),
         "read");
    return std::memcmp(after.data(), before_.data(), after.size() * sizeof(T)) == 0;
  }

 private:
  static constexpr std::size_t guard = 32;
  std::size_t at(index i) const { return offset + static_cast<std::size_t>((inc > 0 ? i : i - n_ + 1) * inc); }

  cl_command_queue queue_;
  index n_;
  std::vector<T> before_;

 public:
  const int inc;
  const std::size_t offset;
  cl_mem memory = nullptr;
};

/// A session with a queue; of one that is called `on`, the last arguments of a call.
struct OneQueue {
  const Session session;
  const Queue queue{"opencl"};
  cl_command_queue native = static_cast<cl_command_queue>(queue.native());
};
#define ONE_QUEUE 1, &on.native, 0, nullptr, nullptr

/// The routine among four that is T's.
template <class T, class S, class D, class C, class Z>
constexpr auto pick(S s, D d, C c, Z z) {
  if constexpr (std::is_same_v<T, float>) {
    return s;
  } else if constexpr (std::is_same_v<T, double>) {
    return d;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return c;
  } else {
    return z;
  }
}

}  // namespace trigon::test
