# shellcheck shell=bash
# shellcheck disable=SC2034 # the lists are for the scripts that source this
# What the scripts share: where the repository is, the system packages, the Swift compiler.
# To be sourced; the sourcing script has set -euo pipefail.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)

# What Package.swift links, and the gegl tool.
build_packages=(
  libc6-dev libstdc++-12-dev pkg-config
  libgegl-dev libgexiv2-dev libpng-dev libtiff-dev libjpeg-dev libopenexr-dev libraw-dev libheif-dev zlib1g-dev libisal-dev
  libchafa-dev libreadline-dev libcairo2-dev libsqlite3-dev libgimp2.0-dev
  gegl
)

# What the tests look at results with.
test_packages=(
  binutils               # readelf, nm: what the plug-in links and exports
  libimage-exiftool-perl # metadata and profiles of written files, by a program that is not ours
  libheif-examples       # heif-enc: HEIC and AVIF pictures to read
  python3                # reports, by a JSON reader that is not ours
  python3-numpy          # the benchmark's own arithmetic
  python3-cairo fonts-dejavu-core # pages to photograph
  tesseract-ocr tesseract-ocr-eng # what can be read on them
  poppler-utils          # PDF files, by a program that is not ours
  man-db groff-base      # the manual page, as it is read
  python3-gi gir1.2-gegl-0.4  # GEGL in Python
  gnome-photos dbus-daemon    # another program with GEGL in it, and what it talks through
  valgrind               # memory
  snakemake              # many machines
  dpkg-dev chrpath       # the Debian package
  zsh fish               # completion, in the shells that it is for
)

# GIMP, without a display and with one that nobody sees; a hand for its mouse; what stands on it.
display_packages=(gimp gtk2-engines-pixbuf xvfb xauth xdotool imagemagick)

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$(basename -- "$0")" "$1" >&2
  shift
  if (($#)); then printf '  %s\n' "$@" >&2; fi
  exit 1
}

# Ends a script that was called wrongly, with the exit status that the command has for that, too.
usage() {
  printf '%s: %s\n' "$(basename -- "$0")" "$1" >&2
  exit 2
}

# Installs those of the named Debian packages that are missing; asks nobody when there are none.
install_packages() {
  command -v dpkg-query >/dev/null || return 0
  local package missing=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "these packages are missing; install them as root:" "apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "Installing ${missing[*]}"
  # A machine that was never asked has no package lists, and an old one outdated lists: a failed update is no
  # reason to stop as long as the installation works.
  "${as_root[@]}" apt-get update -qq || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "the packages could not be installed: ${missing[*]}"
}

# Puts a Swift of at least 6.3 first in PATH.
find_swift() {
  local folder version
  for folder in "" /opt/swift/usr/bin "${SWIFTLY_BIN_DIR:-${HOME:-}/.local/share/swiftly/bin}" /usr/local/swift/usr/bin; do
    local swift=${folder:+$folder/}swift
    command -v "$swift" >/dev/null || continue
    version=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
    local major=${version% *} minor=${version#* }
    if [[ -n $version ]] && ((major > 6 || (major == 6 && minor >= 3))); then
      if [[ -n $folder ]]; then PATH=$folder:$PATH; fi
      return 0
    fi
  done
  fail "Swift 6.3 or later is needed and was not found in PATH or /opt/swift/usr/bin." \
    "Get it from https://www.swift.org/install/linux/ and run this again."
}

# Builds in release mode; the compiler's words are shown only where something goes wrong.
# (SwiftPM warns about linker flags that pkg-config names for GLib; they are harmless.)
# With CONSTANT_COLOR_BIN nothing is built: it names the folder of what was built, as the tests use it.
build() {
  if [[ -n ${CONSTANT_COLOR_BIN-} ]]; then return 0; fi
  local log
  log=$(mktemp)
  if ! (cd -- "$root" && swift build -c release "$@") >"$log" 2>&1; then
    cat -- "$log" >&2
    rm -f -- "$log"
    fail "the build failed"
  fi
  rm -f -- "$log"
}

# The folder of what was built.
products() {
  if [[ -n ${CONSTANT_COLOR_BIN-} ]]; then
    say "$CONSTANT_COLOR_BIN"
  else
    (cd -- "$root" && swift build -c release --show-bin-path 2>/dev/null)
  fi
}
