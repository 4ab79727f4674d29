// A tile of a product by ordinary multiply-adds: 16 × 16 threads, each with a patch of rows and columns in registers.
#pragma once

#include "cuda/stage.cuh"

namespace trigon::cuda {

/// Tiles of M × N with K steps at a time. Each of 16 × 16 threads has M / 16 rows and N / 16 columns, in groups of
/// neighbours.
template <int M, int N, int K>
struct Tile {
  static constexpr int m = M, n = N, k = K;
  static constexpr int together = 1;  ///< blocks that shall share a multiprocessor's registers
};

/// How many of a thread's lines one load from shared memory fetches: up to 16 bytes of them.
template <class T, int lines>
inline constexpr int group_of = lines / 16 < static_cast<int>(16 / sizeof(T)) ? lines / 16
                                                                              : static_cast<int>(16 / sizeof(T));

/// The thread's sums of a tile. Each is one chain of multiply-adds, by k.
template <class T, class Shape>
class Patch {
  static constexpr int VA = group_of<T, Shape::m>, VB = group_of<T, Shape::n>;
  static constexpr int rows = Shape::m / 16, columns = Shape::n / 16;

 public:
  using StageA = Stage<T, Shape::m, Shape::k, VA, 1>;
  using StageB = Stage<T, Shape::n, Shape::k, VB, 1>;

  /// What pads the factors is multiplied only for sums that do not exist.
  static TRIGON_DEVICE T padding_a() { return number<T>(0); }

  TRIGON_DEVICE void clear() {
    TRIGON_UNROLL
    for (int i = 0; i < rows; ++i) {
      TRIGON_UNROLL
      for (int j = 0; j < columns; ++j) acc_[i][j] = number<T>(0);
    }
  }

  /// `steps` of a stage: none of those that pad it.
  TRIGON_DEVICE void add(const typename StageA::Group* a, const typename StageB::Group* b, index steps) {
    a += thread() % 16, b += thread() / 16;
    for_each<Shape::k>(steps, [&](int k) {
      typename StageA::Group x[rows / VA];
      typename StageB::Group y[columns / VB];
      TRIGON_UNROLL
      for (int g = 0; g < rows / VA; ++g) x[g] = a[k * StageA::pitch + 16 * g];
      TRIGON_UNROLL
      for (int g = 0; g < columns / VB; ++g) y[g] = b[k * StageB::pitch + 16 * g];
      TRIGON_UNROLL
      for (int i = 0; i < rows; ++i) {
        TRIGON_UNROLL
        for (int j = 0; j < columns; ++j)
          acc_[i][j] = add_product(acc_[i][j], x[i / VA].element[i % VA], y[j / VB].element[j % VB]);
      }
    });
  }

  /// f(i, j, sum) with places in the tile.
  template <class F>
  TRIGON_DEVICE void for_sums(const F& f) const {
    const int row = thread() % 16, column = thread() / 16;
    TRIGON_UNROLL
    for (int j = 0; j < columns; ++j) {
      TRIGON_UNROLL
      for (int i = 0; i < rows; ++i)
        f((i / VA * 16 + row) * VA + i % VA, (j / VB * 16 + column) * VB + j % VB, acc_[i][j]);
    }
  }

 private:
  T acc_[rows][columns];
};

}  // namespace trigon::cuda
