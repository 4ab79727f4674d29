#!/bin/sh
# Installs the Debian packages of packages.txt (or of the lists named as arguments) that are missing.
# Says nothing when nothing is missing.
set -eu
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here/packages.txt"
wanted=$(sed 's/#.*//' "$@")

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install-deps: not a Debian system; the counterparts of these packages are needed:" $wanted >&2
  exit 0
fi

missing() {
  for package in $wanted; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done
}

[ -n "$(missing)" ] || exit 0

exec 9<"$0"
flock 9  # two calls at once: the second finds nothing missing
packages=$(missing)
[ -n "$packages" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  echo "install-deps: these packages are missing, and neither root nor sudo is at hand:" $packages >&2
  exit 1
fi

echo "install-deps: installing" $packages >&2
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@" >&2; }
apt update || echo "install-deps: the package lists could not be refreshed; trying with the present ones" >&2
apt install -y --no-install-recommends $packages
