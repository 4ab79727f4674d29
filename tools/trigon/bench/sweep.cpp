#include "trigon/bench/sweep.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>
#include <trigon/error.hpp>

#include "trigon/bench/operands.hpp"

namespace trigon::bench {
namespace {

bool rank_update(Operation op) {
  return op == Operation::Syrk || op == Operation::Herk || op == Operation::Syr2k || op == Operation::Her2k;
}
bool sided(Operation op) { return has(op, Argument::Side); }

enum class LeadingDimension { Plain, Multiple512, Padded };

index leading(index rows, LeadingDimension kind) {
  rows = std::max<index>(rows, 1);
  if (kind == LeadingDimension::Multiple512) return (rows + 511) / 512 * 512;
  if (kind == LeadingDimension::Padded) return rows + 8 + (rows % 8 ? 8 - rows % 8 : 0);
  return rows;
}

void set_leading(Call& call, LeadingDimension kind) {
  const auto least = [&](Argument operand) {
    const Extent e = extent(call, operand);
    return leading(call.layout == Layout::ColMajor ? e.rows : e.cols, kind);
  };
  call.lda = least(Argument::A);
  if (has(call.operation, Argument::B)) call.ldb = least(Argument::B);
  if (has(call.operation, Argument::C)) call.ldc = least(Argument::C);
}

std::vector<LeadingDimension> leading_dimensions(const std::string& word) {
  using enum LeadingDimension;
  if (word == "plain") return {Plain};
  if (word == "512k") return {Multiple512};
  if (word == "padded") return {Padded};
  if (word == "both") return {Plain, Multiple512};
  throw error("--ld: '" + word + "' is none of plain, 512k, padded, both");
}

/// The sizes of a shape at size s; empty where the operation has no such shape.
std::vector<Call> shaped(Call call, const std::string& shape, index s, const SweepOptions& o) {
  const auto with = [&](index m, index n, index k) {
    Call c = call;
    c.m = m, c.n = n, c.k = k;
    return c;
  };
  const Operation op = call.operation;
  const bool left = call.side == Side::Left;
  std::vector<Call> list;
  if (shape == "square") {
    if (is_vector(op)) return {with(0, s, 0)};
    if (rank_update(op)) return {with(0, s, s)};
    return {with(s, s, op == Operation::Gemm ? s : 0)};
  }
  if (shape == "few-rhs") {
    if (op != Operation::Gemm && !sided(op)) return {};
    for (const index r : o.rhs) list.push_back(left ? with(s, r, s) : with(r, s, s));
    return list;
  }
  if (shape == "right-tall") return sided(op) && !left ? std::vector{with(o.rows, s, 0)} : list;
  if (shape == "left-wide") return sided(op) && left ? std::vector{with(s, o.rows, 0)} : list;
  if (shape == "low-rank") {
    if (rank_update(op)) return {with(0, s, o.rank)};
    if (op == Operation::Gemm) return {with(s, s, o.rank)};
    return {};
  }
  throw error("--shapes: '" + shape + "' is none of square, few-rhs, right-tall, left-wide, low-rank");
}

bool matches(const std::string& letters, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return pattern == "all" || fnmatch(pattern.c_str(), letters.c_str(), 0) == 0;
  });
}

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A seed of its own for each operation and precision, so that rows do not depend on what else is swept.
std::uint64_t seed_of(const SweepOptions& o, Operation op, Precision p) {
  return mix(o.seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(op) * 256 + static_cast<std::uint64_t>(p));
}

bool sampling(const SweepOptions& o) { return o.variants == std::vector<std::string>{"sample"}; }

/// The variants to time at one size.
std::vector<std::string> chosen_variants(const SweepOptions& o, Operation op, Precision p, index size) {
  std::vector<std::string> letters = variants(op, p);
  if (o.variants.empty()) return {letters.front()};
  if (sampling(o)) {
    std::mt19937_64 engine(seed_of(o, op, p) + static_cast<std::uint64_t>(size));
    for (std::size_t i = letters.size(); i > 1; --i) std::swap(letters[i - 1], letters[engine() % i]);
    letters.resize(std::min<std::size_t>(letters.size(), 2));
    return letters;
  }
  std::erase_if(letters, [&](const std::string& l) { return !matches(l, o.variants); });
  return letters;
}

void require_every_pattern_to_fit(const SweepOptions& o) {
  if (sampling(o)) return;
  for (const std::string& pattern : o.variants) {
    bool fits = false;
    for (const Operation op : o.operations)
      for (const Precision p : precisions_of(op, o.precisions))
        for (const std::string& letters : variants(op, p)) fits |= matches(letters, {pattern});
    if (!fits) throw error("--variants: '" + pattern + "' fits no variant of these operations");
  }
}

/// Random rows: sizes evenly spread over their logarithms, half of them square, the rest skinny or free.
class RandomRows {
 public:
  RandomRows(const SweepOptions& o, Operation op, Precision p)
      : options_(o), op_(op), p_(p), engine_(seed_of(o, op, p)) {}

  Call draw() {
    const Operation op = op_;
    while (true) {
      Call call;
      call.operation = op, call.precision = p_;
      call.alpha = options_.alpha, call.beta = options_.beta;
      const auto letters = variants(op, p_);
      apply(call, letters[below(letters.size())]);
      const index s = size(), t = size(), u = size(), thin = 1 + static_cast<index>(below(24));
      switch (below(4)) {
        case 0: call.m = s, call.n = thin, call.k = t; break;
        case 1: call.m = thin, call.n = s, call.k = t; break;
        case 2: call.m = s, call.n = t, call.k = u; break;
        default: call.m = call.n = call.k = s;
      }
      if (is_vector(op)) call.n = s;
      if (rank_update(op)) call.n = s, call.k = below(2) ? t : thin;
      if (op != Operation::Gemm && !rank_update(op)) call.k = 0;
      if (!has(op, Argument::M)) call.m = 0;
      constexpr index increments[] = {1, 1, 2, -1, 7};
      if (is_vector(op)) call.incx = increments[below(5)];
      set_leading(call, static_cast<LeadingDimension>(below(3)));
      if (flops(call) <= options_.max_flops) return call;
    }
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  index size() {
    const double top = std::log(static_cast<double>(options_.random_max) / 4);
    const double unit = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return static_cast<index>(std::lround(4 * std::exp(unit * top)));
  }

  const SweepOptions& options_;
  Operation op_;
  Precision p_;
  std::mt19937_64 engine_;
};

}  // namespace

std::string key(const Row& row) { return to_text(row.call) + " threads=" + std::to_string(row.threads); }

std::vector<index> parse_list(const std::string& text, const std::string& option, index least) {
  const auto fail = [&](const std::string& part, const std::string& why) {
    throw error(option + ": '" + part + "' " + why);
  };
  const auto number = [&](const std::string& part, const std::string& word) {
    index value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size()) fail(part, "is not a size or a range A:B[:STEP]");
    if (value < least) fail(part, "is below " + std::to_string(least));
    return value;
  };
  std::vector<index> list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= part.size();) {
      const std::size_t stop = std::min(part.find(':', at), part.size());
      words.push_back(part.substr(at, stop - at));
      at = stop + 1;
    }
    const index from = number(part, words[0]);
    if (words.size() == 1) {
      list.push_back(from);
      continue;
    }
    const index to = number(part, words[1]);
    if (to < from || words.size() > 3) fail(part, "is not a range A:B[:STEP]");
    if (words.size() == 3) {
      const index step = number(part, words[2]);
      if (step < 1) fail(part, "has a step below 1");
      constexpr index most = 1 << 20;
      if ((to - from) / step >= most) fail(part, "has more than a million sizes");
      for (index i = 0; i <= (to - from) / step; ++i) list.push_back(from + i * step);
    } else {
      for (index v = from;; v = std::max(v + 1, 2 * v)) {
        list.push_back(v);
        if (v == 0 ? to == 0 : v > to / 2) break;
      }
    }
  }
  return list;
}

std::vector<Row> sweep(const SweepOptions& o) {
  std::vector<Row> rows;
  require_every_pattern_to_fit(o);
  const auto add = [&](const Call& call, const std::string& shape, int threads) {
    Row row{call, threads, shape};
    const auto same = [&, text = key(row)](const Row& r) { return key(r) == text; };
    if (std::none_of(rows.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(rows.size(), 4)), rows.end(), same))
      rows.push_back(std::move(row));
  };
  const auto with_layouts = [&](Call call, const std::string& shape, int threads) {
    for (const auto& layout : o.layouts) {
      if (layout != "C" && layout != "R") throw error("--layout: '" + layout + "' is neither C nor R");
      call.layout = static_cast<Layout>(layout[0]);
      for (const auto kind : leading_dimensions(o.ld)) {
        set_leading(call, kind);
        if (!is_vector(call.operation)) {
          add(call, shape, threads);
          continue;
        }
        for (const index inc : o.increments) {
          if (inc == 0) throw error("--inc: an increment cannot be 0");
          call.incx = inc;
          add(call, shape, threads);
        }
      }
    }
  };
  for (const int threads : o.threads)
    for (const Operation op : o.operations)
      for (const Precision p : precisions_of(op, o.precisions)) {
        // Variant by variant, so that a table shows one over its sizes.
        for (const std::string& letters : variants(op, p)) {
          Call call;
          call.operation = op, call.precision = p, call.alpha = o.alpha, call.beta = o.beta;
          apply(call, letters);
          for (const auto& shape : o.shapes)
            for (const index size : o.sizes) {
              const auto chosen = chosen_variants(o, op, p, size);
              if (std::find(chosen.begin(), chosen.end(), letters) == chosen.end()) continue;
              for (const Call& sized : shaped(call, shape, size, o)) with_layouts(sized, shape, threads);
            }
        }
      }
  for (const Operation op : o.operations)
    for (const Precision p : precisions_of(op, o.precisions)) {
      RandomRows random(o, op, p);
      for (int i = 0; i < o.random; ++i) {
        const Call call = random.draw();
        for (const int threads : o.threads) rows.push_back({call, threads, "random"});
      }
    }
  if (rows.empty()) throw error("nothing to time: these operations have no such precision, variant or shape");
  return rows;
}

std::vector<Row> standard_sweep(const SweepOptions& chosen, bool quick) {
  std::vector<Row> rows;
  const auto add = [&](const SweepOptions& part) {
    const auto more = sweep(part);
    rows.insert(rows.end(), more.begin(), more.end());
  };
  if (!chosen.variants.empty() && !sampling(chosen) && chosen.variants != std::vector<std::string>{"all"})
    throw error("--variants: the standard sweep has all, or a sample");
  const bool sample = quick || sampling(chosen);
  SweepOptions grid = chosen;
  grid.shapes = {"square"};
  if (chosen.sizes.empty()) grid.sizes = quick ? std::vector<index>{7, 32, 200} : std::vector<index>{7, 32, 200, 1024};
  if (!sample) grid.variants = {"all"};
  grid.random = chosen.random > 0 ? chosen.random : quick ? 1 : 8;
  if (quick) grid.random_max = 512;
  add(grid);
  SweepOptions few = chosen;
  few.shapes = {"few-rhs"};
  few.random = 0;
  if (chosen.sizes.empty()) few.sizes = quick ? std::vector<index>{512} : std::vector<index>{512, 1024, 2048, 4096};
  few.rhs = quick ? std::vector<index>{1, 4, 16} : std::vector<index>{1, 2, 4, 8, 16};
  few.variants = sample ? std::vector<std::string>{"LLNN"} : std::vector<std::string>{"L?NN", "L?TN", "RLNN"};
  std::erase_if(few.operations, [](Operation op) { return op != Operation::Trsm && op != Operation::Trmm; });
  if (!few.operations.empty()) add(few);
  return rows;
}

}  // namespace trigon::bench
