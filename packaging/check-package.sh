#!/usr/bin/env bash
# check-package.sh BUILD: installs what BUILD built, moves it elsewhere, and builds and runs the consumer
# project against it twice, through CMake's package and through pkg-config.
set -euo pipefail
build=$(CDPATH='' cd "$1" && pwd)
here=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "package: installing and moving"
cmake --install "$build" --prefix "$work/first" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
mv "$work/first" "$work/moved"
prefix=$work/moved

# Nothing installed may know where it was built or first installed.
if grep -rlF -e "$work/first" "$prefix" --include='*.cmake' --include='*.pc'; then
  echo "package: the files above hold the first prefix" >&2
  exit 1
fi
for file in "$prefix"/lib*/libtrigon*.so "$prefix"/bin/trigon; do
  if readelf -d "$file" | grep -E 'R(UN)?PATH' | grep -F -e "$build"; then
    echo "package: $file looks for libraries in the build" >&2
    exit 1
  fi
done

# By the names that programs ask for; ldconfig would make links by the names that are recorded inside.
for file in "$prefix"/lib*/trigon/lib*.so.*; do
  [[ -f $file && ! -L $file ]]
  readelf -d "$file" | grep -qF "soname: [${file##*/}]" || { echo "package: $file records another name" >&2; exit 1; }
done
for file in LICENSE third-party.txt; do [[ -s $prefix/share/doc/trigon/$file ]]; done

echo "package: through find_package"
cmake -S "$here/consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$work/cmake.log" \
  || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/cmake" >>"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
(cd "$work/cmake" && ctest --output-on-failure --no-tests=error)

echo "package: through pkg-config"
libdir=$(dirname "$(find "$prefix" -name libtrigon.so)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
run() { LD_LIBRARY_PATH=$libdir "$@"; }
# shellcheck disable=SC2046  # the flags are words
g++ -std=c++20 "$here/consumer/consumer.cpp" $(pkg-config --cflags --libs trigon) -o "$work/consumer"
gcc -std=c99 "$here/consumer/consumer.c" $(pkg-config --cflags --libs trigon) -lm -o "$work/consumer_c"
gcc -std=c99 "$here/consumer/consumer_blas.c" $(pkg-config --cflags --libs trigon-blas) -lm -o "$work/consumer_blas"
gcc -std=c99 "$here/consumer/consumer_lapack.c" $(pkg-config --cflags --libs trigon-lapack) -lm -o "$work/consumer_lapack"
for width in "" 64; do pkg-config --exists --print-errors trigon-blas$width trigon-lapack$width; done
for program in consumer consumer_c consumer_blas consumer_lapack; do run "$work/$program"; done
LD_LIBRARY_PATH=$libdir/trigon:$libdir ldd "$work/consumer_lapack" | grep -F "$libdir/libtrigon_blas.so." >/dev/null
if [[ -e $libdir/libtrigon_clblas.so ]]; then
  echo "package: the clBLAS interface"
  # shellcheck disable=SC2046
  gcc "$here/../examples/clblas_program.c" $(pkg-config --cflags --libs trigon-clblas) -lOpenCL -lm -o "$work/clblas"
  run "$work/clblas"
  [[ -e $libdir/trigon/libclBLAS.so.2 ]]
fi

if [[ -x $prefix/bin/trigon ]]; then
  echo "package: the moved command line"
  "$prefix/bin/trigon" info >/dev/null
fi
echo "package: fine"
