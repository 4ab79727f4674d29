// A matrix read from a file or about to be written to one.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <trigon/types.hpp>

namespace trigon::cli {

/// Dense, column by column, without padding: entry (i, j) is data<T>()[i + j * rows].
class Matrix {
 public:
  Matrix() = default;

  /// Uninitialised. Throws trigon::error, before anything is allocated, when it would not fit this
  /// machine's memory; `what` begins the message.
  Matrix(Precision precision, index rows, index cols, const std::string& what);

  Precision precision = Precision::Double;
  index rows = 0, cols = 0;
  bool is_vector = false;  ///< one-dimensional in its file; here a single column
  bool row_major = false;  ///< the order in its file

  template <class T>
  T* data() {
    return reinterpret_cast<T*>(bytes_.get());
  }
  template <class T>
  const T* data() const {
    return reinterpret_cast<const T*>(bytes_.get());
  }
  std::size_t size_in_bytes() const;

  Matrix copy() const;

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char, Free> bytes_;
};

/// "float32", "float64", "complex64", "complex128".
const char* name(Precision);

/// Reads .npy and Matrix Market files; which of them is seen from the first bytes. Throws trigon::error
/// that names the file and what is wrong with it.
Matrix read_matrix(const std::string& path);

/// Throws trigon::error when no matrix can be written there later: an unknown extension, an existing
/// file without `force`, something that is no ordinary file, a folder that is missing.
void check_output(const std::string& path, bool force);

/// Writes .npy or .mtx, by the extension: complete, or not at all.
void write_matrix(const std::string& path, const Matrix&, bool force);

/// The smallest precision that holds both without loss, and the conversion to it.
Precision common_precision(Precision, Precision);
Matrix convert(Matrix, Precision);

}  // namespace trigon::cli
