#include "opencl/program.hpp"

#include "opencl/cache.hpp"
#include "opencl/host.hpp"
#include "opencl/keeper.hpp"

#include <map>

namespace trigon::opencl {
namespace {

std::string options_for(const Device& d, Family family, Precision p) {
  const Settings& numbers = d.settings_of(p);
  const Shape& s = numbers.shape;
  const auto define = [](const char* name, int value) {
    return std::string(" -D") + name + "=" + std::to_string(value);
  };
  const bool is_double = p == Precision::Double || p == Precision::ComplexDouble;
  const bool complex = p == Precision::ComplexSingle || p == Precision::ComplexDouble;
  // Warnings (a loop that is not unrolled) would be printed by the driver, to users.
  std::string text = std::string("-w -DREAL=") + (is_double ? "double" : "float") + " -DVW=" + std::to_string(s.width) +
                     " -DMR=" + std::to_string(s.rows) + " -DNV=" + std::to_string(s.vectors) +
                     " -DCOMPLEX=" + (complex ? "1" : "0");
  if (family == Family::Tiles) {
    const Tile& t = numbers.tile;
    text += define("TM", t.m) + define("TN", t.n) + define("TK", t.k) + define("IM", t.item_m) +
            define("IN", t.item_n) + define("LOCAL", t.local);
  }
  if (family == Family::Gemm || family == Family::Solve || family == Family::SolveInverted ||
      family == Family::Multiply || family == Family::MultiplyInPlace || family == Family::MultiplyVector)
    text += numbers.launches == 1 ? " -cl-std=CL3.0 -DONE_LAUNCH=1" : " -DONE_LAUNCH=0";
  if (family == Family::Strip) text += define("STRIP", numbers.strip) + define("WIDTH", numbers.strip_width);
  if (!is_double && d.divides_correctly) text += " -cl-fp32-correctly-rounded-divide-sqrt";
  return text;
}

cl_program from_binary(cl_context context, const Device& d, const std::string& binary, const std::string& options) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t size = binary.size();
  cl_int status = CL_SUCCESS, error = CL_SUCCESS;
  const cl_program program = clCreateProgramWithBinary(context, 1, &d.id, &size, &bytes, &status, &error);
  if (!program) return nullptr;
  if (status == CL_SUCCESS && clBuildProgram(program, 1, &d.id, options.c_str(), nullptr, nullptr) == CL_SUCCESS)
    return program;
  clReleaseProgram(program);
  return nullptr;
}

cl_program from_source(cl_context context, const Device& d, const std::string& text, const std::string& options,
                       Failure& failure) {
  const char* lines = text.c_str();
  cl_int error = CL_SUCCESS;
  const cl_program program = clCreateProgramWithSource(context, 1, &lines, nullptr, &error);
  if (!program) {
    failure = {error, error_name(error)};
    return nullptr;
  }
  error = clBuildProgram(program, 1, &d.id, options.c_str(), nullptr, nullptr);
  if (error == CL_SUCCESS) return program;
  std::size_t size = 0;
  clGetProgramBuildInfo(program, d.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  if (size > 0) clGetProgramBuildInfo(program, d.id, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  failure = {error, error_name(error) + ": " + log.c_str()};
  clReleaseProgram(program);
  return nullptr;
}

}  // namespace

std::shared_ptr<Programs> Programs::of(cl_context context, const Device& device) {
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<std::pair<cl_context, cl_device_id>, std::weak_ptr<Programs>>;
  const std::lock_guard lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  auto& entry = known[{context, device.id}];
  if (auto living = entry.lock()) return living;
  auto fresh = std::make_shared<Programs>(context, device, cache::folder(host()->environment.cache));
  entry = fresh;
  return fresh;
}

Programs::Programs(cl_context context, const Device& device, std::filesystem::path folder)
    : context_(context), device_(device), folder_(std::move(folder)) {
  clRetainContext(context_);
}

Programs::~Programs() {
  for (auto& family : programs_)
    for (const cl_program p : family)
      if (p) clReleaseProgram(p);
  clReleaseContext(context_);
}

std::string Programs::key(Family family, Precision precision) const {
  if (device_.key.empty()) return {};
  return device_.key + '\n' + options_for(device_, family, precision) + '\n' + source(family);
}

cl_program Programs::get(Family family, Precision precision, Failure& failure) {
  const std::lock_guard lock(mutex_);
  cl_program& program = programs_[static_cast<int>(family)][core::index_of(precision)];
  if (program) return program;
  const std::string text = source(family), options = options_for(device_, family, precision),
                    key = this->key(family, precision);
  if (const std::string binary = cache::read(folder_, key); !binary.empty())
    program = from_binary(context_, device_, binary, options);
  if (program) return program;
  program = from_source(context_, device_, text, options, failure);
  if (program) keep_later(program, device_.id, folder_, key);
  return program;
}

}  // namespace trigon::opencl
