#include "trigon/run/lapack.hpp"

#include <filesystem>

#include "trigon/run/elf.hpp"
#include "trigon/run/program.hpp"

namespace trigon::cli {
namespace {

/// True for OpenBLAS itself and for libraries that call its kernels by their own names.
bool uses_openblas_kernels(const Elf& elf) {
  return elf.undefined.count("gotoblas") || elf.defined.count("gotoblas") || elf.defined.count("openblas_get_config");
}

}  // namespace

std::string default_library(const std::string& soname) {
  // As if another program asked for it first; its loader is asked, so none of the library's code runs.
  const auto self = read_elf("/proc/self/exe");
  if (!self || self->interpreter.empty()) return {};
  return find_library(listed({"env", "LD_PRELOAD=" + soname, self->interpreter, "--list", "/bin/true"}), soname);
}

std::string real_path(const std::string& path) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(path, failed);
  return failed ? path : real.string();
}

std::string bypasses_blas(const std::string& lapack_path) {
  const auto elf = read_elf(lapack_path);
  if (!elf || !elf->defined.count("dpotrf_")) return {};
  if (uses_openblas_kernels(*elf)) return "it is OpenBLAS's own, which calls OpenBLAS's kernels directly";
  if (elf->defined.count("mkl_get_version") || elf->soname.rfind("libmkl", 0) == 0) {
    return "it is MKL's own, which calls MKL's kernels directly";
  }
  if (!elf->undefined.count("dtrsm_") && !elf->defined.count("dtrsm_")) return "it calls no BLAS symbol";
  return {};
}

bool calls_blas_by_its_symbols(const std::string& lapack_path) {
  const auto elf = read_elf(lapack_path);
  return elf && elf->undefined.count("dtrsm_") && bypasses_blas(lapack_path).empty();
}

bool has_wide_integers(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name.find("64.so") == std::string::npos && name.find("ilp64") == std::string::npos) return false;
  const auto elf = read_elf(path);
  return elf && (elf->defined.count("dtrsm_") || elf->defined.count("cblas_dtrsm"));
}

std::string unknown_blas_name(const std::string& path) {
  const auto elf = read_elf(path);
  if (!elf) return {};
  for (const char* name : {"dtrsm_", "dtrsm_64_", "scipy_dtrsm_", "scipy_dtrsm_64_"}) {
    if (elf->defined.count(name)) return {};
  }
  for (const std::string& name : elf->defined) {
    if (name.find("dtrsm") != std::string::npos && name.back() == '_') return name;
  }
  return elf->defined.count("DTRSM") ? "DTRSM" : "";
}

}  // namespace trigon::cli
