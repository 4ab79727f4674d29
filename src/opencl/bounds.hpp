// The most workspace that calls take, by their sizes alone. What one really takes (backend.hpp) depends on where its
// operands lie, on which of them are the same and on how work is shared out, and may shrink while a size grows. Callers
// ask for their largest call and keep the memory: what they are told does not.
#pragma once

#include "core/algorithm.hpp"
#include "core/request.hpp"
#include "opencl/vectors.hpp"

#include <algorithm>

namespace trigon::opencl {

/// What packing may take: an eighth of the device's memory, no more than a buffer may have, and no more than is useful.
inline index most_workspace(const Device& d) {
  const std::size_t most = std::min({d.memory / 8, d.largest_buffer, std::size_t{1} << 28});
  return static_cast<index>(std::max<std::size_t>(most, 1 << 22));
}

/// Right-hand sides that compute units cannot share: they share the rectangles of a triangle instead, unless its sums
/// shall be cut up alike on any number of units.
inline index few_columns(const Device& d, Precision p) {
  return d.reproducible ? 0 : (2 * d.compute_units - 1) * d.shape_of(p).width;
}

/// Rows and columns of a product's result, and the steps of its sums.
struct Extents {
  index m, n, k;
};

template <class T>
class Bounds {
 public:
  /// `most`: bytes that packing aims at.
  Bounds(const Device& device, Solve solve, index most)
      : device_(device),
        settings_(device.settings_of(precision_of<T>)),
        sizes_(sizes_of<T>(device)),
        invert_(solve == Solve::Inverted ? settings_.invert : 0),
        most_(most / static_cast<index>(sizeof(real_t<T>))) {}

  std::size_t bytes(const core::Request& r) const { return size(reals(r)) * sizeof(real_t<T>); }

  /// Of both factors of a product whose lanes run along rows. Of the first one, a block of rows for each work-item, or
  /// all where that is no more than two for each; where it lies, each packs the tile that is left over.
  index packed(const Extents& e) const {
    const index tiles = sizes_.rows(e.m), units = device_.compute_units;
    const index block = std::max<index>(settings_.gemm_m / sizes_.shape.rows, 1);
    const index items = std::min(units, tiles * sizes_.columns(e.n));
    return sizes_.packed_a(std::max(std::min(tiles, 2 * units * block), items) * sizes_.shape.rows, e.k) +
           sizes_.packed_b(e.n, e.k);
  }
  /// Whether a product with a triangle of order n is in place where columns of right-hand sides are contiguous: there
  /// are enough for each unit to pack a triangle of its own, and that stays in caches.
  bool in_place(index n, index cols) const {
    const index own = sizes_.in_place(n);
    return n >= sizes_.shape.columns() && enough_in_place(cols) && own <= kept_ && of_all(own) <= all_kept_;
  }
  /// Whether each unit packs a triangle of its own for panels of right-hand sides, too, a tile just before it uses it,
  /// so that none waits for what another packs: where that is less than what it costs to pack all of it.
  bool own_triangles(index n, index cols) const {
    return enough_to_own(cols) && n <= own_order() && of_all(sizes_.triangle_of_one(n)) <= all_kept_;
  }
  /// The same of a product of two views, of which nothing is read where it lies. Where its steps are cut is where the
  /// first view's give way to the second's, so that it may not depend on compute units where bits shall not: all rows.
  index packed_pair(const Extents& e) const {
    return device_.reproducible ? sizes_.packed_a(e.m, e.k) + sizes_.packed_b(e.n, e.k) : packed(e);
  }

 private:
  index reals(const core::Request& r) const {
    switch (r.operation) {
      case Operation::Trmm:
      case Operation::Trmv: return triangular(false, r);
      case Operation::Trsm:
      case Operation::Trsv: return triangular(true, r);
      default: break;
    }
    if (settings_.kernels == Kernels::Tiles) return 0;
    switch (r.operation) {
      case Operation::Gemm: return general({r.c.rows, r.c.cols, r.a.cols}, by_columns(r.c));
      case Operation::Symm:
      case Operation::Hemm: return symmetric(r.c.rows, r.c.cols, by_columns(r.c));
      case Operation::Syrk:
      case Operation::Herk: return update(r.c.rows, r.a.cols, 1);
      default: return update(r.c.rows, r.a.cols, 2);
    }
  }

  /// Whether columns of a result are contiguous. A single row is taken for what several would be.
  static bool by_columns(const core::Operand& c) { return c.row_stride == 1 && (c.col_stride != 1 || c.rows == 1); }

  /// What takes more than packing aims at comes in parts, the least of which are `least`. By columns the transposed
  /// product is computed, but that of a single row as it is.
  index product(Extents whole, Extents least, bool by_columns) const {
    const index row = by_columns ? packed({1, std::min(whole.n, uncut), whole.k}) : 0;
    for (Extents* e : {&whole, &least})
      if (by_columns) std::swap(e->m, e->n);
    return std::max(row, std::min(packed(whole), std::max(most_, packed(least))));
  }
  index general(const Extents& e, bool by_columns) const {
    return product(e, {std::min(e.m, uncut), std::min(e.n, uncut), std::min(e.k, settings_.gemm_k)}, by_columns);
  }
  /// The largest rectangle that a recursion makes of a triangle of order n, if there is one.
  index rectangle(index n, index leaf, index cols, bool by_columns) const {
    return n > leaf ? general({core::cut(n), cols, core::cut(n)}, by_columns) : 0;
  }

  index symmetric(index n, index cols, bool by_columns) const {
    const index leaf = std::min(n, settings_.leaf);
    return std::max(product({leaf, cols, leaf}, {leaf, std::min(cols, uncut), leaf}, by_columns),
                    rectangle(n, leaf, cols, by_columns));
  }
  index update(index n, index k, index views) const {
    const index leaf = std::min(n, settings_.leaf);
    const Extents whole{leaf, leaf, views * k}, least{leaf, leaf, views * std::min(k, settings_.gemm_k)};
    const index pair = views == 2 ? std::min(packed_pair(whole), std::max(most_, packed_pair(least))) : 0;
    return std::max(
        {product(whole, least, false), pair, n > leaf ? general({core::cut(n), core::cut(n), k}, false) : index{0}});
  }

  /// Fewer right-hand sides may have another leaf, and a single one is another matter.
  index triangular(bool solves, const core::Request& r) const {
    const index n = r.a.rows, cols = r.b.cols, few = few_columns(device_, precision_of<T>);
    const index one = Vectors<T>::workspace(device_, solves, r.a.row_stride != 1, n);
    if (cols == 1 || settings_.kernels == Kernels::Tiles) return one;
    const auto recursion = [&](index leaf, index count) {
      return std::max(triangle(solves, std::min(n, leaf), count), rectangle(n, leaf, count, by_columns(r.b)));
    };
    return std::max({one, few > 0 ? recursion(settings_.leaf_few, std::min(cols, few)) : 0,
                     cols > few ? recursion(settings_.leaf, cols) : 0});
  }
  index triangle(bool solves, index n, index cols) const {
    const index panel = sizes_.panel_of_triangle(solves, n), panels = sizes_.columns(cols);
    const index share = std::min(std::min(most_panels, panels) * panel,
                                 std::max(panel, share_bytes / static_cast<index>(sizeof(real_t<T>))));
    const index items = std::min<index>(device_.compute_units, std::max(panels, sizes_.triangle_pieces(n)));
    const auto beside = [&](index triangles) {
      return std::min(triangles + items * share, std::max(most_, triangles + share));
    };
    index packed = beside(sizes_.triangle_of_one(n));
    if (enough_to_own(cols)) {
      const index all = of_all(sizes_.triangle_of_one(std::min(n, own_order())));
      packed = std::max(packed, beside(std::min({all, all_kept_, most_ / 2})));
    }
    if (!solves && enough_in_place(cols)) {
      const index own = std::min(sizes_.in_place(n), kept_);
      packed = std::max(packed, std::min({of_all(own), all_kept_, std::max(most_, own)}));
    }
    return packed + (solves ? sizes_.all_inverses(n, invert_) : 0);
  }

  bool enough_in_place(index cols) const { return cols >= 32 * sizes_.parts * device_.compute_units; }
  bool enough_to_own(index cols) const {
    return !is_complex<T> && device_.compute_units > 1 && sizes_.columns(cols) >= 2 * device_.compute_units;
  }
  index of_all(index own) const { return device_.compute_units * own; }
  static constexpr index own_order() { return sizeof(T) == sizeof(double) ? 1000 : 256; }

  /// What caches keep of one unit's, and of all units'.
  static constexpr index kept_ = kept / static_cast<index>(sizeof(real_t<T>)), all_kept_ = 8 * kept_;
  const Device& device_;
  const Settings& settings_;
  Sizes sizes_;
  index invert_, most_;
};

}  // namespace trigon::opencl
