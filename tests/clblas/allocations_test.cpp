// A host without memory: this program's operator new fails when it is told to. No exception leaves a C function.
#include "clblas/world.hpp"
#include "support/forked.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <new>
#include <thread>
#include <utility>

namespace {

/// Of the allocations of this thread (the driver's own threads have what they want) the one after `left` fails, or all
/// after that. Negative: none does.
struct Starving {
  long left = -1;
  bool once = false, failed = false;
};
thread_local Starving starving;

bool fails() {
  if (starving.left != 0) {
    if (starving.left > 0) --starving.left;
    return false;
  }
  if (starving.once) starving.left = -1;
  return starving.failed = true;
}

}  // namespace

// Where one of a pair is inlined and the other is not, GCC takes them for strangers.
#define REPLACED [[gnu::noinline]]

REPLACED void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return fails() ? nullptr : std::malloc(bytes);
}
REPLACED void* operator new(std::size_t bytes) {
  if (void* const memory = fails() ? nullptr : std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
REPLACED void operator delete(void* memory) noexcept { std::free(memory); }
REPLACED void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace trigon::test {
namespace {

using Routine = std::function<clblasStatus()>;

clblasStatus starved(const Starving& as, const Routine& routine) {
  starving = as;
  const clblasStatus status = routine();
  starving.left = -1;
  return status;
}

clblasStatus without_any(const Routine& routine) { return starved({.left = 0}, routine); }

// First: a child of a process that has used a device cannot.
TEST(Opening, IsTriedAgainAfterItFailed) {
  int refused = 0;
  for (long n = 0; n < 12; ++n) {
    const int status = in_child([n] {
      starving = {.left = n, .once = true};
      int out_of_memory = 0;
      try {
        const Queue queue("opencl");
      } catch (const std::bad_alloc&) {
        out_of_memory = 1;
      } catch (const std::exception&) {  // the driver's own way to say it
      }
      starving.left = -1;
      std::thread other([] {
        try {
          const Queue queue("opencl");
        } catch (const std::exception&) {
        }
      });
      other.join();
      return out_of_memory;
    });
    ASSERT_LE(status, 1) << "after " << n << " allocations: another thread waits for ever";
    refused += status;
  }
  EXPECT_GT(refused, 0) << "none of them was the library's";
}

class Allocations : public testing::Test {
 protected:
  /// One allocation after the other fails, until the routine has all that it takes.
  static void expect_out_of_memory(const char* name, bool once, const Routine& routine) {
    int refused = 0;
    for (long n = 0;; ++n) {
      const clblasStatus status = starved({.left = n, .once = once}, routine);
      if (!starving.failed) break;
      // Success is that what failed could be done without.
      ASSERT_TRUE(status == clblasOutOfHostMemory || status == clblasSuccess)
          << name << " after " << n << ": " << status << ' ' << trigon_clblas_message();
      refused += status != clblasSuccess;
    }
    EXPECT_GT(refused, 0) << name << " takes no memory";
  }

  World world_;
  cl_command_queue queue_ = world_.queue();
  DeviceVector<double> a_{queue_, {2}, 1, 0}, x_{queue_, {1, 2, 3}, 1, 0}, y_{queue_, {4, 5, 6}, -1, 0};
};
#define QUEUE(q) 1, &(q), 0, nullptr, nullptr

TEST_F(Allocations, SetupTakesNone) {
  EXPECT_EQ(without_any([] { return clblasSetup(); }), clblasSuccess);
  clblasTeardown();
}

TEST_F(Allocations, RefusalsTakeNone) {
  const auto scal = [&](size_t n) { return clblasDscal(n, 2, x_.memory, 0, 1, QUEUE(queue_)); };
  EXPECT_EQ(without_any([&] { return scal(3); }), clblasNotInitialized);
  const Session session;
  EXPECT_EQ(without_any([&] { return scal(0); }), clblasInvalidDim);
  EXPECT_EQ(without_any([&] { return scal(1000); }), clblasInsufficientMemVecX);
  EXPECT_STREQ(trigon_clblas_message(), "clblasDscal: x ends at element 1000 of a buffer of 35");
  EXPECT_EQ(without_any([&] { return clblasDscal(3, 2, x_.memory, 0, 1, 0, nullptr, 0, nullptr, nullptr); }),
            clblasInvalidValue);
  EXPECT_EQ(without_any([&] {
              return clblasDtrsm(clblasRowMajor, clblasLeft, clblasLower, clblasNoTrans, clblasUnit, 1, 3, 1, a_.memory,
                                 0, 1, x_.memory, 0, 2, QUEUE(queue_));
            }),
            clblasInvalidLeadDimB);
  EXPECT_STREQ(trigon_clblas_message(), "clblasDtrsm: ldb is 2, must be at least 3");
  EXPECT_EQ(without_any([&] { return clblasRemoveScratchImage(0); }), clblasNotImplemented);
}

TEST_F(Allocations, OfCalls) {
  const Session session;
  const std::pair<const char*, std::function<clblasStatus(cl_command_queue)>> calls[] = {
      {"trmm",
       [&](cl_command_queue q) {
         return doubled(a_, x_, 3, {1, &q, 0, nullptr, nullptr});
       }},
      {"gemv with copies",
       [&](cl_command_queue q) {
         return clblasDgemv(clblasRowMajor, clblasNoTrans, 1, 1, 1, a_.memory, 0, 1, x_.memory, 0, 1, 1, y_.memory, 0,
                            -1, QUEUE(q));
       }},
      {"scal", [&](cl_command_queue q) { return clblasDscal(3, 2, x_.memory, 0, 1, QUEUE(q)); }},
      {"dot",
       [&](cl_command_queue q) {
         return clblasDdot(3, a_.memory, 0, x_.memory, 0, 1, y_.memory, 0, -1, nullptr, QUEUE(q));
       }},
  };
  // What is compiled is kept: compilers do not survive without memory.
  for (const auto& [name, call] : calls) ASSERT_EQ(call(queue_), clblasSuccess) << name;
  must(clFinish(queue_), "the queue");
  for (const auto& [name, call] : calls)
    for (const bool once : {false, true}) {
      expect_out_of_memory(name, once, [&] { return call(queue_); });
      expect_out_of_memory(name, once, [&, fresh = world_.queue()] { return call(fresh); });
    }
  must(clFinish(queue_), "the queue");
}

/// What was refused for want of memory may be tried again: nothing of it has been submitted.
TEST_F(Allocations, ComeBeforeTheWork) {
  const Session session;
  for (const cl_command_queue_properties order : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    cl_command_queue queue = world_.queue(order);
    DeviceVector<double> sum(queue, {0}, -1, 0);
    const std::pair<const char*, std::function<clblasStatus(cl_event*)>> calls[] = {
        {"trmm",
         [&](cl_event* done) {
           return doubled(a_, sum, 1, {1, &queue, 0, nullptr, done});
         }},
        {"trmv",
         [&](cl_event* done) {
           return clblasDtrmv(clblasRowMajor, clblasUpper, clblasNoTrans, clblasNonUnit, 1, a_.memory, 0, 1, sum.memory,
                              0, -1, nullptr, 1, &queue, 0, nullptr, done);
         }},
        {"axpy",
         [&](cl_event* done) {
           return clblasDaxpy(1, 1, sum.memory, 0, 1, sum.memory, 0, -1, 1, &queue, 0, nullptr, done);
         }},
        {"gemv with copies",
         [&](cl_event* done) {
           return clblasDgemv(clblasRowMajor, clblasNoTrans, 1, 1, 1, x_.memory, 0, 1, sum.memory, 0, -1, 1, sum.memory,
                              0, -1, 1, &queue, 0, nullptr, done);
         }},
    };
    double expected = 1;
    must(clEnqueueWriteBuffer(queue, sum.memory, CL_TRUE, 0, 8, &expected, 0, nullptr, nullptr), "write");
    for (const auto& [name, call] : calls) {
      ASSERT_EQ(call(nullptr), clblasSuccess) << name;  // what is compiled is kept
      expected *= 2;
      for (long n = 0;; ++n) {
        must(clFinish(queue), "the queue");
        cl_event done = nullptr;
        const clblasStatus status = starved({.left = n, .once = true}, [&] { return call(&done); });
        EXPECT_EQ(status == clblasSuccess, done != nullptr);
        if (done) clReleaseEvent(done);
        if (status == clblasSuccess) expected *= 2;
        ASSERT_EQ(sum.read()[0], expected) << name << " after " << n << " allocations";
        if (!std::exchange(starving.failed, false)) break;
      }
    }
  }
}

TEST_F(Allocations, FailuresKeepNoQueue) {
  const auto call = [&](cl_command_queue q) { return doubled(a_, x_, 3, {1, &q, 0, nullptr, nullptr}); };
  const Queue keeps_programs("opencl", queue_);  // which the sessions do not
  {
    const Session session;
    ASSERT_EQ(call(queue_), clblasSuccess);
    must(clFinish(queue_), "the queue");
  }
  for (long n = 0;; ++n) {
    const cl_command_queue fresh = world_.queue();
    {
      const Session session;
      const clblasStatus status = starved({.left = n, .once = true}, [&] { return call(fresh); });
      if (!starving.failed) break;
      starving.failed = false;
      if (status == clblasSuccess) continue;
    }
    cl_uint references = 0;
    must(clGetCommandQueueInfo(fresh, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, nullptr), "references");
    EXPECT_EQ(references, 1u) << "after " << n << " allocations";
  }
}

}  // namespace
}  // namespace trigon::test
