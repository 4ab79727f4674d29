// Calls as text: the line of a trace is the line that replays it.
#include "core/scalars.hpp"

#include <trigon/call.hpp>
#include <trigon/error.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <vector>

namespace trigon {
namespace {

std::string number(double x) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, x).ptr;
  return {text, end};
}

std::string number(std::complex<double> x) {
  const bool real = x.imag() == 0 && !std::signbit(x.imag());
  return real ? number(x.real()) : number(x.real()) + "," + number(x.imag());
}

template <class N>
N parse_number(std::string_view word, std::string_view text) {
  N value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw trigon::error("'" + std::string(word) + "': '" + std::string(text) + "' is not a number");
  return value;
}

std::complex<double> parse_scalar(std::string_view word, std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return parse_number<double>(word, text);
  return {parse_number<double>(word, text.substr(0, comma)), parse_number<double>(word, text.substr(comma + 1))};
}

char letter(std::string_view word, std::string_view text, std::string_view choices) {
  const char l = text.size() == 1 ? static_cast<char>(std::toupper(static_cast<unsigned char>(text[0]))) : '\0';
  if (choices.find(l) == std::string_view::npos || l == '\0')
    throw error("'" + std::string(word) + "': expected one of " + std::string(choices));
  return l;
}

void parse_routine(Call& c, std::string_view word) {
  if (!word.empty() && std::string_view("sdcz").find(word[0]) != std::string_view::npos)
    for (int op = 0; op < operation_count; ++op)
      if (word.substr(1) == name(static_cast<Operation>(op))) {
        c.precision = static_cast<Precision>(word[0]);
        c.operation = static_cast<Operation>(op);
        return;
      }
  throw error("'" + std::string(word) + "' is not a routine such as dtrsm, zgemm or sher2k");
}

bool has(const Call& c, Argument argument) { return position(c.operation, argument, false) != 0; }

/// What a key stands for; None for one that there is not.
Argument argument_of(std::string_view key) {
  if (key == "layout") return Argument::Layout;
  if (key == "trans") return Argument::TransA;  // as the rank-k updates call it
  for (const Argument a :
       {Argument::Side, Argument::Uplo, Argument::TransA, Argument::TransB, Argument::Diag, Argument::M, Argument::N,
        Argument::K, Argument::Alpha, Argument::Beta, Argument::Lda, Argument::Ldb, Argument::Ldc, Argument::Incx})
    if (key == name(Operation::Gemm, a)) return a;
  return Argument::None;
}

/// Of the arguments, by their numbers.
using Given = unsigned;

void parse_field(Call& c, std::string_view word, Given& given) {
  const auto complain = [&](const std::string& what) { throw error("'" + std::string(word) + "': " + what); };
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) complain("expected name=value");
  const auto key = word.substr(0, equals), value = word.substr(equals + 1);
  const Argument argument = argument_of(key);
  if (argument == Argument::None) complain("unknown field '" + std::string(key) + "'");
  if (!has(c, argument) && argument != Argument::Layout) complain(routine(c) + " has no " + std::string(key));
  const Given bit = 1u << static_cast<unsigned>(argument);
  if (given & bit) complain("given twice");
  given |= bit;

  const auto scalar = [&] {
    const std::complex<double> x = parse_scalar(word, value);
    if (x.imag() != 0 && core::takes_real(c, argument)) complain(routine(c) + " takes a real " + std::string(key));
    return x;
  };
  const auto size = [&] { return parse_number<index>(word, value); };
  const auto leading = [&] {
    const index ld = size();
    if (ld < 1) complain("must be at least 1");
    return ld;
  };
  switch (argument) {
    case Argument::Layout: c.layout = static_cast<Layout>(letter(word, value, "CR")); break;
    case Argument::Side: c.side = static_cast<Side>(letter(word, value, "LR")); break;
    case Argument::Uplo: c.uplo = static_cast<Uplo>(letter(word, value, "LU")); break;
    case Argument::TransA: c.transa = static_cast<Op>(letter(word, value, "NTC")); break;
    case Argument::TransB: c.transb = static_cast<Op>(letter(word, value, "NTC")); break;
    case Argument::Diag: c.diag = static_cast<Diag>(letter(word, value, "NU")); break;
    case Argument::M: c.m = size(); break;
    case Argument::N: c.n = size(); break;
    case Argument::K: c.k = size(); break;
    case Argument::Alpha: c.alpha = scalar(); break;
    case Argument::Beta: c.beta = scalar(); break;
    case Argument::Lda: c.lda = leading(); break;
    case Argument::Ldb: c.ldb = leading(); break;
    case Argument::Ldc: c.ldc = leading(); break;
    case Argument::Incx: c.incx = size(); break;
    default: break;
  }
}

void default_ld(const Call& c, Argument operand, index& ld) {
  if (ld != 0) return;
  const Extent e = extent(c, operand);
  ld = std::max<index>(1, c.layout == Layout::ColMajor ? e.rows : e.cols);
}

}  // namespace

std::string to_text(const Call& c) {
  std::string text = routine(c);
  const auto put = [&](std::string_view key, const std::string& value) {
    ((text += ' ') += key) += '=';
    text += value;
  };
  const auto flag = [](auto f) { return std::string(1, static_cast<char>(f)); };
  put("layout", flag(c.layout));
  for (Argument argument : parameters(c.operation)) {
    // Of what counts: a real routine takes the real part.
    const auto scalar = [&](std::complex<double> x) {
      return core::takes_real(c, argument) ? number(x.real()) : number(x);
    };
    const auto key = name(c.operation, argument);
    switch (argument) {
      case Argument::Side: put(key, flag(c.side)); break;
      case Argument::Uplo: put(key, flag(c.uplo)); break;
      case Argument::TransA: put(key, flag(c.transa)); break;
      case Argument::TransB: put(key, flag(c.transb)); break;
      case Argument::Diag: put(key, flag(c.diag)); break;
      case Argument::M: put(key, std::to_string(c.m)); break;
      case Argument::N: put(key, std::to_string(c.n)); break;
      case Argument::K: put(key, std::to_string(c.k)); break;
      case Argument::Alpha: put(key, scalar(c.alpha)); break;
      case Argument::Beta: put(key, scalar(c.beta)); break;
      case Argument::Lda: put(key, std::to_string(c.lda)); break;
      case Argument::Ldb: put(key, std::to_string(c.ldb)); break;
      case Argument::Ldc: put(key, std::to_string(c.ldc)); break;
      case Argument::Incx: put(key, std::to_string(c.incx)); break;
      default: break;
    }
  }
  return text;
}

Call parse_call(std::string_view text) {
  text = text.substr(0, text.find('#'));
  constexpr std::string_view blanks = " \t\r\n";
  Call c;
  bool named = false;
  Given given = 0;
  while (true) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const auto word = text.substr(0, text.find_first_of(blanks));
    named ? parse_field(c, word, given) : parse_routine(c, word);
    named = true;
    text.remove_prefix(word.size());
  }
  if (!named) throw error("no routine named");
  default_ld(c, Argument::A, c.lda);
  if (has(c, Argument::B)) default_ld(c, Argument::B, c.ldb);
  if (has(c, Argument::C)) default_ld(c, Argument::C, c.ldc);
  return c;
}

}  // namespace trigon
