// Matrix Market files: array and coordinate; real, integer and complex; general, symmetric and Hermitian.
// https://math.nist.gov/MatrixMarket/formats.html
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "trigon/files/formats.hpp"

namespace trigon::cli {
namespace {

constexpr std::string_view banner = "%%MatrixMarket";

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

enum class Symmetry { General, Symmetric, Hermitian };

struct Header {
  bool coordinate = false, complex = false;
  Symmetry symmetry = Symmetry::General;
};

class Reader {
 public:
  explicit Reader(const InputFile& file) : file_(file), text_(static_cast<std::size_t>(file.size()), '\0') {
    file.read(0, text_.data(), file.size());
    rest_ = text_;
  }

  Matrix read() {
    const Header header = read_header();
    skip_comments();
    const index rows = size("rows"), cols = size("columns"), entries = header.coordinate ? size("entries") : 0;
    if (header.symmetry != Symmetry::General && rows != cols) fail("is symmetric by its header, but not square");
    // The shortest entry is "0\n", or "1 1 0\n": what cannot be there is not made room for.
    const index available = file_.size() / (header.coordinate ? 6 : 2) + 1;
    index all = 0;
    const bool absurd = __builtin_mul_overflow(rows, cols, &all);
    const index least = header.coordinate ? entries : header.symmetry == Symmetry::General ? all : all / 2;
    if (absurd || least > available) fail("is cut off: its header announces more entries than it has room for");
    Matrix matrix(header.complex ? Precision::ComplexDouble : Precision::Double, rows, cols, file_.path());
    header.complex ? fill<std::complex<double>>(header, entries, matrix) : fill<double>(header, entries, matrix);
    if (!word().empty()) fail("goes on after its last entry");
    return matrix;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { file_.fail(what + " (line " + std::to_string(line_) + ")"); }

  Header read_header() {
    const std::string line = lower(take_line());
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
      const auto begin = line.find_first_not_of(" \t\r", at);
      if (begin == std::string::npos) break;
      const auto end = std::min(line.find_first_of(" \t\r", begin), line.size());
      words.push_back(line.substr(begin, end - begin));
      at = end;
    }
    if (words.size() != 5) fail("has a malformed Matrix Market header");
    if (words[1] != "matrix") fail("holds a " + words[1] + ", not a matrix");
    Header header;
    header.coordinate = one_of(words[2], {"array", "coordinate"}) == 1;
    header.complex = one_of(words[3], {"real", "double", "integer", "complex"}) == 3;
    header.symmetry = static_cast<Symmetry>(one_of(words[4], {"general", "symmetric", "hermitian"}));
    if (header.symmetry == Symmetry::Hermitian && !header.complex) fail("is Hermitian by its header, but not complex");
    return header;
  }

  std::size_t one_of(const std::string& word, const std::vector<std::string>& choices) const {
    const auto found = std::find(choices.begin(), choices.end(), word);
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
    std::string known;
    for (const auto& choice : choices) known += (known.empty() ? "" : ", ") + choice;
    fail("is a '" + word + "' matrix; these can be used: " + known);
  }

  std::string_view take_line() {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    const auto line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    return line;
  }

  void skip_comments() {
    while (!rest_.empty() && rest_.front() == '%') take_line();
    ++line_;  // from here on it is the line being read, not the last one taken
  }

  /// The next word, or nothing at the end.
  std::string_view word() {
    std::size_t begin = 0;
    while (begin < rest_.size() && std::isspace(static_cast<unsigned char>(rest_[begin]))) {
      if (rest_[begin++] == '\n') ++line_;
    }
    std::size_t end = begin;
    while (end < rest_.size() && !std::isspace(static_cast<unsigned char>(rest_[end]))) ++end;
    const auto found = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return found;
  }

  template <class N>
  N number(const char* what) {
    auto text = word();
    if (text.empty()) fail(std::string("is cut off: ") + what + " is missing");
    const auto whole = text;
    if (text.front() == '+') text.remove_prefix(1);
    N value{};
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || wrong == std::errc::invalid_argument) {
      fail("has '" + std::string(whole) + "' where " + what + " should be");
    }
    if (wrong == std::errc::result_out_of_range) {
      if constexpr (std::is_floating_point_v<N>) {  // too small is no error: it is rounded to zero or a subnormal
        value = std::strtod(std::string(text).c_str(), nullptr);
        if (std::isfinite(value)) return value;
      }
      fail("has '" + std::string(whole) + "', which is out of range");
    }
    return value;
  }

  index size(const char* what) {
    const index value = number<index>((std::string("the number of ") + what).c_str());
    if (value < 0) fail(std::string("has a negative number of ") + what);
    return value;
  }

  template <class T>
  T value() {
    const double real = number<double>("a number");
    if constexpr (is_complex<T>) return {real, number<double>("an imaginary part")};
    return T(real);
  }

  template <class T>
  void fill(const Header& header, index entries, Matrix& matrix) {
    T* const a = matrix.data<T>();
    const index rows = matrix.rows;
    if (rows == 0) return;  // however many columns: none has an entry
    const auto put = [&](index i, index j, T x) {
      a[i + j * rows] = x;
      if (header.symmetry == Symmetry::General || i == j) return;
      if constexpr (is_complex<T>) {
        if (header.symmetry == Symmetry::Hermitian) x = std::conj(x);
      }
      a[j + i * rows] = x;
    };
    if (!header.coordinate) {
      for (index j = 0; j < matrix.cols; ++j) {
        for (index i = header.symmetry == Symmetry::General ? 0 : j; i < rows; ++i) put(i, j, entry<T>(header, i, j));
      }
      return;
    }
    std::fill_n(a, rows * matrix.cols, T(0));
    std::vector<bool> seen(static_cast<std::size_t>(rows * matrix.cols));
    for (index e = 0; e < entries; ++e) {
      const index i = position("a row", rows), j = position("a column", matrix.cols);
      if (header.symmetry != Symmetry::General && i < j) fail("has an entry above the diagonal of a symmetric matrix");
      auto&& there = seen[static_cast<std::size_t>(i + j * rows)];
      if (there) fail("has two entries for one place");
      there = true;
      put(i, j, entry<T>(header, i, j));
    }
  }

  template <class T>
  T entry(const Header& header, index i, index j) {
    const T x = value<T>();
    if (header.symmetry == Symmetry::Hermitian && i == j && std::imag(x) != 0) {
      fail("has a diagonal entry that is not real, though it is Hermitian by its header");
    }
    return x;
  }

  index position(const char* what, index count) {
    const index value = number<index>(what);
    if (value < 1 || value > count) {
      fail("has an entry in " + std::string(what) + " that the matrix does not have, " + std::to_string(value));
    }
    return value - 1;
  }

  const InputFile& file_;
  std::string text_;
  std::string_view rest_;
  index line_ = 0;
};

}  // namespace

bool is_matrix_market(std::string_view first_bytes) {
  return lower(first_bytes.substr(0, banner.size())) == lower(banner);
}

Matrix read_matrix_market(const InputFile& file) { return Reader(file).read(); }

void write_matrix_market(const Matrix& matrix, const Sink& sink) {
  const auto put = [&](const std::string& text) { sink(text.data(), text.size()); };
  with_type(matrix.precision, [&]<class T>(T) {
    put(std::string("%%MatrixMarket matrix array ") + (is_complex<T> ? "complex" : "real") + " general\n" +
        std::to_string(matrix.rows) + " " + std::to_string(matrix.cols) + "\n");
    char text[128];
    const auto append = [&](char* at, real_t<T> x) { return std::to_chars(at, text + sizeof text - 1, x).ptr; };
    for (index i = 0; i < matrix.rows * matrix.cols; ++i) {
      const T x = matrix.data<T>()[i];
      char* end = append(text, std::real(x));
      if constexpr (is_complex<T>) {
        *end++ = ' ';
        end = append(end, std::imag(x));
      }
      *end++ = '\n';
      sink(text, static_cast<std::size_t>(end - text));
    }
  });
}

}  // namespace trigon::cli
