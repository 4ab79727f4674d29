#include "core/plan.hpp"

#include <algorithm>
#include <complex>
#include <limits>

namespace trigon::core {
namespace {

bool in_place(Operation op) {
  return op == Operation::Trmm || op == Operation::Trsm || op == Operation::Trmv || op == Operation::Trsv;
}

bool empty(const Request& r) {
  const Operand& result = in_place(r.operation) ? r.b : r.c;
  return result.rows == 0 || result.cols == 0;
}

/// Without a term to add: the result is only scaled.
bool adds_nothing(const Request& r) {
  if (r.alpha == 0.0) return true;
  return !in_place(r.operation) && r.a.cols == 0;
}

bool wants_provider(const Request& r, const Machine& machine, const Tuning& t) {
  if (machine.provider == ProviderUse::Measured) return t.cpu_provider_work[r.precision] > 0;
  return machine.provider == ProviderUse::Always;
}

/// For so many times the least work of one.
int threads(double times, const Machine& machine) {
  return static_cast<int>(std::clamp(times, 1.0, static_cast<double>(machine.threads)));
}

/// Columns of a packed call that are worth a thread, and those of a product with a symmetric matrix so small that it is
/// not packed.
constexpr index packed_columns_each = 24, small_columns_each = 16, small_symmetric = 64;

bool symmetric(Operation op) { return op == Operation::Symm || op == Operation::Hemm; }
bool small_product(const Request& r) { return symmetric(r.operation) && r.a.rows <= small_symmetric; }

/// What columns of a result cost that have a few rows and lie far apart: a line of a cache for each takes as long to
/// come and go as so many operations. `most_lines`: those of a column.
constexpr index few_rows = 8, line_operations = 800, most_lines = few_rows * sizeof(std::complex<double>) / 64;
double line_work(const Request& r) {
  constexpr index line = 64, far = 16 * line;
  const Operand& c = in_place(r.operation) ? r.b : r.c;
  const index element = with_type(r.precision, [](auto x) { return index{sizeof(x)}; });
  if (c.rows > few_rows || c.row_stride != 1 || c.col_stride < far / element) return 0;
  return static_cast<double>(line_operations * ((c.rows * element + line - 1) / line)) * static_cast<double>(c.cols);
}

/// The least work of right-hand sides that is worth a thread. Threads that have columns of their own meet nowhere.
/// Those that divide rows have lines beside each other's, and are worth three quarters of the work for any other; where
/// rows do not begin with a line of a cache, they meet in one of each row, which moves to and fro: that counts as much
/// again for so many rows.
double least_rhs_work(const Request& r, const Tuning& t) {
  constexpr index line = 64, rows = 50;
  constexpr double beside = 0.75;
  if (r.b.col_stride != 1) return static_cast<double>(t.cpu_thread_rhs_flops[r.precision]);
  const index element = with_type(r.precision, [](auto x) { return index{sizeof(x)}; });
  const double least = static_cast<double>(t.cpu_thread_flops[r.precision]);
  return r.b.row_stride * element % line == 0 ? beside * least : least * (1 + static_cast<double>(r.b.rows) / rows);
}

/// How many threads the work is worth. Those that divide the right-hand sides of a triangle do nothing twice, and less
/// is worth one; those that divide the rows of a symmetric matrix no longer have a product that is small enough not to
/// be packed, and need twice as much.
double worth(const Request& r, const Tuning& t) {
  const double each = static_cast<double>(t.cpu_thread_flops[r.precision]);
  if (in_place(r.operation)) return std::max(work(r) / least_rhs_work(r, t), line_work(r) / each);
  if (!symmetric(r.operation)) return work(r) / each;
  return (shares_columns(r, 2) ? std::max(work(r), line_work(r)) : work(r) / 2) / each;
}

bool vector(Operation op) { return op == Operation::Trmv || op == Operation::Trsv; }

Path triangular_path(const Request& r, const Machine& machine, const Tuning& t, index leaf) {
  const bool narrow = vector(r.operation) || is_narrow(t, r.precision, r.a.rows, r.b.cols);
  if (narrow && !machine.reproducible) return Path::Narrow;
  return r.a.rows <= leaf ? Path::Packed : Path::Recursion;
}

/// Right-hand sides of a narrow call that are worth a thread, each of which then reads the triangle: `columns_each`
/// where it comes from a cache, twice as many where it does not, and where threads could take bands of a product
/// instead.
constexpr index columns_each = 6;

/// Threads that divide right-hand sides do not wait, but few of those fill no vectors. Threads that divide the rows of
/// the triangle wait for each other, more so in a solve; few right-hand sides wait for the triangle.
void share_narrow(Plan& p, const Request& r, const Machine& machine, const Tuning& t) {
  const bool solves = r.operation == Operation::Trsm || r.operation == Operation::Trsv;
  const bool rows = r.a.rows - (solves ? r.a.rows / 4 : 0) >= t.cpu_shared_order[r.precision];
  const index element = with_type(r.precision, [](auto x) { return index{sizeof(x)}; });
  const bool cached = triangle_bytes(r.a.rows, element) <= cached_bytes;
  const double least = static_cast<double>(t.cpu_thread_flops[r.precision]);
  const auto by_columns = [&](double least_each, index each) {
    return std::min(threads(work(r) / least_each, machine),
                    static_cast<int>(std::min<index>(r.b.cols / each, machine.threads)));
  };
  const int columns = std::max(by_columns(least_rhs_work(r, t), 2 * columns_each),
                               cached && (solves || !rows) ? by_columns(least, columns_each) : 1);
  const int bands = rows ? threads((r.b.cols < 8 ? 2 : 0.5) * work(r) / least, machine) : 1;
  p.by_rows = bands > columns;
  p.threads = std::max(columns, bands);
}

}  // namespace

std::string_view name(Path path) {
  constexpr std::string_view names[] = {"nothing", "scale", "narrow", "packed", "recursion"};
  return names[static_cast<int>(path)];
}

double work(const Request& r) {
  const double unit = r.precision == Precision::Single || r.precision == Precision::Double ? 1 : 4;
  const double m = static_cast<double>(r.a.rows), k = static_cast<double>(r.a.cols);
  switch (r.operation) {
    case Operation::Gemm:
    case Operation::Symm:
    case Operation::Hemm: return unit * 2 * m * k * static_cast<double>(r.c.cols);
    case Operation::Syrk:
    case Operation::Herk: return unit * m * m * k;
    case Operation::Syr2k:
    case Operation::Her2k: return unit * 2 * m * m * k;
    default: return unit * m * m * static_cast<double>(r.b.cols);
  }
}

Task whole(const Request& r, const Plan& p) {
  const bool solves = r.operation == Operation::Trsm || r.operation == Operation::Trsv;
  const Operand& result = in_place(r.operation) ? r.b : r.c;
  if (p.path == Path::Scale) return {"scale", result.rows, result.cols, 0};
  return {solves ? "solve" : "multiply", r.a.rows, r.b.cols, r.a.rows, 0, 0, work(r)};
}

/// Above it, or above the leaf order, packing a triangle, which then lies beyond the second cache, pays only for more
/// right-hand sides. Leaves are no larger where a recursion's rectangles are worth more than one pass: for a provider's
/// GEMM, for threads that have too few columns to share, and above the leaf order for less than `many_columns`.
constexpr PerPrecision large_order{{512, 512, 512, 256}};
constexpr index huge_order = 1024;
constexpr index many_columns = 256;

bool is_narrow(const Tuning& t, Precision precision, index order, index rhs) {
  const bool large = order > std::min(t.cpu_leaf[precision], large_order[precision]);
  const PerPrecision& most = order > huge_order ? t.cpu_narrow_rhs_huge
                             : large            ? t.cpu_narrow_rhs_large
                                                : t.cpu_narrow_rhs;
  return rhs <= most[precision] && order >= t.cpu_narrow_order[precision];
}

bool shares_columns(const Request& r, int threads) {
  return r.b.cols >= (small_product(r) ? small_columns_each : packed_columns_each) * threads;
}

Plan plan(const Request& r, const Machine& machine, const Tuning& t) {
  Plan p;
  if (empty(r) || (adds_nothing(r) && !in_place(r.operation) && r.beta == 1.0)) {
    p.path = Path::Nothing;
    return p;
  }
  if (adds_nothing(r)) {
    p.path = Path::Scale;
    return p;
  }
  if (machine.threads > 1) p.threads = threads(worth(r, t), machine);
  if (small_product(r) && shares_columns(r, 2))
    p.threads = static_cast<int>(std::min<index>(p.threads, r.b.cols / small_columns_each));
  const index leaf = t.cpu_leaf[r.precision], small_leaf = std::min(leaf, large_order[r.precision]);
  p.leaf = wants_provider(r, machine, t) ? small_leaf : leaf;
  if (in_place(r.operation)) {
    // A leaf is one thread's.
    if (p.threads > 1 && !shares_columns(r, p.threads) && !machine.reproducible) p.leaf = small_leaf;
    p.path = triangular_path(r, machine, t, p.leaf);
    if (p.path == Path::Recursion && r.b.cols < many_columns) p.leaf = small_leaf;
    p.provider = p.path == Path::Recursion && wants_provider(r, machine, t);
    if (p.path == Path::Narrow && machine.threads > 1) share_narrow(p, r, machine, t);
    return p;
  }
  p.provider = wants_provider(r, machine, t);
  const bool splits = r.operation != Operation::Gemm && p.provider && r.a.rows > p.leaf;
  p.path = splits ? Path::Recursion : Path::Packed;
  return p;
}

DirectCalls direct_calls(const Machine& machine, const Tuning& t) {
  // Of larger calls a plan takes a hundredth of the time, or less. The product of three such numbers does not overflow.
  constexpr index most_volume = index{1} << 20, most_order = 64;
  const bool serial = machine.threads == 1;
  DirectCalls known;
  if (!machine.reproducible) known.narrow_order = t.cpu_narrow_order, known.narrow_rhs = t.cpu_narrow_rhs;
  for (std::size_t p = 0; p < 4 && !machine.reproducible; ++p)
    known.vector.value[p] = serial ? std::numeric_limits<index>::max() : t.cpu_shared_order.value[p] - 1;
  if (machine.provider == ProviderUse::Always) return known;
  for (std::size_t p = 0; p < 4; ++p) {
    if (machine.provider == ProviderUse::Measured && t.cpu_provider_work.value[p] > 0) continue;
    // GEMM takes twice the operations of a triangle, whose rows are not shared below an order of its own.
    const index unit = p < 2 ? 2 : 8, least = t.cpu_thread_flops.value[p];
    const index product = std::min(least, 2 * std::min(most_volume, t.cpu_thread_rhs_flops.value[p]));
    known.volume.value[p] = serial ? most_volume : std::min(most_volume, (product - 1) / (unit / 2));
    known.columns.value[p] = serial ? most_volume : (2 * least - 1) / line_operations / most_lines;
    known.order.value[p] =
        std::min({most_order, t.cpu_leaf.value[p], serial ? most_order : t.cpu_shared_order.value[p] - 1});
  }
  return known;
}

}  // namespace trigon::core
