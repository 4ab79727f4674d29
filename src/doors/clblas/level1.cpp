// Level 1 of the clBLAS interface, by kernels of its own (vectors.cl).
#include "doors/clblas/submit.hpp"

#include <clAmdBlas.h>

#include <initializer_list>

namespace trigon::clblas {
namespace {

constexpr size_t most_partial = 1024;  // partial results of a sum

/// `run` between what begins and what ends a sequence of commands, with these kernels.
template <class Run>
clblasStatus sequence(Check& check, const Queues& queues, Precision p, std::initializer_list<const char*> names,
                      Run&& run) {
  return submit(check, queues, [&](Lane& lane, const Submission& on) {
    Kernels& kernels = lane.kernels();
    for (const char* name : names) kernels.prepare(p, name);
    run(kernels, on);
    kernels.end(on);
  });
}

/// Entry by entry; `middle` are the arguments between the sizes and the vectors, `last` those after them.
template <class... Args>
clblasStatus each(Check& check, const Queues& queues, Precision p, const char* name, size_t N, const Args&... args) {
  return sequence(check, queues, p, {name}, [&](Kernels& kernels, const Submission& on) {
    const auto share = kernels.share(N, Kernels::most_items);
    kernels.begin(on);
    kernels.launch(p, name, share.of, size(N), share.block, args...);
  });
}

/// No work, but the event of what came before.
clblasStatus nothing(Check& check, const Queues& queues, Precision p) {
  return sequence(check, queues, p, {}, [](Kernels& kernels, const Submission& on) { kernels.begin(on); });
}

/// COPY, SWAP, and what has arguments before the vectors.
template <class... Args>
clblasStatus pair(const char* name, Precision p, const char* kernel, const Strided& x, const Strided& y,
                  const Queues& queues, const Args&... args) {
  Check check(name, p);
  check.vector(Role::X, x).vector(Role::Y, y);
  return each(check, queues, p, kernel, x.n, args..., Vector(x), Vector(y));
}

template <class S>
clblasStatus scal(const char* name, Precision p, const char* kernel, S alpha, const Strided& x, const Queues& queues) {
  Check check(name, p);
  check.vector(Role::X, x);
  // BLAS leaves vectors with negative increments alone.
  if (x.increment < 0) return nothing(check, queues, p);
  return each(check, queues, p, kernel, x.n, alpha, Vector(x));
}

template <class S>
clblasStatus axpy(const char* name, Precision p, S alpha, const Strided& x, const Strided& y, const Queues& queues) {
  if (wide(alpha) != 0.0) return pair(name, p, "axpy", x, y, queues, alpha);
  Check check(name, p);
  check.vector(Role::X, x).vector(Role::Y, y);
  return nothing(check, queues, p);
}

clblasStatus rotm(const char* name, Precision p, const Strided& x, const Strided& y, cl_mem param, size_t at,
                  const Queues& queues) {
  Check check(name, p);
  check.vector(Role::X, x).vector(Role::Y, y).result(Role::ResultY, param, at, element_size(p), 5);
  return each(check, queues, p, "rotm", x.n, Vector(x), Vector(y), param, size(at));
}

clblasStatus dot(const char* name, Precision p, bool conjugated, cl_mem result, size_t at, const Strided& x,
                 const Strided& y, const Queues& queues) {
  Check check(name, p);
  check.vector(Role::X, x).vector(Role::Y, y).result(Role::ResultY, result, at, element_size(p));
  return sequence(check, queues, p, {"dot_begin", "dot_end"}, [&](Kernels& kernels, const Submission& on) {
    const auto share = kernels.share(x.n, most_partial);
    const cl_mem partial = kernels.scratch(0, share.of * element_size(p));
    kernels.begin(on);
    kernels.launch(p, "dot_begin", share.of, size(x.n), share.block, cl_int{conjugated}, Vector(x), Vector(y), partial);
    kernels.launch(p, "dot_end", 1, size(share.of), partial, result, size(at));
  });
}

/// What clBLAS defines for increments that are not positive: 0.
clblasStatus clear(Check& check, const Queues& queues, Precision p, const char* kernel, cl_mem result, size_t at) {
  return sequence(check, queues, p, {kernel}, [&](Kernels& kernels, const Submission& on) {
    kernels.begin(on);
    kernels.launch(p, kernel, 1, result, size(at));
  });
}

/// NRM2 or ASUM: two kernels, the partial results of a work-item, and what the result counts as.
struct Reduction {
  const char *first, *last;
  size_t reals;
  Role result;
};

clblasStatus reduce(const char* name, Precision p, const Reduction& r, cl_mem result, size_t at, const Strided& x,
                    const Queues& queues) {
  const size_t real = real_size(p);
  Check check(name, p);
  check.vector(Role::X, x).result(r.result, result, at, real);
  if (x.increment < 0) return clear(check, queues, p, "clear_real", result, at);
  return sequence(check, queues, p, {r.first, r.last}, [&](Kernels& kernels, const Submission& on) {
    const auto share = kernels.share(x.n, most_partial);
    const cl_mem partial = kernels.scratch(0, share.of * r.reals * real);
    kernels.begin(on);
    kernels.launch(p, r.first, share.of, size(x.n), share.block, Vector(x), partial);
    kernels.launch(p, r.last, 1, size(share.of), partial, result, size(at));
  });
}

clblasStatus nrm2(const char* name, Precision p, cl_mem result, size_t at, const Strided& x, const Queues& queues) {
  return reduce(name, p, {"nrm2", "nrm2_end", 3, Role::ResultY}, result, at, x, queues);
}

clblasStatus asum(const char* name, Precision p, cl_mem result, size_t at, const Strided& x, const Queues& queues) {
  return reduce(name, p, {"asum", "asum_end", 1, Role::ResultX}, result, at, x, queues);
}

clblasStatus iamax(const char* name, Precision p, cl_mem result, size_t at, const Strided& x, const Queues& queues) {
  Check check(name, p);
  check.vector(Role::X, x).result(Role::ResultX, result, at, sizeof(cl_uint));
  if (x.increment < 0) return clear(check, queues, p, "clear_place", result, at);
  return sequence(check, queues, p, {"iamax", "iamax_end"}, [&](Kernels& kernels, const Submission& on) {
    const auto share = kernels.share(x.n, most_partial);
    const cl_mem partial = kernels.scratch(0, share.of * real_size(p));
    const cl_mem places = kernels.scratch(1, share.of * sizeof(cl_ulong));
    kernels.begin(on);
    kernels.launch(p, "iamax", share.of, size(x.n), share.block, Vector(x), partial, places);
    kernels.launch(p, "iamax_end", 1, size(share.of), partial, places, result, size(at));
  });
}

clblasStatus rotg(const char* name, Precision p, cl_mem A, size_t offA, cl_mem B, size_t offB, cl_mem C, size_t offC,
                  cl_mem S, size_t offS, const Queues& queues) {
  Check check(name, p);
  const size_t element = element_size(p);
  check.result(Role::ResultX, A, offA, element).result(Role::ResultY, B, offB, element);
  check.result(Role::ResultX, C, offC, real_size(p)).result(Role::ResultY, S, offS, element);
  return sequence(check, queues, p, {"rotg"}, [&](Kernels& kernels, const Submission& on) {
    kernels.begin(on);
    kernels.launch(p, "rotg", 1, A, size(offA), B, size(offB), C, size(offC), S, size(offS));
  });
}

clblasStatus rotmg(const char* name, Precision p, cl_mem D1, size_t off1, cl_mem D2, size_t off2, cl_mem X1,
                   size_t offX, cl_mem Y1, size_t offY, cl_mem param, size_t at, const Queues& queues) {
  Check check(name, p);
  const size_t element = element_size(p);
  check.result(Role::ResultX, D1, off1, element).result(Role::ResultY, D2, off2, element);
  check.result(Role::ResultX, X1, offX, element).result(Role::ResultY, Y1, offY, element);
  check.result(Role::ResultY, param, at, element, 5);
  return sequence(check, queues, p, {"rotmg"}, [&](Kernels& kernels, const Submission& on) {
    kernels.begin(on);
    kernels.launch(p, "rotmg", 1, D1, size(off1), D2, size(off2), X1, size(offX), Y1, size(offY), param, size(at));
  });
}

}  // namespace
}  // namespace trigon::clblas

using namespace trigon::clblas;
using trigon::Precision;

#define X_GIVEN \
  Strided { X, offx, incx, N }
#define Y_GIVEN \
  Strided { Y, offy, incy, N }
// scratchBuff is never needed.
#define SCRATCH static_cast<void>(scratchBuff)

// Each under the older name, too.
extern "C" {

#define SWAP(P, p)                                                                      \
  TRIGON_CLBLAS_SWAP(clblas##P##swap) {                                                 \
    return pair(__func__, Precision::p, "swap", X_GIVEN, Y_GIVEN, TRIGON_CLBLAS_GIVEN); \
  }                                                                                     \
  TRIGON_CLBLAS_SWAP(clAmdBlas##P##swap) __attribute__((alias("clblas" #P "swap")));    \
  TRIGON_CLBLAS_COPY(clblas##P##copy) {                                                 \
    return pair(__func__, Precision::p, "copy", X_GIVEN, Y_GIVEN, TRIGON_CLBLAS_GIVEN); \
  }                                                                                     \
  TRIGON_CLBLAS_COPY(clAmdBlas##P##copy) __attribute__((alias("clblas" #P "copy")));
SWAP(S, Single)
SWAP(D, Double)
SWAP(C, ComplexSingle)
SWAP(Z, ComplexDouble)

#define SCAL(P, kernel, S, p)                                                         \
  TRIGON_CLBLAS_SCAL(clblas##P##scal, S) {                                            \
    return scal(__func__, Precision::p, kernel, alpha, X_GIVEN, TRIGON_CLBLAS_GIVEN); \
  }                                                                                   \
  TRIGON_CLBLAS_SCAL(clAmdBlas##P##scal, S) __attribute__((alias("clblas" #P "scal")));
SCAL(S, "scal", cl_float, Single)
SCAL(D, "scal", cl_double, Double)
SCAL(C, "scal", cl_float2, ComplexSingle)
SCAL(Z, "scal", cl_double2, ComplexDouble)
SCAL(Cs, "scal_real", cl_float, ComplexSingle)
SCAL(Zd, "scal_real", cl_double, ComplexDouble)

#define AXPY(P, S, p)                                                                  \
  TRIGON_CLBLAS_AXPY(clblas##P##axpy, S) {                                             \
    return axpy(__func__, Precision::p, alpha, X_GIVEN, Y_GIVEN, TRIGON_CLBLAS_GIVEN); \
  }                                                                                    \
  TRIGON_CLBLAS_AXPY(clAmdBlas##P##axpy, S) __attribute__((alias("clblas" #P "axpy")));
AXPY(S, cl_float, Single)
AXPY(D, cl_double, Double)
AXPY(C, cl_float2, ComplexSingle)
AXPY(Z, cl_double2, ComplexDouble)

#define DOT(P, lower, conjugated, p)                                                                          \
  TRIGON_CLBLAS_DOT(clblas##P##lower) {                                                                       \
    SCRATCH;                                                                                                  \
    return dot(__func__, Precision::p, conjugated, dotProduct, offDP, X_GIVEN, Y_GIVEN, TRIGON_CLBLAS_GIVEN); \
  }                                                                                                           \
  TRIGON_CLBLAS_DOT(clAmdBlas##P##lower) __attribute__((alias("clblas" #P #lower)));
DOT(S, dot, false, Single)
DOT(D, dot, false, Double)
DOT(C, dotu, false, ComplexSingle)
DOT(Z, dotu, false, ComplexDouble)
DOT(C, dotc, true, ComplexSingle)
DOT(Z, dotc, true, ComplexDouble)

#define REDUCE(P, lower, routine, p)                                                         \
  TRIGON_CLBLAS_REDUCE(clblas##P##lower) {                                                   \
    SCRATCH;                                                                                 \
    return routine(__func__, Precision::p, result, offResult, X_GIVEN, TRIGON_CLBLAS_GIVEN); \
  }                                                                                          \
  TRIGON_CLBLAS_REDUCE(clAmdBlas##P##lower) __attribute__((alias("clblas" #P #lower)));
REDUCE(S, nrm2, nrm2, Single)
REDUCE(D, nrm2, nrm2, Double)
REDUCE(Sc, nrm2, nrm2, ComplexSingle)
REDUCE(Dz, nrm2, nrm2, ComplexDouble)
REDUCE(S, asum, asum, Single)
REDUCE(D, asum, asum, Double)
REDUCE(Sc, asum, asum, ComplexSingle)
REDUCE(Dz, asum, asum, ComplexDouble)
REDUCE(iS, amax, iamax, Single)
REDUCE(iD, amax, iamax, Double)
REDUCE(iC, amax, iamax, ComplexSingle)
REDUCE(iZ, amax, iamax, ComplexDouble)

#define ROT(P, R, p)                                                                         \
  TRIGON_CLBLAS_ROT(clblas##P##rot, R) {                                                     \
    return pair(__func__, Precision::p, "rot", X_GIVEN, Y_GIVEN, TRIGON_CLBLAS_GIVEN, C, S); \
  }                                                                                          \
  TRIGON_CLBLAS_ROT(clAmdBlas##P##rot, R) __attribute__((alias("clblas" #P "rot")));
ROT(S, cl_float, Single)
ROT(D, cl_double, Double)
ROT(Cs, cl_float, ComplexSingle)
ROT(Zd, cl_double, ComplexDouble)

#define ROTG(P, p)                                                                                \
  TRIGON_CLBLAS_ROTG(clblas##P##rotg) {                                                           \
    return rotg(__func__, Precision::p, A, offA, B, offB, C, offC, S, offS, TRIGON_CLBLAS_GIVEN); \
  }                                                                                               \
  TRIGON_CLBLAS_ROTG(clAmdBlas##P##rotg) __attribute__((alias("clblas" #P "rotg")));
ROTG(S, Single)
ROTG(D, Double)
ROTG(C, ComplexSingle)
ROTG(Z, ComplexDouble)

#define ROTM(P, p)                                                                                    \
  TRIGON_CLBLAS_ROTM(clblas##P##rotm) {                                                               \
    return rotm(__func__, Precision::p, X_GIVEN, Y_GIVEN, PARAM, offParam, TRIGON_CLBLAS_GIVEN);      \
  }                                                                                                   \
  TRIGON_CLBLAS_ROTM(clAmdBlas##P##rotm) __attribute__((alias("clblas" #P "rotm")));                  \
  TRIGON_CLBLAS_ROTMG(clblas##P##rotmg) {                                                             \
    return rotmg(__func__, Precision::p, D1, offD1, D2, offD2, X1, offX1, Y1, offY1, PARAM, offParam, \
                 TRIGON_CLBLAS_GIVEN);                                                                \
  }                                                                                                   \
  TRIGON_CLBLAS_ROTMG(clAmdBlas##P##rotmg) __attribute__((alias("clblas" #P "rotmg")));
ROTM(S, Single)
ROTM(D, Double)

}  // extern "C"
