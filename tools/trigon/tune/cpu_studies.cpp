// The calls behind each entry of the CPU's table. Few and short, so that all of it takes minutes.
#include <cmath>
#include <string>
#include <string_view>

#include "trigon/tune/study.hpp"

namespace trigon::tune {
namespace {

/// "trsm side=R m=8 n=64" in a precision.
Call call(char precision, const std::string& words) { return parse_call(precision + words); }

/// A call all sizes of which are n.
Call square(char precision, const std::string& words, index n) {
  const Operation operation = call(precision, words).operation;
  std::string sizes;
  for (const Argument a : {Argument::M, Argument::N, Argument::K})
    if (position(operation, a, false) != 0) ((sizes += " ") += name(operation, a)) += "=" + std::to_string(n);
  return call(precision, words + sizes);
}

std::string sizes(index m, index n) { return " m=" + std::to_string(m) + " n=" + std::to_string(n); }

/// A triangular call of this order with so many right-hand sides, on the side that the words say.
std::string triangular(const std::string& words, index order, index rhs) {
  return words + (words.find("side=R") == std::string::npos ? sizes(order, rhs) : sizes(rhs, order));
}

/// Every other call has a size that vectors and tiles do not divide, where kernels may differ as they do not at round
/// ones. On the scale of the entry it stands at the round one.
class Alternating {
 public:
  /// `size`, or a little less.
  index operator()(index size) { return turn_++ % 2 == 0 ? size : size - (size > 12 ? 3 : 1); }

 private:
  int turn_ = 0;
};

Study blocks(char p, const std::string& entry, std::vector<index> values) {
  Study s{entry + "." + p, Kind::Choice, std::move(values), {}, 1};
  for (const char* words : {"gemm m=384 n=384 k=384", "gemm transa=T m=1000 n=1000 k=1000", "gemm m=2000 n=200 k=900",
                            "gemm transb=T m=300 n=4000 k=400", "syrk n=800 k=800", "trsm m=1000 n=1000"})
    s.trials.push_back({call(p, words), 0});
  return s;
}

Study leaves(char p) {
  Study s{std::string("cpu.leaf.") + p, Kind::Choice, {64, 96, 128, 192, 256, 384, 512, 1024}, {}, 1};
  for (const char* words : {"trsm", "trmm", "trsm side=R transa=T"})
    for (const index n : {160, 320, 700, 1400}) s.trials.push_back({call(p, triangular(words, n, n)), 0});
  return s;
}

Study small_products(char p) {
  Study s{std::string("cpu.small_order.") + p, Kind::UpTo, {0, 384}, {}, 1};
  Alternating some;
  for (const index round : {16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 160, 192, 256, 320})
    for (const char* words : {"gemm", "gemm transa=T", "symm", "syrk", "gemm transb=T"})
      s.trials.push_back({square(p, words, some(round)), round});
  return s;
}

Study in_place_orders(char p, const std::string& entry, const char* operation, std::vector<index> columns) {
  const bool larger = std::string_view(operation) == "trsm" && (p == 's' || p == 'd');
  Study s{entry + "." + p, Kind::UpTo, {0, larger ? 1024 : 256}, {}, 1};
  std::vector<index> orders{12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
  if (larger) orders.insert(orders.end(), {384, 512, 640, 768, 1024});
  Alternating some, some_order;
  for (const index order : orders)
    for (const index rhs : columns)
      for (const std::string words : {"", " transa=T", " uplo=U"}) {
        const index n = words == " uplo=U" ? some_order(order) : order;
        s.trials.push_back({call(p, triangular(operation + words, n, some(rhs))), order});
      }
  return s;
}

Study solve_blocks(char p) {
  Study s{std::string("cpu.solve_blocks.") + p, Kind::Choice, {1, 2}, {}, 1};
  Alternating some;
  for (const index n : {48, 64, 96, 128, 200, 256})
    for (const index rhs : {32, 100})
      for (const char* words : {"trsm", "trsm uplo=U"})
        s.trials.push_back({call(p, triangular(words, n, some(rhs))), 0});
  return s;
}

Study slender_rhs(char p, const std::string& entry, std::vector<index> orders) {
  Study s{entry + "." + p, Kind::UpTo, {0, 64}, {}, 1};
  Alternating some;
  for (const index round : {4, 8, 12, 16, 24, 32, 48, 64})
    for (const index n : orders)
      for (const char* words : {"symm", "symm side=R", "symm uplo=U"})
        s.trials.push_back({call(p, triangular(words, n, some(round))), round});
  return s;
}

Study narrow_orders(char p) {
  Study s{std::string("cpu.narrow_order.") + p, Kind::From, {1, 64}, {}, 1};
  for (const index n : {5, 7, 9, 12, 16, 24, 32})
    for (const index rhs : {3, 12, 36})
      for (const char* words : {"trsm", "trmm side=R transa=T"})
        s.trials.push_back({call(p, triangular(words, n, rhs)), n});
  return s;
}

Study narrow_rhs(char p, const std::string& entry, std::vector<index> orders) {
  Study s{entry + "." + p, Kind::UpTo, {0, 256}, {}, 1};
  Alternating some;
  for (const index round : {8, 16, 24, 32, 48, 64, 96, 128, 192})
    for (const index n : orders)
      for (const char* words : {"trsm", "trsm transa=T", "trmm side=R"})
        s.trials.push_back({call(p, triangular(words, n, some(round))), round});
  return s;
}

Study thread_work(char p, const std::string& entry, int threads, std::initializer_list<const char*> calls) {
  Study s{entry + "." + p, Kind::From, {1, index{1} << 40}, {}, threads};
  for (const index n : {24, 32, 48, 64, 80, 96, 128, 160, 200})
    for (const char* words : calls) {
      const Call c = square(p, words, n);
      s.trials.push_back({c, static_cast<index>(flops(c)) / threads});
    }
  return s;
}

Study shared_rows(char p, int threads) {
  Study s{std::string("cpu.shared_order.") + p, Kind::From, {1, 1 << 20}, {}, threads};
  for (const index n : {150, 250, 400, 600, 900, 1300, 2000}) {
    const index solve = n - n / 4;  // solves are shared from a third more on
    for (const char* words : {"trsv", "trsv transa=T"}) s.trials.push_back({square(p, words, n), solve});
    s.trials.push_back({call(p, triangular("trsm", n, 4)), solve});
    s.trials.push_back({square(p, "trmv", n), n});
  }
  return s;
}

Study fetched_bytes(const std::string& precisions) {
  Study s{"cpu.fetched_bytes", Kind::From, {0, index{1} << 40}, {}, 1};
  for (const char p : precisions) {
    const index element = p == 's' ? 4 : p == 'z' ? 16 : 8;
    for (const index kilobytes : {1024, 2048, 4096, 8192, 12288, 16384, 24576, 49152, 98304}) {
      const index n = static_cast<index>(std::sqrt(2048.0 * static_cast<double>(kilobytes / element)));
      for (const char* w : {"trsv", "trmv transa=T"}) s.trials.push_back({square(p, w, n), n * n / 2 * element});
    }
  }
  return s;
}

Study provider_work(char p, int threads) {
  Study s{std::string("cpu.provider_work.") + p, Kind::From, {1, index{1} << 40}, {}, threads, true};
  for (const index n : {96, 192, 384, 768, 1200})
    for (const char* words : {"gemm", "gemm transa=T"}) s.trials.push_back({square(p, words, n), n * n * n});
  return s;
}

}  // namespace

std::vector<Study> cpu_studies(const std::string& precisions, int threads) {
  std::vector<Study> list;
  for (const char p : precisions) {
    list.push_back(blocks(p, "cpu.gemm_k", {128, 192, 256, 320, 384, 512}));
    list.push_back(blocks(p, "cpu.gemm_m", {48, 96, 144, 192, 288}));
    list.push_back(blocks(p, "cpu.gemm_n", {768, 1536, 3072, 6144}));
    list.push_back(leaves(p));
    list.push_back(small_products(p));
    list.push_back(in_place_orders(p, "cpu.in_place_product", "trmm", {16, 48}));
    list.push_back(in_place_orders(p, "cpu.in_place_product_many", "trmm", {100, 200}));
    list.push_back(in_place_orders(p, "cpu.in_place_solve", "trsm", {16, 100}));
    if (p == 's' || p == 'c') list.push_back(solve_blocks(p));
    list.push_back(slender_rhs(p, "cpu.slender_rhs", {400, 1000}));
    list.push_back(slender_rhs(p, "cpu.slender_rhs_small", {72, 100, 150}));
    list.push_back(narrow_orders(p));
    list.push_back(narrow_rhs(p, "cpu.narrow_rhs", {48, 120}));
    list.push_back(narrow_rhs(p, "cpu.narrow_rhs_large", {600, 1000}));
    list.push_back(narrow_rhs(p, "cpu.narrow_rhs_huge", {1500}));
    list.push_back(provider_work(p, 1));
  }
  list.push_back(fetched_bytes(precisions));
  if (threads == 1) return list;
  for (const char p : precisions) {
    list.push_back(thread_work(p, "cpu.thread_flops", threads, {"gemm", "trmm side=R"}));
    list.push_back(thread_work(p, "cpu.thread_rhs_flops", threads, {"trsm", "trmm"}));
    list.push_back(shared_rows(p, threads));
  }
  return list;
}

}  // namespace trigon::tune
