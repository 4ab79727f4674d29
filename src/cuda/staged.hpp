// Host-resident calls: operands go to the device whole, the result comes back. Only what exists is read and written.
#pragma once

#include "core/staging.hpp"
#include "cuda/queue.hpp"

#include <memory>

namespace trigon::cuda {

/// An operand of the host, densely on the device.
template <class T>
class Staged {
 public:
  Staged(const Stream& stream, const core::Operand& host, core::Part read, core::Part written)
      : stream_(stream), host_(host), written_(written) {
    if (read.kind == core::Part::None && written.kind == core::Part::None) return;
    if (__builtin_mul_overflow(host.rows, host.cols, &elements_) || elements_ > (std::size_t{1} << 60) / sizeof(T))
      throw failure(core::Status::OutOfMemory, "an operand is too large for a device");
    if (elements_ == 0) return;
    copy_ = std::make_unique_for_overwrite<T[]>(elements_);
    memory_ = DeviceMemory(stream, elements_ * sizeof(T));
    if (read.kind == core::Part::None) return;
    core::copy_part<T>(host_, core::dense(host_, copy_.get()), read);
    under_way_ = true;
    copy_in(stream_, memory_.address(), copy_.get(), elements_ * sizeof(T));
  }

  /// Copies that are under way end before the host's memory does.
  ~Staged() {
    release();
    if (!under_way_) return;
    try {
      wait(stream_);
    } catch (const failure&) {
      // What failed is being told already.
    }
  }
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;

  core::Operand on_device() const { return core::dense(host_, memory_.address()); }

  void fetch() {
    if (written_.kind == core::Part::None || elements_ == 0) return;
    under_way_ = true;
    copy_out(stream_, copy_.get(), memory_.address(), elements_ * sizeof(T));
  }
  /// In the order of the stream, behind the copies. What is released after the last wait stays reserved on the device,
  /// whose pool gives memory back when a stream is waited for.
  void release() { memory_ = {}; }
  /// After a wait.
  void put_back() {
    under_way_ = false;
    if (written_.kind != core::Part::None && elements_ > 0)
      core::copy_part<T>(core::dense(host_, copy_.get()), host_, written_);
  }

 private:
  const Stream& stream_;
  core::Operand host_;
  core::Part written_;
  std::size_t elements_ = 0;
  bool under_way_ = false;
  std::unique_ptr<T[]> copy_;
  DeviceMemory memory_;
};

/// Calls `run(request)` with the same request over device memory, and waits. If anything fails nothing of the host's
/// has been written.
template <class T, class Run>
void staged(const Stream& stream, const core::Request& r, const core::Plan& p, Run&& run) {
  const core::Parts need = core::parts(r, p);
  const core::Part none;
  Staged<T> a(stream, r.a, need.a, none);
  Staged<T> b(stream, r.b, need.b, need.writes_b ? need.written : none);
  Staged<T> c(stream, r.c, need.c, need.writes_b ? none : need.written);
  core::Request there = r;
  there.a = a.on_device(), there.b = b.on_device(), there.c = c.on_device();
  run(there);
  b.fetch(), c.fetch();
  a.release(), b.release(), c.release();
  wait(stream);
  a.put_back(), b.put_back(), c.put_back();
}

}  // namespace trigon::cuda
