// NumPy's .npy: a magic number, a version, a Python dictionary in text, the numbers.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <vector>

#include "trigon/files/formats.hpp"

namespace trigon::cli {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr index longest_header = 1 << 20;

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<index> shape;
  index data = 0;  ///< where the numbers begin
};

/// Reads the one kind of dictionary literal that numpy writes; anything else is an error.
class HeaderParser {
 public:
  HeaderParser(const InputFile& file, std::string_view text) : file_(file), rest_(text) {}

  Header parse() {
    Header header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        header.descr = description();
        descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        shape = true;
      } else {
        fail();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty() || !descr || !order || !shape) fail();
    return header;
  }

 private:
  [[noreturn]] void fail() const { file_.fail("has a malformed .npy header"); }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail();
  }

  bool accept_word(std::string_view word) {
    skip_blanks();
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::string string() {
    const char quote = accept('\'') ? '\'' : accept('"') ? '"' : '\0';
    const auto end = quote ? rest_.find(quote) : std::string_view::npos;
    if (end == std::string_view::npos) fail();
    const std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string description() {
    skip_blanks();
    if (!rest_.empty() && rest_.front() == '[') file_.fail("holds records, not numbers");
    return string();
  }

  bool boolean() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) fail();
    return false;
  }

  std::vector<index> tuple() {
    std::vector<index> values;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      index value = 0;
      const auto [end, wrong] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (wrong == std::errc::result_out_of_range) file_.fail("has a size in its header that is too large");
      if (wrong != std::errc{} || value < 0) fail();
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      accept('L');  // Python 2 wrote long integers so
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  const InputFile& file_;
  std::string_view rest_;
};

Header read_header(const InputFile& file) {
  std::array<unsigned char, 12> start{};
  if (file.size() < 10) file.fail("is cut off within its header");
  file.read(0, start.data(), std::min<index>(file.size(), 12));
  const int major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0) {
    file.fail("has .npy version " + std::to_string(major) + "." + std::to_string(minor) + "; 1.0 to 3.0 are known");
  }
  const index prefix = major == 1 ? 10 : 12;
  index length = start[8] | start[9] << 8;
  if (major > 1) length |= static_cast<index>(start[10]) << 16 | static_cast<index>(start[11]) << 24;
  if (file.size() < prefix || length > file.size() - prefix) file.fail("is cut off within its header");
  if (length > longest_header) file.fail("has a malformed .npy header");
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(prefix, text.data(), length);
  Header header = HeaderParser(file, text).parse();
  header.data = prefix + length;
  return header;
}

struct Type {
  Precision precision;
  bool swap;
};

Type type_of(const InputFile& file, const std::string& descr) {
  const auto fail = [&]() -> void {
    file.fail("holds numbers of type '" + descr + "'; float32, float64, complex64 and complex128 can be used");
  };
  if (descr.size() != 3 && descr.size() != 4) fail();
  const char order = descr[0];
  const bool big = order == '>';
  if (!big && order != '<' && order != '=') fail();
  const bool swap = order != '=' && big != (std::endian::native == std::endian::big);
  const std::string kind = descr.substr(1);
  if (kind == "f4") return {Precision::Single, swap};
  if (kind == "f8") return {Precision::Double, swap};
  if (kind == "c8") return {Precision::ComplexSingle, swap};
  if (kind != "c16") fail();
  return {Precision::ComplexDouble, swap};
}

/// The numbers that the header announces must be there, no fewer and no more: known before any are stored.
void check_size(const InputFile& file, Precision precision, index rows, index cols, index data) {
  const index size = with_type(precision, [](auto zero) { return static_cast<index>(sizeof zero); });
  const index there = file.size() - data;
  index wanted = 0;
  if (__builtin_mul_overflow(rows, cols, &wanted) || __builtin_mul_overflow(wanted, size, &wanted)) {
    file.fail("has a size in its header that is too large");
  }
  if (there != wanted) {
    file.fail((there < wanted ? "is cut off: " : "has more than its header says: ") + std::to_string(there) +
              " bytes of numbers where " + std::to_string(wanted) + " were announced");
  }
}

template <class R>
void swap_bytes(R* numbers, index count) {
  for (index i = 0; i < count; ++i) {
    char* bytes = reinterpret_cast<char*>(numbers + i);
    std::reverse(bytes, bytes + sizeof(R));
  }
}

/// Rows by rows in the file, columns by columns in memory: some rows at a time.
template <class T>
void read_rows(const InputFile& file, index offset, Matrix& to) {
  if (to.cols == 0) return;  // of however many rows
  const index step = std::clamp<index>((index{1} << 20) / std::max<index>(to.cols, 1), 1, 64);
  std::vector<T> rows(static_cast<std::size_t>(std::min(step, to.rows) * to.cols));
  for (index first = 0; first < to.rows; first += step) {
    const index count = std::min(step, to.rows - first);
    const index bytes = count * to.cols * static_cast<index>(sizeof(T));
    file.read(offset, rows.data(), bytes);
    offset += bytes;
    for (index j = 0; j < to.cols; ++j) {
      for (index i = 0; i < count; ++i) to.data<T>()[first + i + j * to.rows] = rows[i * to.cols + j];
    }
  }
}

template <class T>
void write_rows(const Matrix& from, const Sink& sink) {
  if (from.cols == 0) return;
  constexpr index step = 64;
  std::vector<T> rows(static_cast<std::size_t>(std::min(step, from.rows) * from.cols));
  for (index first = 0; first < from.rows; first += step) {
    const index count = std::min(step, from.rows - first);
    for (index j = 0; j < from.cols; ++j) {
      for (index i = 0; i < count; ++i) rows[i * from.cols + j] = from.data<T>()[first + i + j * from.rows];
    }
    sink(rows.data(), static_cast<std::size_t>(count * from.cols) * sizeof(T));
  }
}

}  // namespace

bool is_npy(std::string_view first_bytes) { return first_bytes.substr(0, magic.size()) == magic; }

Matrix read_npy(const InputFile& file) {
  const Header header = read_header(file);
  const Type type = type_of(file, header.descr);
  if (header.shape.empty() || header.shape.size() > 2) {
    file.fail("has " + std::to_string(header.shape.size()) + " dimensions; a matrix has two, a vector one");
  }
  const bool vector = header.shape.size() == 1;
  const index rows = header.shape[0], cols = vector ? 1 : header.shape[1];
  check_size(file, type.precision, rows, cols, header.data);
  Matrix matrix(type.precision, rows, cols, file.path());
  matrix.is_vector = vector;
  matrix.row_major = !header.fortran_order;
  const index wanted = static_cast<index>(matrix.size_in_bytes());
  with_type(type.precision, [&]<class T>(T) {
    if (vector || header.fortran_order) {
      file.read(header.data, matrix.data<T>(), wanted);
    } else {
      read_rows<T>(file, header.data, matrix);
    }
    if (type.swap) swap_bytes(matrix.data<real_t<T>>(), wanted / static_cast<index>(sizeof(real_t<T>)));
  });
  return matrix;
}

void write_npy(const Matrix& matrix, const Sink& sink) {
  const std::string order = std::endian::native == std::endian::big ? ">" : "<";
  std::string kind;
  switch (matrix.precision) {
    case Precision::Single: kind = "f4"; break;
    case Precision::Double: kind = "f8"; break;
    case Precision::ComplexSingle: kind = "c8"; break;
    case Precision::ComplexDouble: kind = "c16"; break;
  }
  const index length = matrix.rows * matrix.cols;
  const std::string shape = matrix.is_vector ? std::to_string(length) + ","
                                             : std::to_string(matrix.rows) + ", " + std::to_string(matrix.cols);
  const bool columns = !matrix.is_vector && !matrix.row_major;
  std::string text = "{'descr': '" + order + kind + "', 'fortran_order': " + (columns ? "True" : "False") +
                     ", 'shape': (" + shape + "), }";
  constexpr std::size_t prefix = 10, alignment = 64;
  text.append((alignment - (prefix + text.size() + 1) % alignment) % alignment, ' ');
  text += '\n';
  const std::string start = std::string(magic) + '\1' + '\0' + static_cast<char>(text.size() & 0xff) +
                            static_cast<char>(text.size() >> 8) + text;
  sink(start.data(), start.size());
  if (columns || matrix.is_vector) {
    sink(matrix.data<char>(), matrix.size_in_bytes());
  } else {
    with_type(matrix.precision, [&]<class T>(T) { write_rows<T>(matrix, sink); });
  }
}

}  // namespace trigon::cli
