#include "trigon/bench/variants.hpp"

#include <algorithm>
#include <trigon/error.hpp>

namespace trigon::bench {
namespace {

bool complex_only(Operation op) { return op == Operation::Hemm || op == Operation::Herk || op == Operation::Her2k; }
bool is_complex_precision(Precision p) { return p == Precision::ComplexSingle || p == Precision::ComplexDouble; }

std::string transpositions(Operation op, Precision p) {
  if (!is_complex_precision(p)) return "NT";
  if (op == Operation::Syrk || op == Operation::Syr2k) return "NT";
  if (op == Operation::Herk || op == Operation::Her2k) return "NC";
  return "NTC";
}

}  // namespace

std::vector<Operation> parse_operations(const std::vector<std::string>& words) {
  std::vector<Operation> list;
  const auto add = [&](Operation op) {
    if (std::find(list.begin(), list.end(), op) == list.end()) list.push_back(op);
  };
  for (const auto& word : words) {
    bool known = word == "all" || word == "standard" || word == "regions";
    for (int i = 0; i < operation_count; ++i) {
      const auto op = static_cast<Operation>(i);
      if (word == "all" || word == name(op) || (word == "standard" && op != Operation::Gemm)) add(op);
      known |= word == name(op);
    }
    if (!known)
      throw error("'" + word +
                  "' is no operation: choose from gemm symm hemm syrk herk syr2k her2k trmm trsm trmv trsv, "
                  "all, standard, regions");
  }
  return list;
}

std::vector<Precision> precisions_of(Operation op, const std::string& letters) {
  std::vector<Precision> list;
  for (const char letter : letters) {
    if (std::string("sdcz").find(letter) == std::string::npos)
      throw error("--precision: '" + std::string(1, letter) + "' is none of s, d, c, z");
    const auto p = static_cast<Precision>(letter);
    if (!complex_only(op) || is_complex_precision(p)) list.push_back(p);
  }
  return list;
}

std::vector<std::string> variants(Operation op, Precision p) {
  std::vector<std::string> list = {""};
  const auto cross = [&](const std::string& letters) {
    std::vector<std::string> longer;
    for (const auto& prefix : list)
      for (const char letter : letters) longer.push_back(prefix + letter);
    list = std::move(longer);
  };
  for (const Argument argument : parameters(op)) switch (argument) {
      case Argument::Side: cross("LR"); break;
      case Argument::Uplo: cross("LU"); break;
      case Argument::TransA:
      case Argument::TransB: cross(transpositions(op, p)); break;
      case Argument::Diag: cross("NU"); break;
      default: break;
    }
  return list;
}

std::string variant(const Call& call) {
  std::string letters;
  for (const Argument argument : parameters(call.operation)) switch (argument) {
      case Argument::Side: letters += static_cast<char>(call.side); break;
      case Argument::Uplo: letters += static_cast<char>(call.uplo); break;
      case Argument::TransA: letters += static_cast<char>(call.transa); break;
      case Argument::TransB: letters += static_cast<char>(call.transb); break;
      case Argument::Diag: letters += static_cast<char>(call.diag); break;
      default: break;
    }
  return letters;
}

void apply(Call& call, const std::string& letters) {
  std::size_t next = 0;
  for (const Argument argument : parameters(call.operation)) switch (argument) {
      case Argument::Side: call.side = static_cast<Side>(letters[next++]); break;
      case Argument::Uplo: call.uplo = static_cast<Uplo>(letters[next++]); break;
      case Argument::TransA: call.transa = static_cast<Op>(letters[next++]); break;
      case Argument::TransB: call.transb = static_cast<Op>(letters[next++]); break;
      case Argument::Diag: call.diag = static_cast<Diag>(letters[next++]); break;
      default: break;
    }
}

}  // namespace trigon::bench
