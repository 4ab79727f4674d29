#include "doors/clblas/check.hpp"

#include "doors/clblas/session.hpp"

namespace trigon::clblas {
namespace {

/// What is said about an operand.
struct About {
  const char *name, *stride;
  clblasStatus invalid, bad_stride, too_small;
};

const About& about(Role role) {
  static constexpr About list[] = {
      {"A", "lda", clblasInvalidMatA, clblasInvalidLeadDimA, clblasInsufficientMemMatA},
      {"B", "ldb", clblasInvalidMatB, clblasInvalidLeadDimB, clblasInsufficientMemMatB},
      {"C", "ldc", clblasInvalidMatC, clblasInvalidLeadDimC, clblasInsufficientMemMatC},
      {"x", "incx", clblasInvalidVecX, clblasInvalidIncX, clblasInsufficientMemVecX},
      {"y", "incy", clblasInvalidVecY, clblasInvalidIncY, clblasInsufficientMemVecY},
      {"a result", "", clblasInvalidVecX, clblasInvalidIncX, clblasInsufficientMemVecX},
      {"a result", "", clblasInvalidVecY, clblasInvalidIncY, clblasInsufficientMemVecY},
  };
  return list[static_cast<int>(role)];
}

Words text(unsigned __int128 n) {
  return n >> 64 ? Words("more than 2^64") : Words("%llu", static_cast<unsigned long long>(n));
}

/// A null handle is none, whatever the driver says.
template <class Object, class Get>
cl_context context_of(Get&& get, Object object, cl_uint what) {
  cl_context context = nullptr;
  if (!object || get(object, what, sizeof context, &context, nullptr) != CL_SUCCESS) return nullptr;
  return context;
}

}  // namespace

Check::Check(const char* routine, Precision precision) : routine_(routine), precision_(precision) {
  if (Session::get().forked_off())
    status_ = failed_after_fork(routine);
  else if (!Session::get().running())
    fail(clblasNotInitialized, "clblasSetup has not been called");
}

Check& Check::fail(clblasStatus status, const Words& words) {
  if (ok()) status_ = failed(status, routine_, words.c_str());
  return *this;
}

Check& Check::flags(clblasOrder v) {
  return v == clblasRowMajor || v == clblasColumnMajor ? *this : fail(clblasInvalidValue, "order is none");
}
Check& Check::flags(clblasTranspose v) {
  return v == clblasNoTrans || v == clblasTrans || v == clblasConjTrans ? *this
                                                                        : fail(clblasInvalidValue, "trans is none");
}
Check& Check::flags(clblasUplo v) {
  return v == clblasUpper || v == clblasLower ? *this : fail(clblasInvalidValue, "uplo is none");
}
Check& Check::flags(clblasDiag v) {
  return v == clblasUnit || v == clblasNonUnit ? *this : fail(clblasInvalidValue, "diag is none");
}
Check& Check::flags(clblasSide v) {
  return v == clblasLeft || v == clblasRight ? *this : fail(clblasInvalidValue, "side is none");
}

Check& Check::update(clblasTranspose v, bool hermitian) {
  flags(v);
  const bool complex = precision_ == Precision::ComplexSingle || precision_ == Precision::ComplexDouble;
  if (hermitian && v == clblasTrans) return fail(clblasInvalidValue, "trans of a Hermitian update is Trans");
  if (!hermitian && complex && v == clblasConjTrans)
    return fail(clblasInvalidValue, "trans of a complex symmetric update is ConjTrans");
  return *this;
}

Check& Check::buffer(Role role, cl_mem memory, size_t offset, unsigned __int128 elements, size_t element_bytes) {
  if (!ok()) return *this;
  const About& a = about(role);
  cl_mem_object_type type = 0;
  size_t bytes = 0;
  const cl_context context = context_of(clGetMemObjectInfo, memory, CL_MEM_CONTEXT);
  if (!context || clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, nullptr) != CL_SUCCESS ||
      type != CL_MEM_OBJECT_BUFFER ||
      clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr) != CL_SUCCESS)
    return fail(a.invalid, {"%s is no buffer", a.name});
  contexts_[operands_++] = {role, context};
  const unsigned __int128 end = offset + elements, holds = bytes / element_bytes;
  if (end <= holds) return *this;
  return fail(a.too_small, {"%s ends at element %s of a buffer of %s", a.name, text(end).c_str(), text(holds).c_str()});
}

Check& Check::matrix(Role role, const Matrix& m, clblasOrder order, size_t rows, size_t columns) {
  if (!ok()) return *this;
  const About& a = about(role);
  if (rows == 0 || columns == 0) return fail(clblasInvalidDim, {"%s has no rows or no columns", a.name});
  const bool by_columns = order == clblasColumnMajor;
  const size_t inner = by_columns ? rows : columns, outer = by_columns ? columns : rows;
  if (m.ld < inner) return fail(a.bad_stride, {"%s is %zu, must be at least %zu", a.stride, m.ld, inner});
  return buffer(role, m.memory, m.offset, static_cast<unsigned __int128>(outer - 1) * m.ld + inner,
                element_size(precision_));
}

Check& Check::matrix(Role role, const Matrix& m, clblasOrder order, clblasTranspose op, size_t rows, size_t columns) {
  return op == clblasNoTrans ? matrix(role, m, order, rows, columns) : matrix(role, m, order, columns, rows);
}

Check& Check::vector(Role role, const Strided& v) {
  if (!ok()) return *this;
  const About& a = about(role);
  if (v.n == 0) return fail(clblasInvalidDim, {"%s has no entries", a.name});
  if (v.increment == 0) return fail(a.bad_stride, {"%s is 0", a.stride});
  const long long step = v.increment;
  const auto reach = static_cast<unsigned __int128>(v.n - 1) * static_cast<size_t>(step < 0 ? -step : step) + 1;
  return buffer(role, v.memory, v.offset, reach, element_size(precision_));
}

Check& Check::result(Role role, cl_mem memory, size_t offset, size_t bytes, size_t count) {
  return buffer(role, memory, offset, count, bytes);
}

Check& Check::queues(const Queues& q) {
  if (!ok()) return *this;
  if (q.count == 0 || !q.list) return fail(clblasInvalidValue, "there are no command queues");
  cl_context context = nullptr;
  for (cl_uint i = 0; i < q.count; ++i) {
    const cl_context its = context_of(clGetCommandQueueInfo, q.list[i], CL_QUEUE_CONTEXT);
    if (!its) return fail(clblasInvalidCommandQueue, {"command queue %u is none", i});
    if (i == 0) context = its;
    if (its != context) return fail(clblasInvalidContext, {"command queue %u is of another context", i});
  }
  for (int i = 0; i < operands_; ++i)
    if (contexts_[i].second != context)
      return fail(clblasInvalidContext, {"%s is of another context", about(contexts_[i].first).name});
  if (q.waits > 0 && !q.wait_list) return fail(clblasInvalidEventWaitList, "the wait list is null");
  for (cl_uint i = 0; i < q.waits; ++i) {
    const cl_context its = context_of(clGetEventInfo, q.wait_list[i], CL_EVENT_CONTEXT);
    if (!its) return fail(clblasInvalidEventWaitList, {"event %u of the wait list is none", i});
    if (its != context) return fail(clblasInvalidContext, {"event %u is of another context", i});
    // What waits for it may do so for ever (PoCL 3.1).
    cl_int status = CL_COMPLETE;
    clGetEventInfo(q.wait_list[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status < 0) return fail(clblasInvalidEventWaitList, {"event %u of the wait list has failed", i});
  }
  cl_device_id device = nullptr;
  cl_device_fp_config doubles = 0;
  clGetCommandQueueInfo(q.list[0], CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  const bool wants = precision_ == Precision::Double || precision_ == Precision::ComplexDouble;
  if (wants && (clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, nullptr) != CL_SUCCESS ||
                doubles == 0))
    return fail(clblasInvalidDevice, "the device has no double precision");
  // The backend refuses it as it does other devices.
  cl_bool compiles = CL_TRUE;
  clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiles, &compiles, nullptr);
  if (!compiles) return fail(clblasCompilerNotAvailable, "the device's driver has no compiler");
  return *this;
}

}  // namespace trigon::clblas
