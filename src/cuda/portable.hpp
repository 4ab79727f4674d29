// The few words of device code that differ between compilers. Kernels are written in these, once, and compiled by
// nvcc, by hipcc, and by any C++ compiler for the CPU shim (shim/simt.hpp), under which the tests execute them.
//
// Grids and blocks have one dimension; a warp has 32 lanes, also where a wavefront has 64 and is two of them; all
// lanes take part in a shuffle.
#pragma once

#include <trigon/types.hpp>

#if defined(__CUDACC__) || defined(__HIPCC__)

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
#endif

#define TRIGON_ON_DEVICE 1
#define TRIGON_DEVICE __device__ __forceinline__
#define TRIGON_KERNEL(threads) __global__ void __launch_bounds__(threads)
/// … and registers for so many blocks on a multiprocessor.
#if defined(__HIPCC__)
#define TRIGON_KERNEL_TOGETHER(threads, blocks) TRIGON_KERNEL(threads)
#else
#define TRIGON_KERNEL_TOGETHER(threads, blocks) __global__ void __launch_bounds__(threads, blocks)
#endif
/// A static shared array `name` of n elements of T. T has a trivial default constructor.
#define TRIGON_SHARED(T, name, n) __shared__ T name[n]
#define TRIGON_UNROLL _Pragma("unroll")
#define TRIGON_KEEP_ROLLED _Pragma("unroll 1")

namespace trigon::cuda {

TRIGON_DEVICE int thread() { return static_cast<int>(threadIdx.x); }
TRIGON_DEVICE int threads() { return static_cast<int>(blockDim.x); }
TRIGON_DEVICE index block() { return blockIdx.x; }

TRIGON_DEVICE void sync_block() { __syncthreads(); }

/// The next number of a counter in device memory.
TRIGON_DEVICE int take(int* counter) { return atomicAdd(counter, 1); }

// wait_for waits until another block has published the flag; what that stored before can then be read. publish comes
// after a barrier behind the stores of other threads.
#if defined(__HIPCC__)
TRIGON_DEVICE void sync_warp() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}
TRIGON_DEVICE float shuffle(float x, int lane) { return __shfl(x, lane, 32); }
TRIGON_DEVICE double shuffle(double x, int lane) { return __shfl(x, lane, 32); }
TRIGON_DEVICE bool all_lanes(bool x) {
  const unsigned long long mine = 0xffffffffull << (__lane_id() & 32u);
  return (__ballot(x) & mine) == mine;
}
TRIGON_DEVICE void wait_for(const int* flag) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
  }
}
TRIGON_DEVICE void publish(int* flag) { __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT); }
#else
TRIGON_DEVICE void sync_warp() { __syncwarp(); }
TRIGON_DEVICE float shuffle(float x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }
TRIGON_DEVICE double shuffle(double x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }
TRIGON_DEVICE bool all_lanes(bool x) { return __all_sync(0xffffffffu, x); }
TRIGON_DEVICE void wait_for(const int* flag) {
  int set = 0;
  do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(set) : "l"(flag) : "memory");
  while (set == 0);
}
TRIGON_DEVICE void publish(int* flag) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
}
#endif

}  // namespace trigon::cuda

#else

#include "cuda/shim/simt.hpp"

#define TRIGON_DEVICE inline
#define TRIGON_KERNEL(threads) void
#define TRIGON_KERNEL_TOGETHER(threads, blocks) void
#define TRIGON_SHARED(T, name, n) T* const name = static_cast<T*>(::trigon::simt::shared(sizeof(T) * (n)))
#define TRIGON_UNROLL
#define TRIGON_KEEP_ROLLED

namespace trigon::cuda {

inline int thread() { return simt::thread_index(); }
inline int threads() { return simt::block_threads(); }
inline index block() { return simt::block_index(); }

inline void sync_block(simt::Place place = simt::Place::current()) { simt::sync_block(place); }
inline void sync_warp(simt::Place place = simt::Place::current()) { simt::sync_warp(place); }

template <class T>
T shuffle(T x, int lane, simt::Place place = simt::Place::current()) {
  T there;
  simt::exchange(&x, &there, sizeof x, lane, place);
  return there;
}
inline bool all_lanes(bool x, simt::Place place = simt::Place::current()) { return simt::vote(x, place); }

inline int take(int* counter) { return (*counter)++; }
inline void wait_for(const int* flag, simt::Place place = simt::Place::current()) {
  if (simt::skip_wait(place)) return;
  while (*flag == 0) simt::spin(place);
}
inline void publish(int* flag) { *flag = 1; }

}  // namespace trigon::cuda

#endif

namespace trigon::cuda {

inline constexpr int warp_size = 32;

TRIGON_DEVICE int lane() { return thread() % warp_size; }
TRIGON_DEVICE int warp() { return thread() / warp_size; }

}  // namespace trigon::cuda
