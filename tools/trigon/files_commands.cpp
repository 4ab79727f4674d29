// `trigon solve` and `trigon multiply`: triangular and symmetric operations on files.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <trigon/call.hpp>
#include <trigon/error.hpp>
#include <trigon/verify.hpp>

#include "trigon/commands.hpp"
#include "trigon/files/matrix.hpp"
#include "trigon/json_text.hpp"

namespace trigon::cli {
namespace {

enum class Kind { Triangular, Symmetric, Hermitian };

struct Options {
  bool solve = false;
  std::string triangle, symmetric, hermitian, rhs, out;
  std::string trans = "N", side = "left", alpha = "1";
  bool lower = false, upper = false, unit = false, force = false, json = false;

  Kind kind() const {
    return !symmetric.empty() ? Kind::Symmetric : !hermitian.empty() ? Kind::Hermitian : Kind::Triangular;
  }
  const std::string& matrix() const {
    return kind() == Kind::Symmetric ? symmetric : kind() == Kind::Hermitian ? hermitian : triangle;
  }
};

std::complex<double> parse_alpha(const std::string& text) {
  // One word of a call: neither more of them nor a comment.
  if (text.find_first_of("# \t\r\n") != std::string::npos) throw error("--alpha: '" + text + "' is not a number");
  const Call call = parse_call("ztrsm alpha=" + text);
  if (!std::isfinite(call.alpha.real()) || !std::isfinite(call.alpha.imag())) throw error("--alpha is not finite");
  return call.alpha;
}

bool is_complex_precision(Precision precision) {
  return precision == Precision::ComplexSingle || precision == Precision::ComplexDouble;
}

/// What is computed, and checked, is computed with alpha in the precision of the matrices: it must be one of its normal
/// numbers, or 0.
void require_fit(double part, Precision precision) {
  const bool single = precision == Precision::Single || precision == Precision::ComplexSingle;
  const double least = single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
  const double most = single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  if (part != 0 && (std::abs(part) < least || std::abs(part) > most))
    throw error(std::string("--alpha is too ") + (std::abs(part) > most ? "large" : "small") + " for matrices in " +
                (single ? "single" : "double") + " precision");
}

template <class T>
bool finite(const T& x) {
  return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
}

std::string place(index i, index j) { return "row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1); }

/// Which triangle a call reads of its square matrix; `strict` leaves out the diagonal.
bool is_read(Uplo uplo, bool strict, index i, index j) { return i == j ? !strict : (uplo == Uplo::Lower) == (i > j); }

/// The first entry (i, j), column by column, for which `wanted` holds; i is -1 when there is none.
template <class T, class F>
std::pair<index, index> find_entry(const Matrix& matrix, F&& wanted) {
  for (index j = 0; j < matrix.cols && matrix.rows > 0; ++j) {
    for (index i = 0; i < matrix.rows; ++i) {
      if (wanted(i, j, matrix.data<T>()[i + j * matrix.rows])) return {i, j};
    }
  }
  return {-1, -1};
}

/// The triangle that was asked for, or else the one that is not zero.
template <class T>
Uplo choose_triangle(const Options& options, const Matrix& a) {
  if (options.lower) return Uplo::Lower;
  if (options.upper) return Uplo::Upper;
  if (options.kind() != Kind::Triangular) return Uplo::Lower;
  const auto has = [&](Uplo uplo) {
    return find_entry<T>(a, [&](index i, index j, T x) {
             return i != j && is_read(uplo, true, i, j) && x != T(0);
           }).first >= 0;
  };
  const bool lower = has(Uplo::Lower), upper = has(Uplo::Upper);
  if (lower && upper)
    throw error(options.matrix() + ": is not triangular; --lower or --upper takes one triangle of it");
  return upper ? Uplo::Upper : Uplo::Lower;
}

template <class T>
void check_values(const Options& options, const Matrix& a, const Matrix& b, Uplo uplo) {
  const bool hermitian = options.kind() == Kind::Hermitian;
  const auto [i, j] = find_entry<T>(a, [&](index i, index j, T x) {
    if (!is_read(uplo, options.unit, i, j)) return false;
    return !(hermitian && i == j ? std::isfinite(std::real(x)) : finite(x));
  });
  if (i >= 0) throw error(options.matrix() + ": is not finite in " + place(i, j));
  const auto [p, q] = find_entry<T>(b, [](index, index, T x) { return !finite(x); });
  if (p >= 0) throw error(options.rhs + ": is not finite in " + place(p, q));
  if (!options.solve || options.unit) return;
  for (index d = 0; d < a.rows; ++d) {
    if (a.data<T>()[d + d * a.rows] == T(0)) {
      throw error(options.matrix() + ": is singular, its diagonal is zero in row " + std::to_string(d + 1));
    }
  }
}

Call describe(const Options& options, const Matrix& a, const Matrix& b, Uplo uplo) {
  Call call;
  call.precision = a.precision;
  call.side = options.side == "left" ? Side::Left : Side::Right;
  call.uplo = uplo;
  call.transa = static_cast<Op>(options.trans.front());
  call.diag = options.unit ? Diag::Unit : Diag::NonUnit;
  call.alpha = parse_alpha(options.alpha);
  if (call.alpha.imag() != 0 && !is_complex_precision(call.precision)) {
    throw error("--alpha is complex, and the matrices are real");
  }
  require_fit(call.alpha.real(), call.precision), require_fit(call.alpha.imag(), call.precision);
  call.m = b.rows;
  call.n = b.cols;
  call.a = a.data<char>();
  call.lda = std::max<index>(1, a.rows);
  call.b = const_cast<char*>(b.data<char>());
  call.ldb = std::max<index>(1, b.rows);
  if (options.kind() == Kind::Triangular) {
    call.operation = options.solve ? Operation::Trsm : Operation::Trmm;
  } else {
    call.operation = options.kind() == Kind::Symmetric ? Operation::Symm : Operation::Hemm;
  }
  return call;
}

struct Checked {
  double ratio = 0;           ///< error over its bound, the worst entry
  double backward_error = 0;  ///< the same, relative to |A| |X| + |alpha B| (or to |A| |B|)
  index lines = -1;           ///< rows and columns looked at; all when negative
  std::string words;
};

/// All of it while that is quick, else some rows and columns.
Checked check_result(const Call& call, const Matrix& result) {
  const index order = call.side == Side::Left ? call.m : call.n;
  const double per_line = static_cast<double>(call.m + call.n) * static_cast<double>(order);
  Checked checked;
  if (static_cast<double>(std::min(call.m, call.n)) * per_line > 2e8) {
    checked.lines = std::max<index>(3, static_cast<index>(1e8 / per_line));
  }
  const Verdict verdict = verify(call, result.data<char>(), Sample{checked.lines, 1});
  // verify's bound is a factor times the magnitude that a backward error is relative to.
  const bool complex = is_complex_precision(call.precision);
  const bool is_single = call.precision == Precision::Single || call.precision == Precision::ComplexSingle;
  const double u = (is_single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon()) / 2;
  checked.ratio = verdict.ratio;
  checked.backward_error = verdict.ratio * 2 * static_cast<double>(order + 4) * u * (complex ? 2 * std::sqrt(2.0) : 1);
  checked.words = verdict.words;
  return checked;
}

void print(const Options& options, const Call& call, const Checked& checked, double seconds) {
  const double rate = seconds > 0 ? flops(call) / seconds * 1e-9 : 0;
  if (options.json) {
    const nlohmann::json out = {{"call", to_text(call)},
                                {"out", options.out},
                                {"precision", name(call.precision)},
                                {"backward_error", checked.backward_error},
                                {"error_over_bound", checked.ratio},
                                {"sampled_lines", checked.lines < 0 ? nlohmann::json() : nlohmann::json(checked.lines)},
                                {"seconds", seconds},
                                {"gflops", rate}};
    std::cout << in_text(out, 2) << '\n';
    return;
  }
  std::printf("%s\n", to_text(call).c_str());
  std::printf("%s: %lld x %lld %s, %.3g s, %.3g GFLOP/s\n", options.out.c_str(), static_cast<long long>(call.m),
              static_cast<long long>(call.n), name(call.precision), seconds, rate);
  std::printf("componentwise backward error %.2g, %.2g of its bound", checked.backward_error, checked.ratio);
  if (checked.lines >= 0) {
    std::printf(" (on %lld rows and %lld columns)", static_cast<long long>(std::min(checked.lines, call.m)),
                static_cast<long long>(std::min(checked.lines, call.n)));
  }
  std::printf("\n");
}

/// What `multiply` and `solve` overwrite or fill: B itself for a triangle, a new matrix for a symmetric product.
Matrix carry_out(Call call, const Matrix& b, double& seconds) {
  Matrix result = b.copy();
  if (call.operation == Operation::Symm || call.operation == Operation::Hemm) {
    call.c = result.data<char>();  // beta is 0: its content is not read
    call.ldc = call.ldb;
  } else {
    call.b = result.data<char>();
  }
  const auto start = std::chrono::steady_clock::now();
  execute(call);
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

template <class T>
void carry_out_and_check(const Options& options, const Matrix& a, const Matrix& b) {
  const Uplo uplo = choose_triangle<T>(options, a);
  check_values<T>(options, a, b, uplo);
  Call call = describe(options, a, b, uplo);
  double seconds = 0;
  Matrix result = carry_out(call, b, seconds);
  call.ldc = call.ldb;

  const auto [i, j] = find_entry<T>(result, [](index, index, T x) { return !finite(x); });
  if (i >= 0) {
    throw error(
        "the result is not finite in " + place(i, j) +
        (options.solve ? ": " + options.matrix() + " is too close to singular, or it overflows" : ": it overflows"));
  }
  const Checked checked = check_result(call, result);
  if (!(checked.ratio <= 1)) {
    std::cerr << "trigon: the result fails its check and is not written: " << checked.words << '\n';
    throw exit_request{exit_check_failed};
  }
  if (result.is_vector) {
    result.rows *= result.cols;
    result.cols = 1;
  }
  write_matrix(options.out, result, options.force);
  print(options, call, checked, seconds);
}

void check_shapes(const Options& options, const Matrix& a, const Matrix& b) {
  const auto shape = [](const Matrix& m) { return std::to_string(m.rows) + " x " + std::to_string(m.cols); };
  if (a.is_vector) throw error(options.matrix() + ": has one dimension; a square matrix is needed");
  if (a.rows != a.cols) throw error(options.matrix() + ": is " + shape(a) + ", not square");
  const bool left = options.side == "left";
  if ((left ? b.rows : b.cols) != a.rows) {
    throw error(options.rhs + ": is " + shape(b) + "; with a matrix of order " + std::to_string(a.rows) + " on the " +
                options.side + " it must have as many " + (left ? "rows" : "columns"));
  }
}

void files_command(const Options& options) {
  if (options.lower && options.upper) throw error("--lower and --upper exclude each other");
  if (options.kind() != Kind::Triangular && (options.trans != "N" || options.unit)) {
    throw error("--trans and --unit are for triangles only");
  }
  if (options.matrix().empty()) throw error("name a matrix: --triangle, --symmetric or --hermitian");
  check_output(options.out, options.force);
  Matrix a = read_matrix(options.matrix());
  Matrix b = read_matrix(options.rhs);
  if (b.is_vector && options.side == "right") std::swap(b.rows, b.cols);
  check_shapes(options, a, b);
  const Precision precision = common_precision(a.precision, b.precision);
  a = convert(std::move(a), precision);
  b = convert(std::move(b), precision);
  with_type(precision, [&]<class T>(T) { carry_out_and_check<T>(options, a, b); });
}

void add_common(CLI::App& command, Options& options) {
  command.add_option("--rhs,--matrix", options.rhs, "B, a matrix or a vector")->required()->type_name("FILE");
  command.add_option("--out", options.out, "the result, .npy or .mtx")->required()->type_name("FILE");
  command.add_flag("--lower", options.lower, "use the lower triangle of A");
  command.add_flag("--upper", options.upper, "use the upper triangle of A");
  command.add_option("--trans", options.trans, "N for A, T for its transpose, C for its conjugate transpose")
      ->check(CLI::IsMember({"N", "T", "C"}))
      ->transform([](std::string value) {
        for (char& c : value) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        return value;
      });
  command.add_flag("--unit", options.unit, "take the diagonal of A as ones, whatever the file says");
  command.add_option("--side", options.side, "where A stands")->check(CLI::IsMember({"left", "right"}));
  command.add_option("--alpha", options.alpha, "a factor for B; RE,IM when complex")->type_name("NUMBER");
  command.add_flag("--force", options.force, "replace an existing output file");
  command.add_flag("--json", options.json, "print JSON");
}

constexpr const char* formats =
    "Files: NumPy .npy (float32, float64, complex64, complex128; any byte order; C or Fortran order) and\n"
    "Matrix Market (array or coordinate; real, integer, complex; general, symmetric, Hermitian).\n"
    "Where the two matrices differ in precision, the wider one is used. Without --lower or --upper the\n"
    "triangle is the one that is not zero. The output is complete or not written at all, and only after\n"
    "its backward error has been checked (exit status 1 otherwise).\n"
    "\n"
    "Examples:\n";

}  // namespace

void add_solve(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->solve = true;
  CLI::App* command =
      app.add_subcommand("solve", "Solve op(A) X = alpha B (or X op(A) = alpha B) on files, A triangular");
  command->add_option("--triangle", options->triangle, "A, triangular")->required()->type_name("FILE");
  add_common(*command, *options);
  command->footer(std::string(formats) +
                  "  trigon solve --triangle L.npy --rhs b.npy --out x.npy\n"
                  "  trigon solve --triangle R.mtx --upper --trans T --rhs B.npy --out X.mtx --force");
  command->callback([options] { files_command(*options); });
}

void add_multiply(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("multiply", "Compute alpha op(A) B (or alpha B op(A)) on files, A triangular or symmetric");
  auto* which = command->add_option_group("A", "one of these");
  which->add_option("--triangle", options->triangle, "A, triangular")->type_name("FILE");
  which->add_option("--symmetric", options->symmetric, "A, symmetric; one triangle of it is read")->type_name("FILE");
  which->add_option("--hermitian", options->hermitian, "A, Hermitian; one triangle of it is read")->type_name("FILE");
  which->require_option(1);
  add_common(*command, *options);
  command->footer(std::string(formats) +
                  "  trigon multiply --triangle L.npy --matrix B.npy --out LB.npy\n"
                  "  trigon multiply --symmetric S.mtx --upper --matrix b.mtx --out Sb.npy");
  command->callback([options] { files_command(*options); });
}

}  // namespace trigon::cli
