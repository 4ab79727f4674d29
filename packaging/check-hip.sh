#!/bin/sh
# The HIP backend: installs Debian's hipcc, builds libtrigon-hip.so for gfx90a and gfx1030, and tests that it has code for
# both, loads, and says why it cannot be used, or computes where there is a device.
#     packaging/check-hip.sh [BUILD FOLDER]     default: build/hip
set -eu
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
build=$(realpath -m "${1:-$root/build/hip}")
"$root/packaging/install-deps.sh" "$root/packaging/packages.txt" "$root/packaging/packages-tests.txt" "$root/packaging/packages-hip.txt"
cd "$root"
cmake --preset release -B "$build" -DTRIGON_HIP=ON
ninja -C "$build" hip_library_test trigon_cli
ctest --test-dir "$build" --no-tests=error --output-on-failure -R '^hip_library\.'
"$build/bin/trigon" info | grep ' hip '
