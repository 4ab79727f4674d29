// What is wrong with a call: its status, words, and nothing written.
#include "clblas/memory.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace trigon::test {
namespace {

struct Context {
  explicit Context(cl_command_queue queue) {
    must(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr), "context");
  }
  cl_context context = nullptr;
};

class Refuses : public testing::Test {
 protected:
  const Session session_;
  const Queue queue_{"opencl"}, other_{"opencl"};
  cl_command_queue native_ = static_cast<cl_command_queue>(queue_.native());
  cl_command_queue foreign_ = static_cast<cl_command_queue>(other_.native());
  // 10 by 10, exactly.
  DeviceVector<double> a_{native_, std::vector<double>(68, 1.0), 1, 0}, b_{native_, std::vector<double>(68, 1.0), 1, 0},
      c_{native_, std::vector<double>(68, 1.0), 1, 0};
  DeviceVector<double> elsewhere_{foreign_, std::vector<double>(68, 1.0), 1, 0};

  void expect(clblasStatus wanted, clblasStatus status, const char* words = "") {
    EXPECT_EQ(status, wanted) << trigon_clblas_message();
    EXPECT_NE(std::string(trigon_clblas_message()).find(words), std::string::npos) << trigon_clblas_message();
  }
  void TearDown() override {
    queue_.finish();
    EXPECT_TRUE(a_.untouched() && b_.untouched() && c_.untouched() && elsewhere_.untouched()) << "written";
  }

  struct Trsm {
    clblasOrder order = clblasColumnMajor;
    clblasSide side = clblasLeft;
    clblasUplo uplo = clblasLower;
    clblasTranspose trans = clblasNoTrans;
    clblasDiag diag = clblasNonUnit;
    size_t m = 10, n = 10;
    cl_mem a = nullptr;
    size_t oa = 0, lda = 10;
    cl_mem b = nullptr;
    size_t ob = 0, ldb = 10;
    cl_uint count = 1;
    cl_command_queue* queues = nullptr;
    cl_uint waits = 0;
    const cl_event* list = nullptr;
  };
  template <class Change>
  clblasStatus trsm(Change&& change) {
    Trsm t;
    t.a = a_.memory, t.b = b_.memory, t.queues = &native_;
    change(t);
    cl_event event = nullptr;
    const clblasStatus status = clblasDtrsm(t.order, t.side, t.uplo, t.trans, t.diag, t.m, t.n, 2, t.a, t.oa, t.lda,
                                            t.b, t.ob, t.ldb, t.count, t.queues, t.waits, t.list, &event);
    EXPECT_EQ(event, nullptr) << "an event of a call that was refused";
    return status;
  }
};

TEST_F(Refuses, FlagsThatAreNone) {
  const auto none = [](auto& flag) { flag = static_cast<std::remove_reference_t<decltype(flag)>>(3); };
  expect(clblasInvalidValue, trsm([&](Trsm& t) { none(t.order); }), "clblasDtrsm: order");
  expect(clblasInvalidValue, trsm([&](Trsm& t) { none(t.side); }), "side");
  expect(clblasInvalidValue, trsm([&](Trsm& t) { none(t.uplo); }), "uplo");
  expect(clblasInvalidValue, trsm([&](Trsm& t) { none(t.trans); }), "trans");
  expect(clblasInvalidValue, trsm([&](Trsm& t) { none(t.diag); }), "diag");
}

TEST_F(Refuses, SizesAndLeadingDimensions) {
  expect(clblasInvalidDim, trsm([](Trsm& t) { t.m = 0; }));
  expect(clblasInvalidDim, trsm([](Trsm& t) { t.n = 0; }));
  expect(clblasInvalidLeadDimA, trsm([](Trsm& t) { t.lda = 9; }), "lda is 9, must be at least 10");
  expect(clblasInvalidLeadDimB, trsm([](Trsm& t) { t.ldb = 9; }), "ldb is 9");
  expect(clblasInvalidLeadDimA, trsm([](Trsm& t) { t.lda = 0; }));
  // By rows, the leading dimension is of the columns.
  expect(clblasInvalidLeadDimB, trsm([](Trsm& t) { t.order = clblasRowMajor, t.m = 2, t.ldb = 9; }));
  constexpr size_t huge = ~size_t{0};
  expect(clblasInvalidLeadDimA, trsm([](Trsm& t) { t.m = huge; }));
  expect(clblasInsufficientMemMatA, trsm([](Trsm& t) { t.m = t.lda = t.ldb = huge; }));
  expect(clblasInsufficientMemMatA, trsm([](Trsm& t) { t.lda = huge; }), "of a buffer of 100");
  expect(clblasInsufficientMemMatB, trsm([](Trsm& t) { t.ldb = huge; }), "more than 2^64");
}

TEST_F(Refuses, BuffersThatAreNoneOrTooSmall) {
  expect(clblasInvalidMatA, trsm([](Trsm& t) { t.a = nullptr; }), "A is no buffer");
  expect(clblasInvalidMatB, trsm([](Trsm& t) { t.b = nullptr; }), "B is no buffer");
  expect(clblasInsufficientMemMatA, trsm([](Trsm& t) { t.oa = 1; }), "A ends at element 101 of a buffer of 100");
  expect(clblasInsufficientMemMatB, trsm([](Trsm& t) { t.ob = 1; }), "B ends at element 101");
  expect(clblasInsufficientMemMatA, trsm([](Trsm& t) { t.oa = ~size_t{0}; }));
  expect(clblasInsufficientMemMatB, trsm([](Trsm& t) { t.ldb = 11; }));
  expect(clblasInvalidContext, trsm([&](Trsm& t) { t.a = elsewhere_.memory; }), "A is of another context");
  expect(clblasInvalidContext, trsm([&](Trsm& t) { t.b = elsewhere_.memory; }));
}

TEST_F(Refuses, AnImage) {
  const Context of(native_);
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D, shape.image_width = 64, shape.image_height = 64;
  cl_int error = CL_SUCCESS;
  const cl_mem image = clCreateImage(of.context, CL_MEM_READ_WRITE, &format, &shape, nullptr, &error);
  if (error != CL_SUCCESS) GTEST_SKIP() << "the device has no images";
  expect(clblasInvalidMatB, trsm([&](Trsm& t) { t.b = image; }), "B is no buffer");
  clReleaseMemObject(image);
}

TEST_F(Refuses, QueuesAndEvents) {
  expect(clblasInvalidValue, trsm([](Trsm& t) { t.count = 0; }), "no command queues");
  expect(clblasInvalidValue, trsm([](Trsm& t) { t.queues = nullptr; }));
  cl_command_queue list[] = {native_, nullptr};
  expect(clblasInvalidCommandQueue, trsm([&](Trsm& t) { t.queues = list + 1; }), "command queue 0");
  expect(clblasInvalidCommandQueue, trsm([&](Trsm& t) { t.queues = list, t.count = 2; }), "command queue 1");
  list[1] = foreign_;
  expect(clblasInvalidContext, trsm([&](Trsm& t) { t.queues = list, t.count = 2; }), "another context");
  expect(clblasInvalidEventWaitList, trsm([](Trsm& t) { t.waits = 1; }), "the wait list is null");
  cl_event none = nullptr;
  expect(clblasInvalidEventWaitList, trsm([&](Trsm& t) { t.waits = 1, t.list = &none; }), "event 0");
  cl_int error = CL_SUCCESS;
  const cl_event alien = clCreateUserEvent(Context(foreign_).context, &error);
  must(error, "event");
  expect(clblasInvalidContext, trsm([&](Trsm& t) { t.waits = 1, t.list = &alien; }), "event 0");
  clReleaseEvent(alien);
}

#define QUEUE 1, &native_, 0, nullptr, nullptr

TEST_F(Refuses, TheOtherOperandsOfLevel3) {
  const cl_mem a = a_.memory, b = b_.memory, c = c_.memory;
  const auto gemm = [&](size_t k, cl_mem third, size_t oc, size_t ldc) {
    return clblasDgemm(clblasRowMajor, clblasNoTrans, clblasTrans, 10, 10, k, 1, a, 0, 10, b, 0, 10, 0, third, oc, ldc,
                       QUEUE);
  };
  for (const size_t k : {10, 0}) {
    expect(clblasInvalidMatC, gemm(k, nullptr, 0, 10));
    expect(clblasInvalidLeadDimC, gemm(k, c, 0, 9));
    expect(clblasInsufficientMemMatC, gemm(k, c, 1, 10));
  }
  const FloatComplex one = floatComplex(1, 0);
  expect(clblasInvalidValue,
         clblasCsyrk(clblasRowMajor, clblasUpper, clblasConjTrans, 5, 5, one, a, 0, 5, one, c, 0, 5, QUEUE),
         "ConjTrans");
  expect(clblasInvalidValue, clblasCherk(clblasRowMajor, clblasUpper, clblasTrans, 5, 5, 1, a, 0, 5, 1, c, 0, 5, QUEUE),
         "Hermitian");
  expect(clblasInvalidValue,
         clblasCher2k(clblasRowMajor, clblasUpper, clblasTrans, 5, 5, one, a, 0, 5, b, 0, 5, 1, c, 0, 5, QUEUE));
  expect(clblasInvalidMatB,
         clblasDsyr2k(clblasRowMajor, clblasUpper, clblasTrans, 5, 5, 1, a, 0, 5, nullptr, 0, 5, 1, c, 0, 5, QUEUE));
  expect(clblasInvalidLeadDimB,
         clblasDsymm(clblasColumnMajor, clblasRight, clblasUpper, 10, 5, 1, a, 0, 5, b, 0, 9, 1, c, 0, 10, QUEUE));
}

TEST_F(Refuses, UpdatesWithoutAnInnerDimension) {
  const cl_mem a = a_.memory, b = b_.memory, c = c_.memory;
  const DoubleComplex one = doubleComplex(1, 0);
  expect(clblasInvalidDim,
         clblasDsyrk(clblasRowMajor, clblasUpper, clblasNoTrans, 5, 0, 1, a, 0, 5, 1, c, 0, 5, QUEUE));
  expect(clblasInvalidDim,
         clblasZherk(clblasRowMajor, clblasUpper, clblasNoTrans, 5, 0, 1, a, 0, 5, 1, c, 0, 5, QUEUE));
  expect(clblasInvalidDim,
         clblasDsyr2k(clblasRowMajor, clblasUpper, clblasNoTrans, 5, 0, 1, a, 0, 5, b, 0, 5, 1, c, 0, 5, QUEUE));
  expect(clblasInvalidDim,
         clblasZher2k(clblasRowMajor, clblasUpper, clblasNoTrans, 5, 0, one, a, 0, 5, b, 0, 5, 1, c, 0, 5, QUEUE));
}

TEST_F(Refuses, Vectors) {
  const cl_mem a = a_.memory, b = b_.memory, c = c_.memory;
  const auto trsv = [&](size_t n, cl_mem x, size_t at, int inc) {
    return clblasDtrsv(clblasRowMajor, clblasUpper, clblasNoTrans, clblasUnit, n, a, 0, 10, x, at, inc, QUEUE);
  };
  expect(clblasInvalidDim, trsv(0, b, 0, 1));
  expect(clblasInvalidIncX, trsv(10, b, 0, 0), "incx is 0");
  expect(clblasInvalidVecX, trsv(10, nullptr, 0, 1), "x is no buffer");
  expect(clblasInsufficientMemVecX, trsv(10, b, 91, 1), "x ends at element 101");
  expect(clblasInsufficientMemVecX, trsv(10, b, 0, 12));
  expect(clblasInsufficientMemVecX, trsv(10, b, 0, -12));
  expect(clblasInsufficientMemVecX, trsv(2, b, 0, -2147483647 - 1));
  const auto gemv = [&](cl_mem y, size_t at, int inc) {
    return clblasDgemv(clblasRowMajor, clblasNoTrans, 10, 10, 1, a, 0, 10, b, 0, 1, 1, y, at, inc, QUEUE);
  };
  expect(clblasInvalidIncY, gemv(c, 0, 0));
  expect(clblasInvalidVecY, gemv(nullptr, 0, 1));
  expect(clblasInsufficientMemVecY, gemv(c, 91, 1));
  expect(clblasInvalidIncX, clblasDscal(10, 2, b, 0, 0, QUEUE));
  expect(clblasInvalidDim, clblasDscal(0, 2, b, 0, 1, QUEUE));
  expect(clblasInvalidContext, clblasDaxpy(10, 2, elsewhere_.memory, 0, 1, b, 0, 1, QUEUE));
  expect(clblasInvalidValue, clblasDaxpy(10, 2, a, 0, 1, b, 0, 1, 0, nullptr, 0, nullptr, nullptr));
}

TEST_F(Refuses, ResultsOfLevel1) {
  const cl_mem a = a_.memory, b = b_.memory, c = c_.memory;
  expect(clblasInvalidVecY, clblasDdot(10, nullptr, 0, a, 0, 1, b, 0, 1, nullptr, QUEUE), "result");
  expect(clblasInsufficientMemVecY, clblasDdot(10, c, 100, a, 0, 1, b, 0, 1, nullptr, QUEUE));
  expect(clblasInvalidVecY, clblasDnrm2(10, nullptr, 0, a, 0, 1, nullptr, QUEUE));
  expect(clblasInsufficientMemVecY, clblasDnrm2(10, c, 100, a, 0, 1, nullptr, QUEUE));
  expect(clblasInsufficientMemVecY, clblasDrotm(2, a, 0, 1, b, 0, 1, c, 96, QUEUE));
  for (const int inc : {1, -1}) {
    expect(clblasInvalidVecX, clblasDasum(10, nullptr, 0, a, 0, inc, nullptr, QUEUE), "result");
    expect(clblasInsufficientMemVecX, clblasDasum(10, c, 100, a, 0, inc, nullptr, QUEUE));
    expect(clblasInvalidVecX, clblasiDamax(10, nullptr, 0, a, 0, inc, nullptr, QUEUE), "result");
    expect(clblasInsufficientMemVecX, clblasiDamax(10, c, 200, a, 0, inc, nullptr, QUEUE));
  }
}

/// One of them after the other lies beyond its buffer.
TEST_F(Refuses, WhatGeneratesARotation) {
  const cl_mem a = a_.memory, b = b_.memory, c = c_.memory;
  constexpr clblasStatus x = clblasInsufficientMemVecX, y = clblasInsufficientMemVecY;
  for (const auto& [at, wanted] : {std::pair{0, x}, {1, y}, {2, x}, {3, y}}) {
    size_t offsets[] = {0, 1, 2, 3};
    offsets[at] = 100;
    expect(wanted, clblasDrotg(a, offsets[0], b, offsets[1], c, offsets[2], a, offsets[3], QUEUE), "result");
  }
  for (const auto& [at, wanted] : {std::pair{0, x}, {1, y}, {2, x}, {3, y}, {4, y}}) {
    size_t offsets[] = {0, 1, 2, 3, 4};
    offsets[at] = at == 4 ? 96 : 100;
    expect(wanted, clblasDrotmg(a, offsets[0], b, offsets[1], c, offsets[2], a, offsets[3], b, offsets[4], QUEUE),
           "result");
  }
}

TEST_F(Refuses, WhatIsNotImplemented) {
  expect(clblasNotImplemented,
         clblasDtpmv(clblasRowMajor, clblasUpper, clblasNoTrans, clblasUnit, 3, a_.memory, 0, b_.memory, 0, 1, nullptr,
                     QUEUE),
         "clblasDtpmv: not implemented");
  expect(clblasNotImplemented, clAmdBlasDtbsv(clblasRowMajor, clblasUpper, clblasNoTrans, clblasUnit, 3, 1, a_.memory,
                                              0, 2, b_.memory, 0, 1, QUEUE));
  cl_int error = CL_SUCCESS;
  size_t ld = 0, size = 0;
  EXPECT_EQ(clblasCreateMatrix(Context(native_).context, clblasRowMajor, 3, 3, 8, 0, &ld, &size, &error), nullptr);
  EXPECT_EQ(error, clblasNotImplemented);
}

TEST_F(Refuses, WithMessagesOfTheThread) {
  expect(clblasInvalidDim, trsm([](Trsm& t) { t.m = 0; }));
  const std::string ours = trigon_clblas_message();
  EXPECT_NE(ours, "");
  std::thread([&] {
    EXPECT_STREQ(trigon_clblas_message(), "");
    expect(clblasInvalidLeadDimA, trsm([](Trsm& t) { t.lda = 9; }), "lda is 9");
  }).join();
  EXPECT_EQ(trigon_clblas_message(), ours);
}

TEST_F(Refuses, WithoutSetup) {
  clblasTeardown();
  expect(clblasNotInitialized, trsm([](Trsm&) {}), "clblasSetup");
  expect(clblasNotInitialized, trsm([](Trsm& t) { t.a = nullptr; }));
  expect(clblasNotInitialized, clblasDscal(10, 2, b_.memory, 0, 1, QUEUE));
  clblasSetup();
  expect(clblasInvalidMatA, trsm([](Trsm& t) { t.a = nullptr; }));
}

}  // namespace
}  // namespace trigon::test
