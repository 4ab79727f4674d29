// What a symbol of ours stands in front of, in the process at hand.
#pragma once

namespace trigon::preload {

/// The first definition of `name` in a loaded library other than this one, wherever it is visible; or null.
/// `library` receives the handle of the library that was asked.
void* find_original(const char* name, void** library);

}  // namespace trigon::preload
