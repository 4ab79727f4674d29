// The short ways of small calls, from the caller's words to registers: on a way through views and tables of kernels as
// many instructions would be spent as on the work. What is not the smallest goes on to the kernels.
#if defined(TRIGON_CPU_SIMD_DIRECT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_DIRECT_INL
#undef TRIGON_CPU_SIMD_DIRECT_INL
#else
#define TRIGON_CPU_SIMD_DIRECT_INL
#endif

#include "core/canonical.hpp"
#include "cpu/direct.hpp"
#include "cpu/simd/lean-inl.hpp"
#include "cpu/simd/narrow-inl.hpp"
#include "cpu/simd/triangular-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// TRSM, TRMM, TRSV, TRMV. Views are made where they are passed, so that none is in memory but what is passed on.
template <class T, Operation op>
bool direct_triangle(const Call& call) {
  constexpr bool vector = op == Operation::Trsv || op == Operation::Trmv;
  constexpr bool inverse = op == Operation::Trsv || op == Operation::Trsm;
  const DirectSizes& known = direct_sizes<T>();
  core::Request r;
  core::canonical(call, op, precision_of<T>, r);
  const index order = r.a.rows, rhs = r.b.cols;
  if (!fits(order, vector ? known.vector : known.order)) return false;
  if (!vector && !(fits(rhs, known.columns) && fits(order, order, rhs, known.volume))) return false;
  const T alpha = core::scalar<T>(r.alpha);
  if (!vector && alpha == T(0)) return false;
  const bool few = vector || (rhs <= known.narrow_rhs && order >= known.narrow_order);
  const auto t = [&]() HWY_ATTR { return Triangle<T*>{core::host_view<T>(r.a), r.uplo, r.diag}; };
  const auto b = [&]() HWY_ATTR { return core::host_view<T>(r.b); };
  if (is_tiny(t(), b()) && !(few && !inverse && dots_are_better(t(), b()))) return tiny<inverse>(alpha, t(), b());
  return few ? narrow<inverse>(alpha, t(), b(), 1) : triangular_beyond<inverse>(alpha, t(), b(), false);
}

/// The kernels that doors may go to by themselves: none where another one may be better.
template <bool inverse, class T>
constexpr core::TinyTable<T> direct_tiny() {
  core::TinyTable<T> table = tiny_table<inverse, T>();
  core::TinyOrders& single = table.orders[static_cast<int>(Lie::Single)];
  if (!inverse) single.any = std::min(single.any, broadcast_order<T>);
  return table;
}

/// GEMM, SYRK, HERK.
template <class T, Operation op>
bool direct_product(const Call& call) {
  constexpr Mirror mirror = core::mirror_of(op);
  const DirectSizes& known = direct_sizes<T>();
  core::Request r;
  core::canonical(call, op, precision_of<T>, r);
  if (!is_direct_product<T>(r, known)) return false;
  const index depth = r.a.cols;
  const T alpha = core::scalar<T>(r.alpha), beta = core::scalar<T>(r.beta);
  const Mask mask = op == Operation::Gemm ? Mask::All : mask_of<T>(mirror, r.uplo);
  const auto a = [&]() HWY_ATTR { return core::host_view<T>(r.a); };
  const auto bt = [&]() HWY_ATTR {
    return op == Operation::Gemm ? core::transpose(core::host_view<T>(r.b)) : core::bar<mirror>(a());
  };
  const auto c = [&]() HWY_ATTR { return core::host_view<T>(r.c); };
  const auto few_rows = [&](const Matrix<T*>& of_c, const Matrix<T*>& of_ct, const Matrix<T*>& result, Mask within)
                            TRIGON_INLINE_LAMBDA {
                              if (!is_tiny_gemm<T>({of_c}, {of_ct}, result, known.blocking.small)) return false;
                              TinyGemm<T> g;
                              g.begin(alpha, beta, result, within);
                              g.terms.count = 1, g.terms.depth[0] = depth;
                              read_in_place(g.terms.a[0], of_c), read_in_place(g.terms.x[0], of_ct);
                              return tiny_of_height(g, result.cols, depth);
                            };
  if constexpr (op == Operation::Gemm && goes_across<T>)
    if (known.blocking.small >= tiny_order) {
      if (is_across_few<T>(r.b.col_stride, r.c, depth)) return gemm_across(alpha, a(), bt(), beta, c(), depth), true;
      if (r.c.row_stride != 1 && is_across_few<T>(r.a.row_stride, core::transpose(c()), depth))
        return gemm_across(alpha, bt(), a(), beta, core::transpose(c()), depth), true;
    }
  if constexpr (op == Operation::Gemm)
    if (known.blocking.any_order) {
      const FewWay way = few_way<T>(r.a, r.b.col_stride, r.b.row_stride, r.c);
      if (way == FewWay::AsColumn)
        return gemm_beyond<T>(alpha, bt(), a(), beta, core::transpose(c()), mask, known.blocking);
      if (way != FewWay::None) return gemm_few_lines(way, alpha, a(), bt(), beta, c());
    }
  if (r.c.row_stride == 1 ? few_rows(a(), bt(), c(), mask)
                          : few_rows(bt(), a(), core::transpose(c()), transposed(mask)))
    return true;
  return gemm_beyond<T>(alpha, a(), bt(), beta, c(), mask, known.blocking);
}

/// SYMM, HEMM.
template <class T, Operation op>
bool direct_symmetric(const Call& call) {
  const DirectSizes& known = direct_sizes<T>();
  core::Request r;
  core::canonical(call, op, precision_of<T>, r);
  if (!is_direct_product<T>(r, known) || r.c.cols > known.columns) return false;
  const T alpha = core::scalar<T>(r.alpha), beta = core::scalar<T>(r.beta);
  const auto s = [&]() HWY_ATTR {
    return Factor<T>{core::host_view<T>(r.a), op == Operation::Hemm ? Form::Hermitian : Form::Symmetric, r.uplo};
  };
  const auto b = [&]() HWY_ATTR { return core::host_view<T>(r.b); };
  const auto c = [&]() HWY_ATTR { return core::host_view<T>(r.c); };
  if (known.blocking.small >= tiny_order && is_tiny_product(alpha, s(), b(), beta, c()))
    return tiny_product(s(), b(), beta, c()), true;
  return gemm<T>(alpha, s(), {core::transpose(b())}, beta, c(), Mask::All, known.blocking);
}

template <class T, Operation op>
constexpr auto direct_way() -> bool (*)(const Call&) {
  using enum Operation;
  if constexpr (op == Gemm || op == Syrk || op == Herk) return direct_product<T, op>;
  if constexpr (op == Symm || op == Hemm) return direct_symmetric<T, op>;
  if constexpr (op == Trmm || op == Trsm || op == Trmv || op == Trsv) return direct_triangle<T, op>;
  return nullptr;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
