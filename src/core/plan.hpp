// How one call will be carried out.
#pragma once

#include "core/request.hpp"
#include "core/tuning.hpp"

#include <trigon/inspect.hpp>

namespace trigon::core {

enum class Path : unsigned char {
  Nothing,    ///< an empty result, or beta = 1 and nothing to add
  Scale,      ///< alpha or k is 0: the result is scaled or cleared, no other operand is read
  Narrow,     ///< few right-hand sides: the triangle is read where it lies
  Packed,     ///< one pass of the packed kernels
  Recursion,  ///< split down to packed leaves, GEMM between them
};
inline constexpr int path_count = 5;
std::string_view name(Path);

struct Plan {
  Path path = Path::Packed;
  bool provider = false;  ///< GEMM blocks of enough work go to the provider
  int threads = 1;
  bool by_rows = false;  ///< threads of a narrow call divide the rows of the triangle, not right-hand sides
  index leaf = 0;
};

/// Which GEMM the rectangles between the leaves get.
enum class ProviderUse : unsigned char {
  Never,     ///< none was found, or reproducible results were asked for
  Measured,  ///< where the tuning table says that it is faster
  Always,    ///< one was named
};

/// What of the machine a plan depends on.
struct Machine {
  int threads = 1;  ///< the most that one call may use
  bool reproducible = false;
  ProviderUse provider = ProviderUse::Never;
};

/// Pure: the same arguments give the same plan.
Plan plan(const Request&, const Machine&, const Tuning&);

/// Whether a TRSM or TRMM has few right-hand sides: narrow, unless results shall be reproducible.
bool is_narrow(const Tuning&, Precision, index order, index rhs);

/// The largest triangle that is taken to stay in a cache.
inline constexpr index cached_bytes = index{12} << 20;
/// Half of a square: what a triangle of that order takes.
constexpr index triangle_bytes(index order, index element) { return order * order / 2 * element; }

/// Whether the threads of a packed call other than GEMM and the rank-k updates divide its columns. With fewer they
/// divide the rows of SYMM and HEMM, or the rectangles of GEMM.
bool shares_columns(const Request&, int threads);

/// The calls whose plan is known from their sizes alone, so that a backend need not make one. Of Level 3, with alpha
/// not 0 and all sizes at least 1, those of one serial pass: GEMM and updates of at most `volume`, rows and columns of
/// C times steps; products with a symmetric matrix likewise, of at most `columns`; triangles up to `order`, likewise,
/// narrow from `narrow_order` on with at most `narrow_rhs` right-hand sides, and else of the packed kernels. TRMV and
/// TRSV up to the order `vector`, narrow and serial.
struct DirectCalls {
  PerPrecision volume{}, columns{}, order{}, vector{}, narrow_order{}, narrow_rhs{};
};
DirectCalls direct_calls(const Machine&, const Tuning&);

/// Floating-point operations of a canonical request, real ones.
double work(const Request&);

/// A path without a recursion, as the one task that it is.
Task whole(const Request&, const Plan&);

}  // namespace trigon::core
