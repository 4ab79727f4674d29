// What nothing can be faster than.
#include "cublas.hpp"
#include "floor.hpp"
#include "stages.hpp"

namespace trigon::gpu {
namespace {

double repeated(int rounds, const std::function<void()>& work) {
  work();
  std::vector<double> seconds;
  for (int i = 0; i < rounds; ++i) seconds.push_back(time_of(work));
  return median(seconds);
}

}  // namespace

/// Copies, a launch, a link of a chain, and cuBLAS's GEMM.
bool ceilings(const Settings& s) {
  const std::size_t bytes = s.tiny ? 1 << 16 : std::size_t{2} << 30;
  Memory from(bytes), to(bytes);
  const double copied = repeated(9, [&] { copy(to.address(), from.address(), bytes); });
  emit({{"stage", "ceilings"},
        {"what", "copy"},
        {"bytes", 2 * bytes},
        {"seconds", copied},
        {"gbps", 2e-9 * static_cast<double>(bytes) / copied}});

  const Problem small(complete(parse_call("dgemm m=1 n=1 k=1")), s.seed);
  constexpr int launches = 200;
  const double each = repeated(5,
                               [&] {
                                 for (int i = 0; i < launches; ++i) trigon_call(small.device());
                               }) /
                      launches;
  emit({{"stage", "ceilings"}, {"what", "launch"}, {"seconds", each}});

  for (const char precision : {'s', 'd', 'c', 'z'}) {
    const int links = s.tiny ? 5 : 512;
    const RelayRace race(precision, links);
    const double link = repeated(s.tiny ? 1 : 9, [&] { race.run(); }) / links;
    if (!race.right()) {
      emit({{"stage", "ceilings"}, {"wrong", "the chain of nothing but waits"}});
      return false;
    }
    emit({{"stage", "ceilings"},
          {"what", "link of a chain"},
          {"precision", std::string(1, precision)},
          {"seconds", link}});
  }

  if (const std::string why = open_cublas(stream()); !why.empty()) {
    emit({{"stage", "ceilings"}, {"what", "cublas"}, {"absent", why}});
    return true;
  }
  for (const char* call : {"sgemm m=8192 n=8192 k=8192", "dgemm m=8192 n=8192 k=8192", "zgemm m=4096 n=4096 k=4096"}) {
    const Problem p(complete(parse_call(call)), s.seed);
    const double seconds = repeated(9, [&] { cublas(p.device()); });
    emit({{"stage", "ceilings"},
          {"what", "cublas " + routine(p.host())},
          {"seconds", seconds},
          {"gflops", 1e-9 * flops(p.host()) / seconds}});
  }
  return true;
}

}  // namespace trigon::gpu
