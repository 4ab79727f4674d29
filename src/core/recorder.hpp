// A backend that writes down what it is asked to do. The recursions never branch on data, so the list is
// the static schedule of a call: `explain` prints it.
#pragma once

#include "core/algorithm.hpp"
#include "core/request.hpp"

#include <trigon/inspect.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace trigon::core {

/// Runs `inner` and notes each task; `inner` may do nothing at all (see Nothing). Every split of the
/// recursion makes two halves and `gemms` rectangles: that is how a task's level is known.
template <class T, class Inner>
class Recorder {
 public:
  Recorder(Inner inner, std::vector<Task>& tasks, int gemms) : inner_(std::move(inner)), tasks_(tasks), gemms_(gemms) {}

  index leaf(index n, index rhs) {
    const index stop = inner_.leaf(n, rhs);
    if (n > stop) open_.push_back({2, gemms_});
    return stop;
  }

  template <class A, class B, class C>
  void gemm(T alpha, Matrix<A> a, Matrix<B> b, T beta, Matrix<C> c) {
    note("gemm", c.rows, c.cols, a.cols, 2.0 * volume(c.rows, c.cols, a.cols),
         [&] { inner_.gemm(alpha, a, b, beta, c); });
  }
  template <class A, class B>
  void solve(T alpha, Triangle<A> t, Matrix<B> b) {
    note("solve", t.n(), b.cols, t.n(), volume(t.n(), t.n(), b.cols), [&] { inner_.solve(alpha, t, b); });
  }
  template <class A, class B>
  void multiply(T alpha, Triangle<A> t, Matrix<B> b) {
    note("multiply", t.n(), b.cols, t.n(), volume(t.n(), t.n(), b.cols), [&] { inner_.multiply(alpha, t, b); });
  }
  template <Mirror mirror, class A, class B, class C>
  void product(T alpha, Triangle<A> s, Matrix<B> b, T beta, Matrix<C> c) {
    note("product", s.n(), b.cols, s.n(), 2.0 * volume(s.n(), s.n(), b.cols),
         [&] { inner_.template product<mirror>(alpha, s, b, beta, c); });
  }
  template <Mirror mirror, class A, class C>
  void update(T alpha, Matrix<A> a, T beta, Triangle<C> c) {
    note("update", c.n(), c.n(), a.cols, volume(c.n(), c.n() + 1, a.cols),
         [&] { inner_.template update<mirror>(alpha, a, beta, c); });
  }
  template <Mirror mirror, class A, class C>
  void update2(T alpha, Matrix<A> a, Matrix<A> b, T beta, Triangle<C> c) {
    note("update2", c.n(), c.n(), a.cols, 2.0 * volume(c.n(), c.n() + 1, a.cols),
         [&] { inner_.template update2<mirror>(alpha, a, b, beta, c); });
  }

 private:
  /// What a split still waits for.
  struct Node {
    int halves, gemms;
  };

  static double volume(index m, index n, index k) {
    return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }

  template <class Work>
  void note(const char* kind, index m, index n, index k, double flops, Work&& work) {
    const double unit = is_complex<T> ? 4 : 1;
    const double start = inner_.now();
    work();
    tasks_.push_back({kind, m, n, k, level(kind), inner_.now() - start, unit * flops});
  }

  int level(std::string_view kind) {
    const bool gemm = kind == "gemm";
    const int depth = static_cast<int>(open_.size());
    if (open_.empty()) return 0;
    --(gemm ? open_.back().gemms : open_.back().halves);
    while (!open_.empty() && open_.back().halves == 0 && open_.back().gemms == 0) {
      open_.pop_back();
      if (!open_.empty()) --open_.back().halves;
    }
    return gemm ? depth - 1 : depth;
  }

  Inner inner_;
  std::vector<Task>& tasks_;
  int gemms_;
  std::vector<Node> open_;
};

/// A pointer to nothing: the recursion of a described call needs places, not memory.
struct Place {
  index offset = 0;
};
inline Place shift(Place p, index i, index j, index row_stride, index col_stride) {
  return {p.offset + i * row_stride + j * col_stride};
}
inline Matrix<Place> place_view(const Operand& o) {
  return {{o.offset}, o.rows, o.cols, o.row_stride, o.col_stride, o.conj};
}

/// The backend that has no arithmetic: recording it touches no operand.
template <class T>
struct Nothing {
  index stop;
  index leaf(index, index) const { return stop; }
  double now() const { return 0; }
  template <class... Args>
  void gemm(const Args&...) {}
  template <class... Args>
  void solve(const Args&...) {}
  template <class... Args>
  void multiply(const Args&...) {}
  template <Mirror, class... Args>
  void product(const Args&...) {}
  template <Mirror, class... Args>
  void update(const Args&...) {}
  template <Mirror, class... Args>
  void update2(const Args&...) {}
};

}  // namespace trigon::core
