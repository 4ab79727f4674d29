// The short ways of small calls. Most have theirs among the kernels; rank-2k updates come by here.
#include "cpu/direct.hpp"

#include "core/canonical.hpp"
#include "cpu/backend.hpp"

#include <algorithm>
#include <utility>

namespace trigon::cpu {
namespace {

/// As one leaf of its recursion. Views are made where they are passed: a copy of one that was just written would wait
/// for its parts.
template <class T, Operation op>
bool update2(const Call& call) {
  const DirectSizes& known = direct_sizes<T>();
  core::Request r;
  core::canonical(call, op, precision_of<T>, r);
  if (!is_direct_product<T>(r, known)) return false;
  const T alpha = core::scalar<T>(r.alpha), beta = core::scalar<T>(r.beta);
  const auto view = [](const core::Operand& o) { return core::host_view<T>(o); };
  const Backend<T> backend(core::Plan{core::Path::Packed}, 1);
  backend.template update2<core::mirror_of(op)>(alpha, view(r.a), view(r.b), beta, {view(r.c), r.uplo});
  return true;
}

constexpr bool among_kernels(Operation op) {
  using enum Operation;
  return op != Syr2k && op != Her2k;
}

template <class T, Operation op>
core::Direct::Way way() {
  if constexpr (among_kernels(op))
    return kernels<T>().direct[static_cast<int>(op)];
  else
    return update2<T, op>;
}

/// Those whose orders a plan would leave to them, whatever threads there are.
template <class T>
void fill_tiny(core::Direct::OfTriangles<T>& known) {
  const DirectSizes& sizes = direct_sizes<T>(false);
  const auto up_to = [](index most, const core::TinyTable<T>& from, core::TinyTable<T>& to) {
    to = from;
    for (core::TinyOrders& orders : to.orders)
      orders.any = std::min(orders.any, most), orders.of_few = std::min(orders.of_few, most);
  };
  constexpr index largest = core::tiny_orders - 1;
  known.rhs = std::min(sizes.columns, sizes.volume / (largest * largest));
  up_to(sizes.order, kernels<T>().multiply_tiny, known.trmm),
      up_to(sizes.vector, kernels<T>().multiply_tiny, known.trmv);
  up_to(sizes.order, kernels<T>().solve_tiny, known.trsm), up_to(sizes.vector, kernels<T>().solve_tiny, known.trsv);
}

core::Direct table() {
  core::Direct direct;
  const auto fill = [&]<class T, std::size_t... op>(T, std::index_sequence<op...>) {
    ((direct.way[op][core::index_of(precision_of<T>)] = way<T, Operation{op}>()), ...);
  };
  constexpr auto operations = std::make_index_sequence<operation_count>();
  fill(float{}, operations), fill(double{}, operations);
  fill(std::complex<float>{}, operations), fill(std::complex<double>{}, operations);
  std::apply([](auto&... each) { (fill_tiny(each), ...); }, direct.tiny);
  return direct;
}

}  // namespace

const core::Direct& direct() {
  return core::once([] { return table(); });
}

}  // namespace trigon::cpu
