// Libraries of the process at hand: ours, and those that our symbols stand in front of.
#pragma once

namespace trigon::preload {

/// The first definition of `name` in a loaded library other than Trigon's, wherever it is visible; or null.
/// `library` receives the handle of the library that was asked.
void* find_original(const char* name, void** library);

/// Opens a library that is installed beside this one; null if that fails.
void* open_beside(const char* file_name);

}  // namespace trigon::preload
