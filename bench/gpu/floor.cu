#include "floor.hpp"

#include "cuda/chain.cuh"
#include "cuda/launch.hpp"

#include <cmath>
#include <complex>
#include <vector>

namespace trigon::gpu {
namespace {

using namespace cuda;

/// A link's triangle is 2 on the diagonal and nothing else, its tile the unit matrix: x halves from link to link.
template <class T>
TRIGON_KERNEL(warp_size)
relay_kernel(int links, T* x, int* control) {
  TRIGON_SHARED(T, tile, tile_size);
  TRIGON_SHARED(int, taken, 1);
  T held[panel_tile];
  for (int j = 0; j < panel_tile; ++j) {
    held[j] = number<T>(lane() == j ? 1 : 0);
    tile[lane() * tile_pitch + j] = number<T>(lane() == j ? 2 : 0);
  }
  sync_warp();
  for (;;) {
    if (lane() == 0) *taken = take(control);
    sync_block();
    const int link = *taken;
    if (link >= links) return;
    T passed[1] = {number<T>(1)};
    if (link > 0) {
      if (lane() == 0) wait_for(control + link);
      sync_warp();
      passed[0] = times<T, false>(held, x[(link - 1) * warp_size + lane()]);
    }
    solve_in_warp(tile + lane() * tile_pitch, panel_tile, true, false, passed);
    x[link * warp_size + lane()] = passed[0];
    sync_block();
    if (lane() == 0) publish(control + 1 + link);
  }
}

template <class F>
void with_device_type(char precision, F&& f) {
  switch (precision) {
    case 's': return f(float{});
    case 'd': return f(double{});
    case 'c': return f(Complex<float>{});
    default: return f(Complex<double>{});
  }
}

std::size_t element(char precision) {
  std::size_t size = 0;
  with_device_type(precision, [&](auto zero) { size = sizeof zero; });
  return size;
}

}  // namespace

RelayRace::RelayRace(char precision, int links)
    : precision_(precision),
      links_(links),
      control_(sizeof(int) * static_cast<std::size_t>(links + 1)),
      x_(element(precision) * static_cast<std::size_t>(links) * warp_size) {}

void RelayRace::run() const {
  const Stream on{stream(), 0, 1};
  clear(on, static_cast<int*>(control_.address()), links_ + 1);
  with_device_type(precision_, [&]<class T>(T) {
    launch(on, 64, warp_size, relay_kernel<T>, links_, static_cast<T*>(x_.address()),
           static_cast<int*>(control_.address()));
  });
}

bool RelayRace::right() const {
  wait();
  bool right = true;
  with_device_type(precision_, [&]<class T>(T) {
    std::vector<T> x(static_cast<std::size_t>(links_) * warp_size);
    download(x.data(), x_.address(), x.size() * sizeof(T));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto expected = std::ldexp(device_real_t<T>(1), -1 - static_cast<int>(i / warp_size));
      if constexpr (device_complex<T>)
        right = right && x[i].re == expected && x[i].im == 0;
      else
        right = right && x[i] == expected;
    }
  });
  return right;
}

}  // namespace trigon::gpu
