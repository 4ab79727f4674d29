#include "opencl/device.hpp"

#include "opencl/host.hpp"

#include <algorithm>

namespace trigon::opencl {
namespace {

Facts facts_of(cl_device_id id) {
  const auto uint = [&](unsigned what) { return static_cast<int>(value_of<cl_uint>(clGetDeviceInfo, id, what)); };
  Facts f;
  f.is_cpu = value_of<cl_device_type>(clGetDeviceInfo, id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
  f.host_unified = value_of<cl_bool>(clGetDeviceInfo, id, CL_DEVICE_HOST_UNIFIED_MEMORY);
  f.vendor = text_of(clGetDeviceInfo, id, CL_DEVICE_VENDOR) + " " + text_of(clGetDeviceInfo, id, CL_DEVICE_NAME);
  f.compute_units = std::max(1, uint(CL_DEVICE_MAX_COMPUTE_UNITS));
  f.work_group = value_of<std::size_t>(clGetDeviceInfo, id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  f.local_memory = value_of<cl_ulong>(clGetDeviceInfo, id, CL_DEVICE_LOCAL_MEM_SIZE);
  f.native_float = uint(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  f.native_double = uint(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE);
  f.orders_memory =
      has_feature(id, "__opencl_c_atomic_order_acq_rel") && has_feature(id, "__opencl_c_atomic_scope_device");
  return f;
}

Device describe(cl_device_id id) {
  Device d;
  d.id = id;
  const auto text = [&](unsigned what) { return text_of(clGetDeviceInfo, id, what); };
  d.name = text(CL_DEVICE_NAME);
  d.has_double = value_of<cl_device_fp_config>(clGetDeviceInfo, id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  const auto single = value_of<cl_device_fp_config>(clGetDeviceInfo, id, CL_DEVICE_SINGLE_FP_CONFIG);
  d.divides_correctly = single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  const Facts facts = facts_of(id);
  d.compute_units = facts.compute_units;
  d.memory = value_of<cl_ulong>(clGetDeviceInfo, id, CL_DEVICE_GLOBAL_MEM_SIZE);
  d.largest_buffer = value_of<cl_ulong>(clGetDeviceInfo, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  d.reproducible = host()->environment.reproducible;
  for (const Precision p : {Precision::Single, Precision::Double, Precision::ComplexSingle, Precision::ComplexDouble})
    d.settings[core::index_of(p)] = settings(facts, host()->tuning, p);

  const auto platform = value_of<cl_platform_id>(clGetDeviceInfo, id, CL_DEVICE_PLATFORM);
  const std::string version = text_of(clGetPlatformInfo, platform, CL_PLATFORM_VERSION);
  const std::string driver = text(CL_DRIVER_VERSION);
  d.words = d.name + ", " + std::to_string(d.compute_units) + " compute units, class " +
            opencl::name(d.settings[0].device_class) + ", " + text_of(clGetPlatformInfo, platform, CL_PLATFORM_NAME) +
            " " + driver;
  if (!d.has_double) d.words += "; no double precision";
  if (!(single & CL_FP_DENORM)) d.words += "; single precision without subnormal numbers";
  if (!d.divides_correctly) d.words += "; divisions in single precision are not correctly rounded";
  // PoCL keeps what it compiles, and 3.1 ends in an assertion when a binary is asked for while kernels run.
  const bool keeps_itself = version.find("PoCL") != std::string::npos || version.find("pocl") != std::string::npos;
  if (!keeps_itself && value_of<cl_device_id>(clGetDeviceInfo, id, CL_DEVICE_PARENT_DEVICE) == nullptr)
    d.key = d.name + '\n' + text(CL_DEVICE_VENDOR) + '\n' + text(CL_DEVICE_VERSION) + '\n' + driver + '\n' + version;
  return d;
}

/// Whether programs can be built for it: not for one that takes binaries only, as those of programmable logic do.
bool compiles(cl_device_id id) {
  const auto yes = [&](cl_device_info what) { return value_of<cl_bool>(clGetDeviceInfo, id, what) == CL_TRUE; };
  return yes(CL_DEVICE_AVAILABLE) && yes(CL_DEVICE_COMPILER_AVAILABLE);
}

}  // namespace

Device traits(cl_device_id id) {
  for (const Device* d : devices())
    if (d->id == id) return *d;
  return describe(id);
}

const std::vector<const Device*>& devices() {
  static const auto& all = *new std::vector<const Device*>([] {
    std::vector<const Device*> list;
    cl_uint platforms = 0;
    if (clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS) return list;
    std::vector<cl_platform_id> ids(platforms);
    clGetPlatformIDs(platforms, ids.data(), nullptr);
    for (const cl_platform_id platform : ids) {
      cl_uint count = 0;
      if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
      std::vector<cl_device_id> found(count);
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, found.data(), nullptr);
      for (const cl_device_id id : found)
        if (compiles(id)) list.push_back(new Device(describe(id)));
    }
    return list;
  }());
  return all;
}

const Device* find_device(const std::string& which) {
  const auto& all = devices();
  if (which.empty()) return all.empty() ? nullptr : all.front();
  if (which.find_first_not_of("0123456789") == std::string::npos && which.size() < 6) {
    const std::size_t number = std::stoul(which);
    return number < all.size() ? all[number] : nullptr;
  }
  const auto named = [&](const Device* d) { return d->name.find(which) != std::string::npos; };
  const auto found = std::find_if(all.begin(), all.end(), named);
  return found == all.end() ? nullptr : *found;
}

}  // namespace trigon::opencl
