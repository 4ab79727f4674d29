// Where the parts of this installation lie.
#pragma once

#include <string>

namespace trigon::cli {

/// The libtrigon.so that this program runs on.
std::string library_file();

/// The file of a library that is installed beside libtrigon.so ("libtrigon_blas.so"); empty when it is not there.
std::string beside_the_library(const std::string& file_name);

/// The BLAS that the drop-in hands everything else to, found out by letting it load in a child process.
/// Empty when it finds none.
std::string forwarded_blas(const std::string& drop_in);

}  // namespace trigon::cli
