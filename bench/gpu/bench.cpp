// The benchmark: Trigon and cuBLAS in turn on the same operands.
#include "cublas.hpp"
#include "stages.hpp"

#include <map>

namespace trigon::gpu {
namespace {

std::string sized(const std::string& head, int m, int n, int k = 0) {
  return head + " m=" + std::to_string(m) + " n=" + std::to_string(n) + (k ? " k=" + std::to_string(k) : "");
}

/// What is judged first comes first, should time run out.
std::vector<std::string> rows(const Settings& s) {
  std::vector<std::string> list;
  const std::vector<int> squares = s.tiny ? std::vector{40} : std::vector{512, 1024, 2048, 4096, 8192};
  const std::vector<int> triangles = s.tiny ? std::vector{70} : std::vector{2048, 4096, 8192, 16384};
  for (const std::string p : {"d", "s", "z", "c"}) {
    const bool complex = p == "c" || p == "z";
    for (const int n : squares) {
      if (complex && n > 4096) continue;
      const std::string order = " n=" + std::to_string(n), depth = " k=" + std::to_string(n);
      list.push_back(sized(p + "gemm", n, n, n));
      for (const std::string op : {"trsm", "trmm"})
        for (const std::string flags : {"", " side=R uplo=U transa=T"}) list.push_back(sized(p + op + flags, n, n));
      list.push_back(sized(p + (complex ? "hemm" : "symm"), n, n));
      for (const std::string op : {"syrk", "syr2k"}) list.push_back(p + op + order + depth);
      if (complex) list.insert(list.end(), {p + "herk" + order + depth, p + "her2k" + order + depth});
    }
    for (const int m : triangles) {
      if (complex && m > 8192) continue;
      for (const std::string op : {"trsv", "trmv"})
        for (const std::string flags : {"", " transa=T"}) list.push_back(p + op + flags + " n=" + std::to_string(m));
      for (const std::string op : {"trsm", "trmm"})
        for (const int n : {4, 16, 64}) list.push_back(sized(p + op, m, n));
    }
    // Squares that are none: between few right-hand sides and as many as rows.
    for (const int n : s.tiny ? std::vector{20} : std::vector{128, 512})
      for (const std::string op : {"trsm", "trmm"}) list.push_back(sized(p + op, s.tiny ? 60 : 4096, n));
  }
  if (!s.tiny) list.insert(list.end(), {"dtrsv n=32768", "strsv n=32768", "ztrsv n=16384", "ctrsv n=16384"});
  return list;
}

/// Bytes that a call cannot but move: what it reads and writes, a triangle or a symmetric matrix once.
double bytes_of(const Call& c) {
  const auto size = static_cast<double>(with_type(c.precision, [](auto zero) { return sizeof zero; }));
  const double m = static_cast<double>(c.m), n = static_cast<double>(c.n), k = static_cast<double>(c.k);
  const double order = has(c, Argument::X) || c.side == Side::Right ? n : m, triangle = order * order / 2;
  const bool beta = c.beta != 0.0;
  switch (c.operation) {
    case Operation::Gemm: return size * (m * k + k * n + m * n * (beta ? 2 : 1));
    case Operation::Symm:
    case Operation::Hemm: return size * (triangle + m * n * (beta ? 3 : 2));
    case Operation::Syrk:
    case Operation::Herk: return size * (n * k + n * n / (beta ? 1 : 2));
    case Operation::Syr2k:
    case Operation::Her2k: return size * (2 * n * k + n * n / (beta ? 1 : 2));
    case Operation::Trmv:
    case Operation::Trsv: return size * (triangle + 2 * n);
    default: return size * (triangle + 2 * m * n);
  }
}

/// One row; whether Trigon's result was right.
bool measure(const Call& call, bool beside_cublas, const Settings& s) {
  const Problem p(complete(call), s.seed);
  std::vector<std::pair<std::string, std::function<void()>>> all{{"trigon", [&] { trigon_call(p.device()); }}};
  if (beside_cublas && cublas_has(p.host())) all.push_back({"cublas", [&] { cublas(p.device()); }});
  std::map<std::string, std::vector<double>> seconds;
  // The peer is not judged: a judge on the host takes seconds where sizes are large.
  const int samples = std::max({p.host().m, p.host().n, p.host().k}) >= 4096 ? 1 : 2;
  for (const auto& [name, work] : all) {
    p.restore();
    work();  // the first call of each warms up
  }
  p.restore();
  trigon_call(p.device());
  wait();
  const double error = verify(p.host(), p.result().data(), {samples, s.seed}).ratio;
  const int rounds = s.tiny ? 3 : 15;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [name, work] = all[(i + static_cast<std::size_t>(round)) % all.size()];
      p.restore();
      seconds[name].push_back(time_of(work));
    }
  const Call& c = p.host();
  for (const auto& [name, work] : all) {
    const double middle = median(seconds[name]);
    nlohmann::json row{{"stage", "bench"},
                       {"routine", routine(c)},
                       {"call", to_text(c)},
                       {"m", c.m},
                       {"n", c.n},
                       {"k", c.k},
                       {"path", explain(c).path},
                       {"seed", s.seed},
                       {"implementation", name},
                       {"seconds", middle},
                       {"rounds", rounds},
                       {"least", *std::min_element(seconds[name].begin(), seconds[name].end())},
                       {"gflops", 1e-9 * flops(c) / middle},
                       {"bytes", bytes_of(c)},
                       {"gbps", 1e-9 * bytes_of(c) / middle}};
    if (name == "trigon") row["error"] = error;
    emit(row);
  }
  return error <= 1;
}

}  // namespace

bool bench(const Settings& s) {
  const std::string absent = open_cublas(stream());
  if (!absent.empty()) emit({{"stage", "bench"}, {"peer", "cublas"}, {"absent", absent}});
  const Deadline deadline(s);
  bool right = true;
  int left_out = 0;
  // What an earlier run left out comes first, and what it measured once more while there is time.
  std::vector<std::string> list = rows(s);
  const auto measured = [&](const std::string& row) { return s.measured.contains(to_text(complete(parse_call(row)))); };
  std::stable_partition(list.begin(), list.end(), std::not_fn(measured));
  for (const std::string& row : list) {
    if (!deadline.passed())
      right = carried_out("bench", row, [&] { return measure(parse_call(row), absent.empty(), s); }) && right;
    else if (!measured(row))
      ++left_out;
  }
  if (left_out > 0) emit({{"stage", "bench"}, {"left_out", left_out}});
  return right && left_out == 0;
}

/// One launch of each kind of kernel, to be watched by a profiler.
bool profile(const Settings& s) {
  for (const char* call : {"dgemm m=4096 n=4096 k=4096", "dsyrk n=4096 k=4096", "sgemm m=4096 n=4096 k=4096",
                           "dtrsm m=128 n=8192", "dtrsv n=16384", "dtrsm m=8192 n=16"}) {
    const Problem p(complete(parse_call(s.tiny ? "dgemm m=40 n=40 k=40" : call)), s.seed);
    trigon_call(p.device());
    queue().finish();
  }
  return true;
}

}  // namespace trigon::gpu
