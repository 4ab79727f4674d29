// What `bench/gpu_run` starts: measures and judges the CUDA backend on device memory. One line of JSON per result.
//
//     gpu_measure ceilings | correctness | stress | bench [--tiny] [--seed N] [--cases N]
#include "cublas.hpp"
#include "device.hpp"
#include "operands.hpp"

#include <trigon/device.hpp>
#include <trigon/inspect.hpp>
#include <trigon/operands.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <random>

namespace trigon::gpu {
namespace {

using nlohmann::json;

struct Settings {
  bool tiny = false;  ///< sizes for a dry run on the CPU, or under compute-sanitizer
  std::uint64_t seed = 1;
  int cases = 0;  ///< of the correctness stage; 0: its own number
};

bool failed = false;

void emit(const json& row) { std::cout << row.dump() << std::endl; }

const Queue& queue() {
  static const Queue q(backend(), stream());
  return q;
}

void trigon_call(const Call& device) { execute(device, {}, queue()); }

/// Puts leading dimensions where there are none.
Call complete(Call c) {
  for (const auto& [operand, ld] : {std::pair{Argument::A, &c.lda}, {Argument::B, &c.ldb}, {Argument::C, &c.ldc}}) {
    if (!has(c, operand)) continue;
    const Extent e = extent(c, operand);
    *ld = std::max<index>({*ld, 1, c.layout == Layout::ColMajor ? e.rows : e.cols});
  }
  return c;
}

json described(const Call& c) {
  return {{"routine", routine(c)}, {"call", to_text(c)}, {"m", c.m}, {"n", c.n}, {"k", c.k}, {"path", explain(c).path}};
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

double time_of(const std::function<void()>& work) {
  start_clock();
  work();
  return stop_clock();
}

double repeated(int rounds, const std::function<void()>& work) {
  work();
  std::vector<double> seconds;
  for (int i = 0; i < rounds; ++i) seconds.push_back(time_of(work));
  return median(seconds);
}

/// What nothing can be faster than: copies, a launch, and cuBLAS's GEMM.
void ceilings(const Settings& s) {
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

  const Problem chain(complete(parse_call(s.tiny ? "dtrsv n=320" : "dtrsv n=16384")), s.seed);
  const double link =
      repeated(s.tiny ? 1 : 5, [&] { trigon_call(chain.device()); }) / static_cast<double>(chain.host().n / 32);
  emit({{"stage", "ceilings"}, {"what", "link of a chain"}, {"seconds", link}});

  if (const std::string why = open_cublas(stream()); !why.empty())
    return emit({{"stage", "ceilings"}, {"what", "cublas"}, {"absent", why}});
  for (const char* call : {"sgemm m=8192 n=8192 k=8192", "dgemm m=8192 n=8192 k=8192", "zgemm m=4096 n=4096 k=4096"}) {
    const Problem p(complete(parse_call(call)), s.seed);
    const double seconds = repeated(9, [&] { cublas(p.device()); });
    emit({{"stage", "ceilings"},
          {"what", "cublas " + routine(p.host())},
          {"seconds", seconds},
          {"gflops", 1e-9 * flops(p.host()) / seconds}});
  }
}

/// A call with random flags and sizes.
Call random_call(std::mt19937_64& random, index most) {
  Call c;
  c.operation = static_cast<Operation>(random() % operation_count);
  constexpr Precision precisions[] = {Precision::Single, Precision::Double, Precision::ComplexSingle,
                                      Precision::ComplexDouble};
  c.precision = precisions[random() % 4];
  const bool complex = c.precision == Precision::ComplexSingle || c.precision == Precision::ComplexDouble;
  const bool hermitian =
      c.operation == Operation::Hemm || c.operation == Operation::Herk || c.operation == Operation::Her2k;
  if (hermitian && !complex) c.precision = Precision::ComplexDouble;
  const bool rank_k = c.operation >= Operation::Syrk && c.operation <= Operation::Her2k;
  constexpr Op ops[] = {Op::NoTrans, Op::Trans, Op::ConjTrans};
  c.layout = random() % 2 ? Layout::ColMajor : Layout::RowMajor;
  c.side = random() % 2 ? Side::Left : Side::Right;
  c.uplo = random() % 2 ? Uplo::Lower : Uplo::Upper;
  c.diag = random() % 2 ? Diag::NonUnit : Diag::Unit;
  c.transa = ops[random() % 3], c.transb = ops[random() % 3];
  if (rank_k && c.transa != Op::NoTrans) c.transa = hermitian ? Op::ConjTrans : Op::Trans;
  const auto size = [&] {
    return 1 + static_cast<index>(random() % static_cast<std::uint64_t>(random() % 3 ? most : 20));
  };
  c.m = size(), c.n = size(), c.k = size();
  c.alpha = 0.75, c.beta = random() % 2 ? -0.5 : 0;
  c.incx = random() % 2 ? 1 : -3;
  return c;
}

/// Whether the provider that the environment asks for is in use. Otherwise every call would pass on our own kernels.
bool has_its_provider() {
  if (!std::getenv("TRIGON_PROVIDER")) return true;
  for (const BackendInfo& b : backends())
    if (b.name == backend() && b.detail.find("GEMM of ") != std::string::npos) return true;
  return false;
}

/// Random calls with fresh seeds on guarded, poisoned operands: judged, and three times the same bits.
void correctness(const Settings& s) {
  if (!has_its_provider()) {
    emit({{"stage", "correctness"}, {"wrong", "TRIGON_PROVIDER is not in use"}});
    failed = true;
    return;
  }
  std::mt19937_64 random(s.seed);
  // First some calls in which blocks take several tickets each: 608 on 132 multiprocessors, or 14 on the shim's two.
  const std::string many_tickets[] = {"dtrsm", "ctrmm uplo=U", "ztrsm transa=C", "strmm transa=T"};
  const std::string more_rows = s.tiny ? " m=220 n=7" : " m=1200 n=61";
  const int cases = s.cases > 0 ? s.cases : s.tiny ? 60 : 2000;
  int wrong = 0;
  double worst = 0;
  for (int i = 0; i < cases; ++i) {
    OperandOptions options;
    options.seed = random(), options.protect = false, options.ill_conditioned = random() % 4 == 0;
    const auto chosen = static_cast<std::size_t>(i);
    Operands o(chosen < std::size(many_tickets) ? parse_call(many_tickets[chosen] + more_rows)
                                                : random_call(random, s.tiny ? 70 : 700),
               options);
    Call there = o.call();
    const Argument second = has(there, Argument::X) ? Argument::X : Argument::B;
    const std::size_t element = with_type(there.precision, [](auto zero) { return sizeof zero; });
    std::vector<std::unique_ptr<Memory>> memory;
    const auto send = [&](Argument operand, const void* host) -> void* {
      if (!has(there, operand)) return nullptr;
      memory.push_back(std::make_unique<Memory>(span_of(there, operand) * element));
      upload(memory.back()->address(), host, memory.back()->bytes());
      return memory.back()->address();
    };
    there.a = send(Argument::A, o.call().a), there.b = send(second, o.call().b),
    there.c = send(Argument::C, o.call().c);
    const bool in_b = there.operation >= Operation::Trmm;
    void* const result = in_b ? there.b : there.c;
    const std::size_t bytes = memory.back()->bytes();  // the result is sent last
    std::vector<std::byte> before(bytes), first(bytes), again(bytes);
    std::memcpy(before.data(), o.result(), bytes);
    bool repeats = true;
    for (int time = 0; time < 3; ++time) {
      upload(result, before.data(), bytes);
      trigon_call(there);
      queue().finish();
      download(time == 0 ? first.data() : again.data(), result, bytes);
      repeats = repeats && (time == 0 || again == first);
    }
    std::memcpy(o.result(), first.data(), bytes);
    const Verdict verdict = o.verify({s.tiny ? 4 : 8, random()});
    worst = std::max(worst, verdict.ratio);
    const std::string intrusion = o.intrusion();
    if (verdict.ok() && intrusion.empty() && repeats) continue;
    ++wrong;
    emit({{"stage", "correctness"},
          {"wrong", to_text(o.call())},
          {"words", verdict.ok() ? intrusion : verdict.words},
          {"repeats", repeats}});
  }
  emit({{"stage", "correctness"}, {"cases", cases}, {"failures", wrong}, {"worst", worst}, {"seed", s.seed}});
  failed = failed || wrong > 0;
}

/// The kernels whose blocks wait for each other, many times: a missing fence shows as other bits. With 61 right-hand
/// sides there are thousands of tickets, more than any device has blocks at once.
void stress(const Settings& s) {
  const index order = s.tiny ? 200 : 6000;
  const int rounds = s.tiny ? 3 : 300;
  for (const char* form : {"trsv transa=N", "trsv transa=T", "trmv transa=N", "trmv transa=T", "trsm n=7",
                           "trmm n=7 uplo=U", "trsm n=61", "trmm n=61 uplo=U transa=T"})
    for (const char* precision : {"s", "z"}) {
      Call c = parse_call(std::string(precision) + form);
      (has(c, Argument::M) ? c.m : c.n) = order;
      const Problem p(complete(c), s.seed);
      int other = 0;
      double error = 0;
      std::vector<std::byte> first;
      for (int i = 0; i < rounds; ++i) {
        p.restore();
        trigon_call(p.device());
        queue().finish();
        if (i == 0) {
          first = p.result();
          error = verify(p.host(), first.data(), {2, s.seed}).ratio;
        } else {
          other += p.result() != first;
        }
      }
      emit({{"stage", "stress"},
            {"routine", routine(c)},
            {"call", to_text(p.host())},
            {"rounds", rounds},
            {"error", error},
            {"failures", other}});
      failed = failed || other > 0 || !(error <= 1);
    }
}

std::vector<std::string> rows(const Settings& s) {
  std::vector<std::string> list;
  const std::vector<int> squares = s.tiny ? std::vector{40} : std::vector{512, 1024, 2048, 4096, 8192};
  const std::vector<int> triangles = s.tiny ? std::vector{70} : std::vector{2048, 4096, 8192, 16384};
  const auto with = [](const std::string& head, int m, int n, int k) {
    return head + " m=" + std::to_string(m) + " n=" + std::to_string(n) + (k ? " k=" + std::to_string(k) : "");
  };
  for (const std::string p : {"d", "s", "z", "c"}) {
    const bool complex = p == "c" || p == "z";
    for (const int n : squares) {
      if (complex && n > 4096) continue;
      list.push_back(with(p + "gemm", n, n, n));
      for (const std::string op : {"trsm", "trmm"})
        for (const std::string flags : {"", " side=R uplo=U transa=T"}) list.push_back(with(p + op + flags, n, n, 0));
      list.push_back(with(p + (complex ? "hemm" : "symm"), n, n, 0));
      for (const std::string op : {"syrk", "syr2k"})
        list.push_back(p + op + " n=" + std::to_string(n) + " k=" + std::to_string(n));
    }
    for (const int m : triangles) {
      if (complex && m > 8192) continue;
      for (const std::string op : {"trsv", "trmv"})
        for (const std::string flags : {"", " transa=T"}) list.push_back(p + op + flags + " n=" + std::to_string(m));
      for (const std::string op : {"trsm", "trmm"})
        for (const int n : {4, 16, 64}) list.push_back(with(p + op, m, n, 0));
    }
  }
  return list;
}

/// Trigon and cuBLAS in turn, on the same operands; each result judged.
void bench(const Settings& s) {
  const std::string absent = open_cublas(stream());
  if (!absent.empty()) emit({{"stage", "bench"}, {"peer", "cublas"}, {"absent", absent}});
  const int rounds = s.tiny ? 3 : 15;
  for (const std::string& row : rows(s)) {
    const Problem p(complete(parse_call(row)), s.seed);
    std::vector<std::pair<std::string, std::function<void()>>> all{{"trigon", [&] { trigon_call(p.device()); }}};
    if (absent.empty() && cublas_has(p.host())) all.push_back({"cublas", [&] { cublas(p.device()); }});
    std::map<std::string, std::vector<double>> seconds;
    std::map<std::string, double> error;
    for (const auto& [name, work] : all) {
      p.restore();
      work();
      wait();
      error[name] = verify(p.host(), p.result().data(), {2, s.seed}).ratio;
    }
    for (int round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [name, work] = all[(i + static_cast<std::size_t>(round)) % all.size()];
        p.restore();
        seconds[name].push_back(time_of(work));
      }
    for (const auto& [name, work] : all) {
      json out = described(p.host());
      const double middle = median(seconds[name]);
      out.update({{"stage", "bench"},
                  {"implementation", name},
                  {"seconds", middle},
                  {"rounds", rounds},
                  {"least", *std::min_element(seconds[name].begin(), seconds[name].end())},
                  {"gflops", 1e-9 * flops(p.host()) / middle},
                  {"error", error[name]}});
      emit(out);
    }
    failed = failed || !(error["trigon"] <= 1);
  }
}

int run(int argc, char** argv) {
  Settings s;
  std::string stage;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--tiny")
      s.tiny = true;
    else if (word == "--seed" && i + 1 < argc)
      s.seed = std::stoull(argv[++i]);
    else if (word == "--cases" && i + 1 < argc)
      s.cases = std::stoi(argv[++i]);
    else
      stage = word;
  }
  const std::map<std::string, void (*)(const Settings&)> stages{
      {"ceilings", ceilings}, {"correctness", correctness}, {"stress", stress}, {"bench", bench}};
  const auto found = stages.find(stage);
  if (found == stages.end()) {
    std::cerr << "usage: gpu_measure ceilings | correctness | stress | bench [--tiny] [--seed N] [--cases N]\n";
    return 2;
  }
  found->second(s);
  queue().finish();
  return failed ? 1 : 0;
}

}  // namespace
}  // namespace trigon::gpu

int main(int argc, char** argv) {
  setenv("TRIGON_BACKEND", trigon::gpu::backend().c_str(), 1);  // for explain()
  try {
    return trigon::gpu::run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "gpu_measure: " << e.what() << "\n";
    return 1;
  }
}
