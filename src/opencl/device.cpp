#include "opencl/device.hpp"

#include "opencl/host.hpp"

#include <algorithm>
#include <cstdio>

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
  std::vector<std::size_t> widest(std::max(3, uint(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)));
  if (clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, widest.size() * sizeof(std::size_t), widest.data(), nullptr) ==
      CL_SUCCESS)
    f.widest[0] = widest[0], f.widest[1] = widest[1];
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

}  // namespace

std::string unfit(cl_device_id id) {
  const auto has = [&](cl_device_info what) { return value_of<cl_bool>(clGetDeviceInfo, id, what) == CL_TRUE; };
  if (!has(CL_DEVICE_AVAILABLE)) return "it is not available";
  if (!has(CL_DEVICE_COMPILER_AVAILABLE)) return "its driver has no compiler";
  const std::string version = text_of(clGetDeviceInfo, id, CL_DEVICE_VERSION);  // "OpenCL 1.2 and what the vendor adds"
  int major = 0, minor = 0;
  if (std::sscanf(version.c_str(), "OpenCL %d.%d", &major, &minor) == 2 && (major > 1 || minor >= 2)) return {};
  return "its driver is of '" + version + "', OpenCL 1.2 is needed";
}

Device traits(cl_device_id id) {
  for (const Device* d : devices())
    if (d->id == id) return *d;
  return describe(id);
}

namespace {

struct Listed {
  std::vector<const Device*> usable;
  std::string others;
};

Listed list_devices() {
  Listed list;
  cl_uint platforms = 0;
  if (clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS) return list;
  std::vector<cl_platform_id> ids(platforms);
  clGetPlatformIDs(platforms, ids.data(), nullptr);
  for (const cl_platform_id platform : ids) {
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> found(count);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, found.data(), nullptr);
    for (const cl_device_id id : found) {
      const std::string why = unfit(id);
      if (why.empty())
        list.usable.push_back(new Device(describe(id)));
      else
        list.others += (list.others.empty() ? "" : "; ") + text_of(clGetDeviceInfo, id, CL_DEVICE_NAME) + ": " + why;
    }
  }
  return list;
}

const Listed& listed() {
  static const Listed& all = *new Listed(list_devices());
  return all;
}

}  // namespace

const std::vector<const Device*>& devices() { return listed().usable; }
const std::string& unfit_devices() { return listed().others; }

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
