// A tile of a product on FP64 tensor units, which sm_80 and newer have: double precision, and double complex as four
// real products. A warp multiplies 16 × 8 × 8 at a time; which lane holds what is that of PTX's mma.m16n8k8 for f64
// (PTX ISA 9.7.14), of which sm_80's m8n8k4 is a quarter.
#pragma once

#include "cuda/patch.cuh"

namespace trigon::cuda {

/// Whether this code is compiled for a device with such units. The shim has them; AMD's are others.
#if defined(__HIPCC__) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800)
inline constexpr bool has_tensor_units = false;
#else
inline constexpr bool has_tensor_units = true;
#endif

/// One lane's part of the factors. Lane 4 g + t has a(g + 8 v, t + 4 h) in a[2 h + v], b(t + 4 h, g) in b[h], and of
/// the result d(g + 8 v, 2 t + w) in d[2 v + w].
struct Fragment {
  double a[4], b[2];
};

/// d += a b, by the whole warp.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
TRIGON_DEVICE void multiply_add(double (&d)[4], const Fragment& f) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
               : "d"(f.a[0]), "d"(f.a[1]), "d"(f.a[2]), "d"(f.a[3]), "d"(f.b[0]), "d"(f.b[1]));
}
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
TRIGON_DEVICE void multiply_add(double (&d)[4], const Fragment& f) {
  TRIGON_UNROLL
  for (int h = 0; h < 2; ++h) {
    TRIGON_UNROLL
    for (int v = 0; v < 2; ++v)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                   : "+d"(d[2 * v]), "+d"(d[2 * v + 1])
                   : "d"(f.a[2 * h + v]), "d"(f.b[h]));
  }
}
#elif !defined(TRIGON_ON_DEVICE)
inline void multiply_add(double (&d)[4], const Fragment& f, simt::Place place = simt::Place::current()) {
  const auto lanes = simt::post_to_warp(&f, sizeof f, place);
  const auto held = [&](int at) { return static_cast<const Fragment*>(lanes[static_cast<std::size_t>(at)]); };
  const int g = lane() / 4, t = lane() % 4;
  for (int k = 0; k < 8; ++k)
    for (int v = 0; v < 2; ++v)
      for (int w = 0; w < 2; ++w) {
        const double a = held(4 * g + k % 4)->a[2 * (k / 4) + v], b = held(4 * (2 * t + w) + k % 4)->b[k / 4];
        d[2 * v + w] = std::fma(a, b, d[2 * v + w]);
      }
}
#else
TRIGON_DEVICE void multiply_add(double (&)[4], const Fragment&) {}  // never called: see has_tensor_units
#endif

/// Tiles of M × N with K steps at a time, by eight warps, R of them above each other; so many blocks `Together` shall
/// share the registers of a multiprocessor.
template <int M, int N, int K, int R, int Together = 1>
struct TensorTile {
  static constexpr int m = M, n = N, k = K, warp_rows = R, together = Together;
};

/// The warp's sums of a tile. Where k is padded all products are -0, which changes no sum: + 0 would lose the sign of
/// a zero.
template <class T, class Shape>
class Fragments {
  static constexpr int gap = static_cast<int>(32 / sizeof(T));  // lanes 4 g + t then meet as many banks as there are
  static constexpr int rows = Shape::m / Shape::warp_rows, columns = Shape::n * Shape::warp_rows / 8;  // of a warp
  static constexpr int M = rows / 16, N = columns / 8;
  static_assert(rows % 16 == 0 && columns % 8 == 0 && Shape::k % 8 == 0);

 public:
  using StageA = Stage<T, Shape::m, Shape::k, 1, gap>;
  using StageB = Stage<T, Shape::n, Shape::k, 1, gap>;

  static TRIGON_DEVICE T padding_a() {
    if constexpr (device_complex<T>)
      return {-0.0, -0.0};
    else
      return -0.0;
  }

  TRIGON_DEVICE void clear() {
    TRIGON_UNROLL
    for (int i = 0; i < M; ++i) {
      TRIGON_UNROLL
      for (int j = 0; j < N; ++j) {
        TRIGON_UNROLL
        for (int e = 0; e < parts * 4; ++e) acc_[i][j][e / 4][e % 4] = 0;
      }
    }
  }

  TRIGON_DEVICE void add(const typename StageA::Group* a, const typename StageB::Group* b, index steps) {
    const int g = lane() / 4, t = lane() % 4;
    a += t * StageA::pitch + first_row() + g, b += t * StageB::pitch + first_column() + g;
    TRIGON_UNROLL
    for (int k = 0; k < Shape::k; k += 8) {
      T x[M][4], y[N][2];
      TRIGON_UNROLL
      for (int i = 0; i < M; ++i) {
        TRIGON_UNROLL
        for (int e = 0; e < 4; ++e) x[i][e] = a[(k + e / 2 * 4) * StageA::pitch + 16 * i + e % 2 * 8].element[0];
      }
      TRIGON_UNROLL
      for (int j = 0; j < N; ++j) {
        TRIGON_UNROLL
        for (int h = 0; h < 2; ++h) y[j][h] = b[(k + h * 4) * StageB::pitch + 8 * j].element[0];
      }
      TRIGON_UNROLL
      for (int i = 0; i < M; ++i) {
        TRIGON_UNROLL
        for (int j = 0; j < N; ++j) multiply(acc_[i][j], x[i], y[j], k + t < steps, k + t + 4 < steps);
      }
    }
  }

  /// f(i, j, sum) with places in the tile.
  template <class F>
  TRIGON_DEVICE void for_sums(const F& f) const {
    const int row = first_row() + lane() / 4, column = first_column() + lane() % 4 * 2;
    TRIGON_UNROLL
    for (int j = 0; j < N; ++j) {
      TRIGON_UNROLL
      for (int i = 0; i < M; ++i) {
        TRIGON_UNROLL
        for (int e = 0; e < 4; ++e) {
          if constexpr (parts == 2)
            f(row + 16 * i + e / 2 * 8, column + 8 * j + e % 2, T{acc_[i][j][0][e], acc_[i][j][1][e]});
          else
            f(row + 16 * i + e / 2 * 8, column + 8 * j + e % 2, acc_[i][j][0][e]);
        }
      }
    }
  }

 private:
  static constexpr int parts = device_complex<T> ? 2 : 1;

  static TRIGON_DEVICE int first_row() { return warp() % Shape::warp_rows * rows; }
  static TRIGON_DEVICE int first_column() { return warp() / Shape::warp_rows * columns; }

  /// `first`, `second`: whether the lane's steps exist.
  static TRIGON_DEVICE void multiply(double (&acc)[parts][4], const T (&x)[4], const T (&y)[2], bool first,
                                     bool second) {
    if constexpr (parts == 2) {
      const double re[4] = {x[0].re, x[1].re, x[2].re, x[3].re}, im[4] = {x[0].im, x[1].im, x[2].im, x[3].im};
      multiply_add(acc[0], {{re[0], re[1], re[2], re[3]}, {y[0].re, y[1].re}});
      multiply_add(acc[0],
                   {{first ? -im[0] : -0.0, first ? -im[1] : -0.0, second ? -im[2] : -0.0, second ? -im[3] : -0.0},
                    {y[0].im, y[1].im}});
      multiply_add(acc[1], {{re[0], re[1], re[2], re[3]}, {y[0].im, y[1].im}});
      multiply_add(acc[1], {{im[0], im[1], im[2], im[3]}, {y[0].re, y[1].re}});
    } else {
      multiply_add(acc[0], {{x[0], x[1], x[2], x[3]}, {y[0], y[1]}});
    }
  }

  double acc_[M][N][parts][4];
};

/// What multiplies a tile: where there are no tensor units, ordinary multiply-adds for a tile of the same size.
template <class T, class Shape>
struct multiplier {
  using type = Patch<T, Shape>;
};
template <class T, int M, int N, int K, int R, int Together>
struct multiplier<T, TensorTile<M, N, K, R, Together>> {
  using type =
      std::conditional_t<has_tensor_units, Fragments<T, TensorTile<M, N, K, R, Together>>, Patch<T, Tile<M, N, K>>>;
};

}  // namespace trigon::cuda
