// Which GEMM the products between leaves get: our own, unless TRIGON_PROVIDER names cuBLAS or the tuning table says
// that it is faster.
#include "cuda/plugin.hpp"
#include "cuda/queue.hpp"

#include <algorithm>

namespace trigon::cuda::plugin {
namespace {

using core::ProviderUse;

Provider own(const std::string& why) { return {ProviderUse::Never, "own GEMM: " + why}; }

#if !defined(TRIGON_HIP)
bool worth_opening() {
  const auto& work = host->tuning.cuda_provider_work.value;
  return std::any_of(work.begin(), work.end(), [](index w) { return w > 0; });
}

/// Why no queue of a device can have cuBLAS's GEMM, or "".
std::string objection(std::optional<int> device) {
  try {
    const Queue probe(open_stream(device ? *device : host_device()), false, ProviderUse::Always);
    return {};
  } catch (const failure& f) {
    return f.what();
  }
}
#endif

Provider choose([[maybe_unused]] std::optional<int> device) {
#if defined(TRIGON_HIP)
  return own("HIP has no provider here");
#else
  const std::string& wanted = host->environment.provider;
  const bool named = wanted == "cublas" || wanted.find('/') != std::string::npos;
  if (host->environment.reproducible) return own("TRIGON_REPRODUCIBLE");
  if (!named && wanted != "auto") return own("TRIGON_PROVIDER=" + wanted);
  if (!named && !worth_opening()) return own("the tuning table sends none to cuBLAS");
  const CublasLibrary& library = open_cublas(named ? wanted : "cublas");
  if (library.path.empty()) return own((named ? "TRIGON_PROVIDER=" + wanted : "cuBLAS") + ": " + library.why);
  // Where a named library was opened, a queue without a handle fails. A table may come from another machine.
  if (const std::string why = named ? "" : objection(device); !why.empty()) return own(why);
  return {named ? ProviderUse::Always : ProviderUse::Measured,
          "GEMM of " + library.path + (named ? ": TRIGON_PROVIDER" : " where the tuning table says so")};
#endif
}

}  // namespace

const Provider& provider(std::optional<int> device) {
  static const Provider& chosen = *new Provider(choose(device));
  return chosen;
}

}  // namespace trigon::cuda::plugin
