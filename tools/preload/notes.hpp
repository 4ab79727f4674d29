// Lines in the file that `trigon run` reads when its program has ended.
#pragma once

namespace trigon::preload {

/// Adds "`what` `path`". Does nothing where there is no such file, or no longer.
void note(const char* what, const char* path);

}  // namespace trigon::preload
