// The CBLAS door: the layout first, then the Fortran order.
#include "doors/blas/names.h"
#include "doors/blas/report.hpp"
#include "doors/by_value.hpp"

namespace trigon::doors {
namespace {

template <class T>
using Cblas = ByValue<T, Int>;

template <class... P>
[[gnu::cold, gnu::noinline]] void reject(const Call& call, Argument bad, int layout, P... arguments) {
  const long long values[] = {layout, raw(arguments)...};
  report_cblas(call, bad, values[position(call.operation, bad, true) - 1]);
}

}  // namespace
}  // namespace trigon::doors

using trigon::doors::Cblas;

#define TRIGON_ENTRY(prefix, T, routine, Name, SHAPE)                                                     \
  TRIGON_BLAS_EXPORT void TRIGON_CBLAS(TRIGON_PASTE(prefix, routine))(                                    \
      int layout SHAPE(TRIGON_PARAMETER, TRIGON_PARAMETER, Cblas<T>)) {                                   \
    const auto prepare = [=](trigon::Call& call) { Cblas<T>::read(call.layout, layout); };                \
    const auto reject = [=](const trigon::Call& call, trigon::Argument bad) {                             \
      return trigon::doors::reject(call, bad, layout SHAPE(TRIGON_ARGUMENT, TRIGON_ARGUMENT, Cblas<T>));  \
    };                                                                                                    \
    TRIGON_BODY(T, Name, SHAPE, Cblas<T>, prepare, (trigon::core::execute_at_once<T, operation>), reject, \
                (trigon::doors::run<operation, T>))                                                       \
  }                                                                                                       \
  TRIGON_CBLAS_RESPELL(TRIGON_PASTE(prefix, routine))
TRIGON_ROUTINES(TRIGON_ENTRY)
