// The C++ door for operands in the memory of a device: the calls of blas.hpp with a queue last.
//
//     trigon::Queue queue("opencl", command_queue);         // or trigon::Queue("opencl:0"), a queue of its own
//     trigon::trsm<double>(layout, side, uplo, op, diag, m, n, 1.0, {a, 0}, lda, {b, offset}, ldb, queue);
//     queue.finish();
//
// T is named, because a cl_mem has no type. Calls are submitted and return: arguments are checked before, but what goes
// wrong on the device later is reported by Queue::finish. Calls on one queue run in order. Flags, sizes and leading
// dimensions are those of blas.hpp; nothing beyond them is read or written, whatever the offset.
//
// Operands, workspace and wait list are the caller's. Operands and workspace must live, and nothing else may use them,
// until the call's event has come or finish() has returned. The wait list is read by the call alone. A child forked off
// a process that has used a device has no queues: all of this is refused there.
#pragma once

#include <trigon/blas.hpp>

#include <memory>
#include <span>
#include <string>

namespace trigon {

/// The first element of a matrix or vector in device memory: a handle (an OpenCL cl_mem, a CUDA device address) and an
/// offset in elements. (A vector with a negative increment lies before the element that BLAS calls its first.)
template <class T>
struct Buffer {
  using Handle = std::conditional_t<std::is_const_v<T>, const void, void>;

  Buffer(Handle* handle, index offset = 0) : handle(handle), offset(offset) {}
  Handle* handle;
  index offset;
};

/// Where device-resident calls run, in order. Cheap to copy; copies are the same queue. Any thread may use it. When the
/// last copy ends with calls still in it, they are carried out, and what goes wrong with them is told to nobody.
class TRIGON_API Queue {
 public:
  /// Runs calls on the caller's `native` queue of a backend: "opencl" and a cl_command_queue, in order or not (commands
  /// of one that is not are put in order by barriers), "cuda" and a cudaStream_t, "hip" and a hipStream_t. It must live
  /// as long as this object and its copies. Throws backend_error.
  Queue(const std::string& backend, void* native);
  /// A new queue on a device of a backend: "opencl" or "cuda" for the first that can be used, or, if TRIGON_BACKEND is
  /// that backend, for what TRIGON_DEVICE names; "opencl:1" by number, or "opencl:Iris" by a part of the name.
  explicit Queue(const std::string& device);
  // Copied where others would be moved: no object is without a queue.
  Queue(const Queue&) = default;
  Queue& operator=(const Queue&) = default;

  /// The native queue.
  void* native() const;
  /// Waits for all calls. Throws what went wrong on the device since the last time, also that an event of a wait list
  /// failed: such a call is not carried out.
  void finish() const;

  struct State;
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// Memory of a queue's device, for programs that have no driver's interface of their own at hand. It is made and given
/// back in the order of that queue. Where calls of other queues use it, finish() that queue before the first of them,
/// and theirs before it goes. (Of OpenCL such queues are native ones of the same context: each that Trigon has made is
/// in a context of its own.)
class TRIGON_API DeviceMemory {
 public:
  /// Throws out_of_memory or backend_error.
  DeviceMemory(const Queue&, std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// The native handle: a cl_mem, a device address.
  void* handle() const { return memory_; }
  /// Copies that come after all calls submitted before, and are done on return. `at` counts bytes.
  void write(const void* from, std::size_t bytes, std::size_t at = 0);
  void read(void* to, std::size_t bytes, std::size_t at = 0) const;

 private:
  Queue queue_;
  void* memory_;
};

/// How a call is submitted. A queue is enough; a wait list of native events and a place for the call's own may follow.
/// It refers to the queue and to the wait list, which must outlive it.
struct Submission {
  Submission(const Queue& queue) : queue(queue) {}
  Submission(const Queue& queue, std::span<void* const> wait_list, void** event = nullptr)
      : queue(queue), wait_list(wait_list), event(event) {}

  const Queue& queue;
  std::span<void* const> wait_list = {};  ///< native events (cl_event, cudaEvent_t, hipEvent_t) that the call waits for
  void** event = nullptr;                 ///< where its own native event goes, which the caller then owns
  void* workspace = nullptr;              ///< device memory to work in; null: the queue's own, kept between calls
  std::size_t workspace_bytes = 0;
  Solve solve = Solve::Default;  ///< how TRSM and TRSV treat diagonal blocks
};

/// Offsets of A, B (or x) and C in elements; the pointers of a Call are the handles.
struct Offsets {
  index a = 0, b = 0, c = 0;
};

/// Checks the call and submits it. Throws argument_error, or backend_error where the backend sees that an operand, the
/// workspace or the queue cannot be used; nothing has been written then. What it sees is its own: OpenCL, whether an
/// operand fits into its buffer; CUDA and HIP, whether an address is one of the queue's device, but not how much memory
/// lies behind it. Where the device itself refuses what is submitted, backend_error as well, the result is undefined.
TRIGON_API void execute(const Call&, const Offsets&, const Submission&);

/// Bytes of workspace with which the call is taken on that queue, whatever its offsets, and so is every one that
/// differs from it only in smaller sizes and leading dimensions. A Submission with less than its call uses is refused.
TRIGON_API std::size_t workspace_bytes(const Call&, const Queue&, Solve = Solve::Default);

namespace detail {
template <class T>
using in = Buffer<const std::type_identity_t<T>>;
template <class T>
using out = Buffer<std::type_identity_t<T>>;
}  // namespace detail

template <class T>
void gemm(Layout layout, Op transa, Op transb, index m, index n, index k, detail::scalar<T> alpha, detail::in<T> A,
          index lda, detail::in<T> B, index ldb, detail::scalar<T> beta, detail::out<T> C, index ldc,
          const Submission& on) {
  execute(detail::gemm<T>(layout, transa, transb, m, n, k, alpha, A.handle, lda, B.handle, ldb, beta, C.handle, ldc),
          {A.offset, B.offset, C.offset}, on);
}

template <class T>
void symm(Layout layout, Side side, Uplo uplo, index m, index n, detail::scalar<T> alpha, detail::in<T> A, index lda,
          detail::in<T> B, index ldb, detail::scalar<T> beta, detail::out<T> C, index ldc, const Submission& on) {
  execute(detail::product<T>(Operation::Symm, layout, side, uplo, m, n, alpha, A.handle, lda, B.handle, ldb, beta,
                             C.handle, ldc),
          {A.offset, B.offset, C.offset}, on);
}

template <class T>
void hemm(Layout layout, Side side, Uplo uplo, index m, index n, detail::scalar<T> alpha, detail::in<T> A, index lda,
          detail::in<T> B, index ldb, detail::scalar<T> beta, detail::out<T> C, index ldc, const Submission& on) {
  execute(detail::product<T>(Operation::Hemm, layout, side, uplo, m, n, alpha, A.handle, lda, B.handle, ldb, beta,
                             C.handle, ldc),
          {A.offset, B.offset, C.offset}, on);
}

template <class T>
void syrk(Layout layout, Uplo uplo, Op trans, index n, index k, detail::scalar<T> alpha, detail::in<T> A, index lda,
          detail::scalar<T> beta, detail::out<T> C, index ldc, const Submission& on) {
  execute(detail::update<T>(Operation::Syrk, layout, uplo, trans, n, k, detail::widen(alpha), A.handle, lda, nullptr, 0,
                            detail::widen(beta), C.handle, ldc),
          {A.offset, 0, C.offset}, on);
}

template <class T>
void herk(Layout layout, Uplo uplo, Op trans, index n, index k, detail::scalar<real_t<T>> alpha, detail::in<T> A,
          index lda, detail::scalar<real_t<T>> beta, detail::out<T> C, index ldc, const Submission& on) {
  execute(detail::update<T>(Operation::Herk, layout, uplo, trans, n, k, alpha, A.handle, lda, nullptr, 0, beta,
                            C.handle, ldc),
          {A.offset, 0, C.offset}, on);
}

template <class T>
void syr2k(Layout layout, Uplo uplo, Op trans, index n, index k, detail::scalar<T> alpha, detail::in<T> A, index lda,
           detail::in<T> B, index ldb, detail::scalar<T> beta, detail::out<T> C, index ldc, const Submission& on) {
  execute(detail::update<T>(Operation::Syr2k, layout, uplo, trans, n, k, detail::widen(alpha), A.handle, lda, B.handle,
                            ldb, detail::widen(beta), C.handle, ldc),
          {A.offset, B.offset, C.offset}, on);
}

template <class T>
void her2k(Layout layout, Uplo uplo, Op trans, index n, index k, detail::scalar<T> alpha, detail::in<T> A, index lda,
           detail::in<T> B, index ldb, detail::scalar<real_t<T>> beta, detail::out<T> C, index ldc,
           const Submission& on) {
  execute(detail::update<T>(Operation::Her2k, layout, uplo, trans, n, k, detail::widen(alpha), A.handle, lda, B.handle,
                            ldb, beta, C.handle, ldc),
          {A.offset, B.offset, C.offset}, on);
}

template <class T>
void trmm(Layout layout, Side side, Uplo uplo, Op trans, Diag diag, index m, index n, detail::scalar<T> alpha,
          detail::in<T> A, index lda, detail::out<T> B, index ldb, const Submission& on) {
  execute(detail::triangular<T>(Operation::Trmm, layout, side, uplo, trans, diag, m, n, alpha, A.handle, lda, B.handle,
                                ldb),
          {A.offset, B.offset}, on);
}

template <class T>
void trsm(Layout layout, Side side, Uplo uplo, Op trans, Diag diag, index m, index n, detail::scalar<T> alpha,
          detail::in<T> A, index lda, detail::out<T> B, index ldb, const Submission& on) {
  execute(detail::triangular<T>(Operation::Trsm, layout, side, uplo, trans, diag, m, n, alpha, A.handle, lda, B.handle,
                                ldb),
          {A.offset, B.offset}, on);
}

template <class T>
void trmv(Layout layout, Uplo uplo, Op trans, Diag diag, index n, detail::in<T> A, index lda, detail::out<T> x,
          index incx, const Submission& on) {
  execute(detail::triangular<T>(Operation::Trmv, layout, uplo, trans, diag, n, A.handle, lda, x.handle, incx),
          {A.offset, x.offset}, on);
}

template <class T>
void trsv(Layout layout, Uplo uplo, Op trans, Diag diag, index n, detail::in<T> A, index lda, detail::out<T> x,
          index incx, const Submission& on) {
  execute(detail::triangular<T>(Operation::Trsv, layout, uplo, trans, diag, n, A.handle, lda, x.handle, incx),
          {A.offset, x.offset}, on);
}

}  // namespace trigon
