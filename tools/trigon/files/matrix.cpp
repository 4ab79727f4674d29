#include "trigon/files/matrix.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <trigon/error.hpp>

#include "trigon/files/formats.hpp"

namespace trigon::cli {
namespace {

std::size_t element_size(Precision precision) {
  return with_type(precision, [](auto zero) { return sizeof zero; });
}

/// Its size in bytes, or a complaint if this machine could never hold it.
std::size_t checked_size(Precision precision, index rows, index cols, const std::string& what) {
  const std::string shape = what + ": " + std::to_string(rows) + " x " + std::to_string(cols);
  if (rows < 0 || cols < 0) throw error(shape + " is not a size");
  index bytes = 0;
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (__builtin_mul_overflow(rows, cols, &bytes) ||
      __builtin_mul_overflow(bytes, static_cast<index>(element_size(precision)), &bytes) ||
      static_cast<double>(bytes) > memory) {
    throw error(shape + " " + name(precision) + " numbers do not fit this machine's memory");
  }
  return static_cast<std::size_t>(bytes);
}

bool has_extension(const std::string& path, const char* extension) {
  return std::filesystem::path(path).extension() == extension;
}

}  // namespace

Matrix::Matrix(Precision precision, index rows, index cols, const std::string& what)
    : precision(precision), rows(rows), cols(cols) {
  constexpr std::size_t line = 64;
  const std::size_t size = checked_size(precision, rows, cols, what);
  bytes_.reset(static_cast<char*>(std::aligned_alloc(line, (size / line + 1) * line)));
  if (!bytes_) throw std::bad_alloc();
}

std::size_t Matrix::size_in_bytes() const { return static_cast<std::size_t>(rows * cols) * element_size(precision); }

Matrix Matrix::copy() const {
  Matrix other(precision, rows, cols, "copy");
  other.is_vector = is_vector;
  other.row_major = row_major;
  std::memcpy(other.bytes_.get(), bytes_.get(), size_in_bytes());
  return other;
}

const char* name(Precision precision) {
  switch (precision) {
    case Precision::Single: return "float32";
    case Precision::ComplexSingle: return "complex64";
    case Precision::ComplexDouble: return "complex128";
    case Precision::Double: break;
  }
  return "float64";
}

Matrix read_matrix(const std::string& path) {
  const InputFile file(path);
  std::string first(static_cast<std::size_t>(std::min<index>(file.size(), 64)), '\0');
  file.read(0, first.data(), static_cast<index>(first.size()));
  if (is_npy(first)) return read_npy(file);
  if (is_matrix_market(first)) return read_matrix_market(file);
  file.fail(file.size() == 0 ? "is empty" : "is neither a .npy nor a Matrix Market file");
}

void check_output(const std::string& path, bool force) {
  if (!has_extension(path, ".npy") && !has_extension(path, ".mtx")) {
    throw error(path + ": name the output .npy or .mtx, so that its format is known");
  }
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (std::filesystem::exists(status)) {
    if (!std::filesystem::is_regular_file(status)) throw error(path + ": exists and is not an ordinary file");
    if (!force) throw error(path + ": exists already; --force replaces it");
    return;
  }
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, failed)) {
    throw error(path + ": there is no folder " + folder.string());
  }
}

void write_matrix(const std::string& path, const Matrix& matrix, bool force) {
  check_output(path, force);
  write_atomically(path, force, [&](const Sink& sink) {
    has_extension(path, ".npy") ? write_npy(matrix, sink) : write_matrix_market(matrix, sink);
  });
}

Precision common_precision(Precision a, Precision b) {
  const auto is_double = [](Precision p) { return p == Precision::Double || p == Precision::ComplexDouble; };
  const auto complex = [](Precision p) { return p == Precision::ComplexSingle || p == Precision::ComplexDouble; };
  const bool wide = is_double(a) || is_double(b);
  if (complex(a) || complex(b)) return wide ? Precision::ComplexDouble : Precision::ComplexSingle;
  return wide ? Precision::Double : Precision::Single;
}

Matrix convert(Matrix from, Precision precision) {
  if (from.precision == precision) return from;
  Matrix to(precision, from.rows, from.cols, "converted");
  to.is_vector = from.is_vector;
  to.row_major = from.row_major;
  with_type(from.precision, [&]<class F>(F) {
    with_type(precision, [&]<class T>(T) {
      if constexpr (is_complex<T> || !is_complex<F>) {
        for (index i = 0; i < from.rows * from.cols; ++i) to.data<T>()[i] = static_cast<T>(from.data<F>()[i]);
      }
    });
  });
  return to;
}

}  // namespace trigon::cli
