// Level 1's own kernels on one command queue. Everything else goes through the C++ door.
#pragma once

#include "doors/clblas/operands.hpp"
#include "doors/clblas/watched.hpp"

#include <trigon/device.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace trigon::clblas {

/// Throws what an error of the driver's is: std::bad_alloc in the host, out_of_memory on the device, or backend_error.
void must(cl_int error, const char* what);

/// A vector on its way to a kernel: its buffer, where entry 0 is, and the step to the next.
struct Vector {
  Vector(cl_mem memory, cl_long first, cl_long step) : memory(memory), first(first), step(step) {}
  /// As BLAS has it: with a negative increment, entry 0 is the last of the buffer.
  explicit Vector(const Strided& v) : memory(v.memory), first(static_cast<cl_long>(v.offset)), step(v.increment) {
    if (step < 0) first += (1 - static_cast<cl_long>(v.n)) * step;
  }
  cl_mem memory;
  cl_long first, step;
};

class VectorPrograms;

/// Used by whoever holds the lane's mutex. Sequences of commands: prepare (which throws and submits nothing), begin,
/// launch, end. The commands of an out-of-order queue are put in order by barriers, like those of the backend, and
/// every launch waits for the whole wait list, so that none runs where it fails.
class Kernels {
 public:
  Kernels(cl_command_queue, Watched&);
  ~Kernels();
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  /// Throws backend_error if it cannot be built.
  void prepare(Precision, const char* kernel);
  /// Memory that is kept for the next call; one for each purpose, 0 to 2. Throws out_of_memory.
  cl_mem scratch(int purpose, std::size_t bytes);

  /// Commands of a sequence at most.
  static constexpr std::size_t most_commands = 12;
  void begin(const Submission&);
  /// How the backend's call is submitted that is part of a sequence.
  Submission part(const Submission&);
  /// Work-items that share n entries: `of` of them, at most `most` (a multiple of 64), `block` neighbours each, or 0
  /// for entries in turn.
  struct Share {
    std::size_t of;
    cl_long block;
  };
  static constexpr std::size_t most_items = 1 << 20;
  Share share(std::size_t n, std::size_t most) const;
  /// `items` work-items. Arguments are vectors, cl_mem, cl_long, cl_int, and scalars.
  template <class... Args>
  void launch(Precision p, const char* name, std::size_t items, const Args&... args) {
    cl_uint at = 0;
    const cl_kernel k = kernel(p, name);
    (argument(k, at, args), ...);
    enqueue(k, items);
  }
  /// The event of all that has been submitted.
  void end(const Submission&);

 private:
  template <class T>
  void argument(cl_kernel k, cl_uint& at, const T& value) {
    set(k, at++, sizeof value, &value);
  }
  void argument(cl_kernel k, cl_uint& at, const Vector& v) {
    argument(k, at, v.memory), argument(k, at, v.first), argument(k, at, v.step);
  }
  cl_kernel kernel(Precision, const char* name);
  void set(cl_kernel, cl_uint at, std::size_t size, const void* value);
  void enqueue(cl_kernel, std::size_t items);
  void barrier(std::span<const cl_event> waits);

  cl_command_queue queue_;
  Watched& watched_;
  std::span<const cl_event> waits_;
  bool launched_ = false;
  cl_context context_ = nullptr;
  bool in_order_, gpu_;
  std::shared_ptr<VectorPrograms> programs_;
  std::map<std::pair<std::string, Precision>, cl_kernel> kernels_;
  struct {
    cl_mem memory = nullptr;
    std::size_t bytes = 0;
  } scratch_[3];
};

}  // namespace trigon::clblas
