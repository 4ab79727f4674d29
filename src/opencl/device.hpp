// The devices of this machine, and the settings that suit them.
#pragma once

#include "opencl/api.hpp"
#include "opencl/settings.hpp"

#include <string>
#include <vector>

namespace trigon::opencl {

struct Device {
  cl_device_id id = nullptr;
  std::string name;
  std::string words;  ///< for people: name, class, driver, what it lacks
  std::string key;    ///< what a compiled program depends on; empty where they are not kept: PoCL, sub-devices
  bool has_double = false;
  bool divides_correctly = false;  ///< single precision, where asked for
  int compute_units = 1;
  bool reproducible = false;  ///< how sums are cut up does not depend on compute units: TRIGON_REPRODUCIBLE
  std::size_t memory = 0, largest_buffer = 0;
  Settings settings[4];  ///< s d c z

  const Settings& settings_of(Precision p) const { return settings[core::index_of(p)]; }
  const Shape& shape_of(Precision p) const { return settings_of(p).shape; }
};

/// Why nothing can be computed on it: it takes compiled programs alone, as programmable logic does, or its driver is of
/// OpenCL 1.1, which lacks functions that are called here. "" where it can be used.
std::string unfit(cl_device_id);

/// All devices of all platforms that can be used, in the order of the platforms; the list is made once.
const std::vector<const Device*>& devices();

/// In words the others, and why they cannot be used; "" if there are none.
const std::string& unfit_devices();

/// One of them by number or a part of its name, "" the first; null if there is none.
const Device* find_device(const std::string& which);

/// The traits of any device. Those of a sub-device are asked for anew: another may come to have its handle.
Device traits(cl_device_id);

}  // namespace trigon::opencl
