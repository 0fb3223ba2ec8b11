#!/usr/bin/env bash
# Prepare the real picamera2 on a simulated sensor for the tests marked `picamera2`.
#
#   TACTA_PICAMERA2_DIR=FOLDER tests/rig/cameras/picamera2/prepare.sh [PREFIX]
#
# FOLDER holds a build.sh that builds libcamera with a simulated sensor into the
# prefix it is given; nothing of it is part of this project. PREFIX is
# var/picamera2 unless told otherwise. Done once: a second run says so and ends.
# Without FOLDER there is nothing to do, and the tests leave themselves out.
set -euo pipefail

root=$(cd "$(dirname "$0")/../../../.." && pwd)
prefix=$(realpath -m "${1:-$root/var/picamera2}")
folder=${TACTA_PICAMERA2_DIR:-}
python=/usr/bin/python3
packages=(build-essential meson ninja-build pkgconf patch libyaml-dev libgnutls28-dev openssl
  libyuv-dev libjpeg-dev libudev-dev libcap-dev python3-dev python3-venv python3-jinja2
  python3-ply python3-yaml pybind11-dev python3-pybind11)

say() { printf 'prepare.sh: %s\n' "$*" >&2; }

if [[ -z $folder || ! -x $folder/build.sh ]]; then
  say "TACTA_PICAMERA2_DIR names no folder with a build.sh: the picamera2 tests will be left out."
  exit 0
fi
folder=$(realpath "$folder")
print=$(find "$folder" -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1)
if [[ -f $prefix/ready && $(<"$prefix/ready") == "$print" ]]; then
  say "ready in $prefix"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing+=("$package")
done
if ((${#missing[@]})); then
  if ((EUID != 0)); then
    say "missing packages; install them with: sudo apt-get install ${missing[*]}"
    exit 1
  fi
  say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

rm -rf "$prefix"
mkdir -p "$prefix"
say "building libcamera with a simulated sensor into $prefix (some minutes, once)"
# Most of the time goes into reading the same headers: fewer, larger pieces, hardly optimised, take
# a third of it.
mkdir -p "$prefix/tools"
cat >"$prefix/tools/meson" <<'END'
#!/bin/sh
case $1 in
  setup) shift && exec /usr/bin/meson setup --unity=on --unity-size=16 "$@" ;;
  *) exec /usr/bin/meson "$@" ;;
esac
END
chmod +x "$prefix/tools/meson"
# The bindings are for the system's Python: another one earlier on the path must not be found.
PATH=$prefix/tools:/usr/sbin:/usr/bin:/sbin:/bin CFLAGS=-O1 CXXFLAGS=-O1 \
  nice "$folder/build.sh" "$prefix" "$prefix/work" >"$prefix/build.log" 2>&1 || {
  tail -n 30 "$prefix/build.log" >&2
  say "the build failed; all of it is in $prefix/build.log"
  exit 1
}
rm -rf "$prefix/work" "$prefix/tools"

# A Python of its own, as on a Pi: libcamera's bindings belong to the system's Python.
"$python" -m venv "$prefix/venv"
"$prefix/venv/bin/python" -m pip install --quiet --disable-pip-version-check 'picamera2==0.3.38'
printf '%s\n' "$print" >"$prefix/ready"
say "ready in $prefix"
