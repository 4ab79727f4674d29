// A call on host operands carried out on device buffers, so that the harness can judge it: copied in with what must not
// be read, at offsets, between guard zones; copied back with what must not be written.
#pragma once

#include "support/harness.hpp"
#include "support/variants.hpp"

#include <trigon/device.hpp>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace trigon::test {

inline void must(cl_int error, const char* what) {
  if (error != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": OpenCL error " + std::to_string(error));
}

inline std::size_t element_size(const Call& c) {
  return with_type(c.precision, [](auto zero) { return sizeof zero; });
}

/// The call of these sizes, its matrices without padding.
inline Call sized(Call c, index m, index n, index k) {
  c.m = m, c.n = n, c.k = k;
  const auto leading = [&](Argument operand) {
    const Extent e = extent(c, operand);
    return std::max<index>(c.layout == Layout::ColMajor ? e.rows : e.cols, 1);
  };
  c.lda = leading(Argument::A), c.ldb = leading(Argument::B), c.ldc = leading(Argument::C);
  return c;
}

/// Elements from the first to the last of an operand as stored.
inline index stored_elements(const Call& c, Argument operand) {
  const Extent e = extent(c, operand);
  if (e.rows == 0 || e.cols == 0) return 0;
  if (is_vector(c.operation) && operand != Argument::A) return (c.n - 1) * std::abs(c.incx) + 1;
  const bool columns = c.layout == Layout::ColMajor;
  const index ld = operand == Argument::A ? c.lda : operand == Argument::B ? c.ldb : c.ldc;
  return columns ? (e.cols - 1) * ld + e.rows : (e.rows - 1) * ld + e.cols;
}

/// One operand in a buffer of its own: guard, offset, elements, guard.
class DeviceOperand {
 public:
  DeviceOperand(const Queue& queue, const Call& call, Argument operand, const void* host, index offset)
      : queue_(static_cast<cl_command_queue>(queue.native())),
        element_(element_size(call)),
        offset_(offset),
        bytes_(static_cast<std::size_t>(stored_elements(call, operand)) * element_) {
    cl_context context = nullptr;
    must(clGetCommandQueueInfo(queue_, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr), "context");
    before_.assign(static_cast<std::size_t>(offset) * element_ + bytes_ + guard, guard_byte);
    if (bytes_ > 0) std::memcpy(before_.data() + at(), host, bytes_);
    cl_int error = CL_SUCCESS;
    memory_ = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, before_.size(), before_.data(), &error);
    must(error, "buffer");
  }
  ~DeviceOperand() { clReleaseMemObject(memory_); }
  DeviceOperand(const DeviceOperand&) = delete;
  DeviceOperand& operator=(const DeviceOperand&) = delete;

  cl_mem memory() const { return memory_; }
  index offset() const { return offset_; }

  /// Fails if a guard has changed, or, unless the operand is the result, anything else. `host` receives the result.
  void check(const char* name, void* host) {
    std::vector<char> after(before_.size());
    must(clEnqueueReadBuffer(queue_, memory_, CL_TRUE, 0, after.size(), after.data(), 0, nullptr, nullptr), "read");
    if (host && bytes_ > 0) {
      std::memcpy(host, after.data() + at(), bytes_);
      std::memcpy(before_.data() + at(), host, bytes_);
    }
    if (after != before_) throw std::runtime_error(std::string(name) + ": a guard or an input has changed");
  }

 private:
  static constexpr std::size_t guard = 256;
  static constexpr char guard_byte = '\x7f';  // all of them: a NaN
  std::size_t at() const { return static_cast<std::size_t>(offset_) * element_; }

  cl_command_queue queue_;
  std::size_t element_;
  index offset_;
  std::size_t bytes_;
  std::vector<char> before_;
  cl_mem memory_ = nullptr;
};

/// The call through device memory, with offsets from a seed. It has to have matrices where it does not read them, too.
inline void execute_on_device(const Queue& queue, const Call& host, unsigned seed, Solve solve = Solve::Default) {
  const bool in_b = is_triangular(host.operation), vector = is_vector(host.operation);
  const auto has = [&](Argument a) { return position(host.operation, a, false) != 0; };
  DeviceOperand a(queue, host, Argument::A, host.a, 64 + seed % 7);
  DeviceOperand b(queue, has(Argument::B) || vector ? host : Call{}, vector ? Argument::X : Argument::B, host.b,
                  64 + seed % 5);
  DeviceOperand c(queue, has(Argument::C) ? host : Call{}, Argument::C, host.c, 64 + seed % 3);
  Call call = host;
  call.a = a.memory(), call.b = b.memory(), call.c = c.memory();
  Submission on(queue);
  on.solve = solve;
  execute(call, {a.offset(), b.offset(), c.offset()}, on);
  queue.finish();
  a.check("A", nullptr);
  b.check("B", in_b ? host.b : nullptr);
  c.check("C", in_b ? nullptr : host.c);
}

inline void expect_right(const Queue& queue, const Case& c, unsigned seed) {
  const Outcome outcome = run_case([&](const Call& call) { execute_on_device(queue, call, seed); }, c);
  EXPECT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
}

}  // namespace trigon::test
