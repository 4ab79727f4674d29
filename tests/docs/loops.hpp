// The backend of docs/adding-a-backend.md: the least that the recursions can run on.
#pragma once

#include "core/dispatch.hpp"
#include "core/plugin.hpp"
#include "core/recorder.hpp"

#include <chrono>

namespace trigon::loops {

using namespace core;

// [backend]
template <class T>
struct Backend {
  static T get(Matrix<T*> m, index i, index j) {
    const T x = *shift(m.data, i, j, m.row_stride, m.col_stride);
    return m.conj ? conj_scalar(x) : x;
  }
  static T& at(Matrix<T*> m, index i, index j) { return *shift(m.data, i, j, m.row_stride, m.col_stride); }
  template <Mirror mirror>
  static void make_real(T& x) {
    if constexpr (mirror == Mirror::Hermitian && is_complex<T>) x.imag(0);
  }

  /// Down to single elements: then every leaf is a scalar or a GEMM.
  index leaf(index, index) const { return 1; }

  void gemm(T alpha, Matrix<T*> a, Matrix<T*> b, T beta, Matrix<T*> c) const {
    for (index j = 0; j < c.cols; ++j)
      for (index i = 0; i < c.rows; ++i) {
        T sum(0);
        for (index k = 0; k < a.cols; ++k) sum += get(a, i, k) * get(b, k, j);
        T& x = at(c, i, j);
        x = beta == T(0) ? alpha * sum : alpha * sum + beta * x;
      }
  }

  void solve(T alpha, Triangle<T*> t, Matrix<T*> b) const {
    for (index j = 0; j < b.cols; ++j) {
      at(b, 0, j) *= alpha;
      if (t.diag == Diag::NonUnit) at(b, 0, j) /= get(t.a, 0, 0);
    }
  }

  void multiply(T alpha, Triangle<T*> t, Matrix<T*> b) const {
    for (index j = 0; j < b.cols; ++j) {
      if (t.diag == Diag::NonUnit) at(b, 0, j) *= get(t.a, 0, 0);
      at(b, 0, j) *= alpha;
    }
  }

  template <Mirror mirror>
  void product(T alpha, Triangle<T*> s, Matrix<T*> b, T beta, Matrix<T*> c) const {
    T diagonal = get(s.a, 0, 0);
    make_real<mirror>(diagonal);
    gemm(alpha, {&diagonal, 1, 1, 1, 1}, b, beta, c);
  }

  template <Mirror mirror>
  void update(T alpha, Matrix<T*> a, T beta, Triangle<T*> c) const {
    if (beta != T(0)) make_real<mirror>(at(c.a, 0, 0));
    gemm(alpha, a, mirrored<mirror>(a), beta, c.a);
    make_real<mirror>(at(c.a, 0, 0));
  }

  template <Mirror mirror>
  void update2(T alpha, Matrix<T*> a, Matrix<T*> b, T beta, Triangle<T*> c) const {
    if (beta != T(0)) make_real<mirror>(at(c.a, 0, 0));
    gemm(alpha, a, mirrored<mirror>(b), beta, c.a);
    gemm(mirror == Mirror::Hermitian ? conj_scalar(alpha) : alpha, b, mirrored<mirror>(a), T(1), c.a);
    make_real<mirror>(at(c.a, 0, 0));
  }

  double now() const {  // for execute_timed only
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

static_assert(core::Backend<Backend<double>, double, double*>);
// [backend]

// [plugin]
inline const char* unavailable() { return nullptr; }
inline const char* device() { return "plain loops"; }

inline Plan plan(const Request& r) {
  Plan p = core::plan(r, Machine{}, Tuning{});
  if (p.path != Path::Nothing && p.path != Path::Scale) p.path = Path::Recursion;
  p.leaf = 1;
  return p;
}

inline std::size_t workspace_size(const Request&, const Plan&) { return 0; }

/// alpha = 0, or an inner dimension of 0: the same without the operands that must not be read.
template <class T>
void scale(Request r) {
  Backend<T> backend;
  r.a.cols = 0;
  if (r.operation == Operation::Trmm || r.operation == Operation::Trsm) r.c = r.b, r.beta = 0;
  r.b = r.a;
  const bool update = r.operation >= Operation::Syrk && r.operation <= Operation::Her2k;
  if (!update) r.operation = Operation::Gemm;
  core::dispatch<T>(r, backend, host_view<T>);
}

inline Status execute(const Request& r, const Plan& p) {
  with_type(r.precision, [&]<class T>(T) {
    if (p.path == Path::Scale) return scale<T>(r);
    Backend<T> backend;
    core::dispatch<T>(r, backend, host_view<T>);
  });
  return Status::Success;
}

inline Status execute_timed(const Request& r, const Plan& p, std::vector<Task>& tasks) {
  if (p.path == Path::Scale) {
    tasks.push_back(whole(r, p));
    return execute(r, p);
  }
  with_type(r.precision, [&]<class T>(T) {
    Recorder<T, Backend<T>> recorder({}, tasks, gemms_per_split(r.operation));
    core::dispatch<T>(r, recorder, host_view<T>);
  });
  return Status::Success;
}

inline const Plugin& plugin() {
  static constexpr Plugin table{plugin_abi, "loops", unavailable, device, plan, workspace_size, execute, execute_timed};
  return table;
}
// [plugin]

}  // namespace trigon::loops
