# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables are shared with Scripts/package, which sources this
# Tries a Debian package: what lintian says, and a machine on which nothing of this project ever was.

check_packages=(lintian debootstrap)

check_lintian() {
  say "lintian"
  # As root it asks for more care than its own checks need.
  lintian --allow-root --fail-on error,warning --info -- "$1" || fail "lintian complains about $1"
}

# The Debian archives that this machine uses, as lines of sources.list; only the names that apt has for them.
debian_sources() {
  # shellcheck disable=SC2016 # apt's variables
  apt-get indextargets --format 'deb $(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' | sort -u
}

# Runs words in the clean root, in which nothing of this machine is seen.
in_root() {
  unshare --mount --fork -- bash -c 'mount -t proc proc "$1/proc"; chroot=$1; shift; exec env -i HOME=/root TERM=dumb \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$chroot" "$@"' bash "$clean" "$@"
}

# Ends with the words' output where they fail or, after the word `silently`, say anything on standard error.
try() {
  local silently=false
  if [[ $1 == silently ]]; then
    silently=true
    shift
  fi
  if ! in_root "$@" >"$work/said" 2>"$work/complained" || { $silently && [[ -s $work/complained ]]; }; then
    fail "failed in the clean root: $*" "$(tail -n 20 -- "$work/said" "$work/complained")"
  fi
}

check_installation() {
  local package=$1 suite mirror
  ((EUID == 0)) || fail "a clean root can only be made as root: sudo Scripts/package --check"
  clean=$work/root
  debian_sources >"$work/sources.list"
  suite=$(. /etc/os-release && say "$VERSION_CODENAME")
  mirror=$(sed -n "s/^deb \([^ ]*\) $suite main\$/\1/p" "$work/sources.list" | head -n 1)
  [[ -n $mirror ]] || fail "apt knows no Debian archive of '$suite'; a clean root is made from one"

  say "A fresh Debian ($suite)"
  debootstrap --variant=minbase "$suite" "$clean" "$mirror" >"$work/debootstrap" 2>&1 ||
    fail "debootstrap failed:" "$(tail -n 5 -- "$work/debootstrap")"
  cp -- "$work/sources.list" "$clean/etc/apt/sources.list"
  cp -- "$package" "$clean/root/package.deb"
  try apt-get update

  say "Installing"
  try apt-get install -y /root/package.deb gegl
  try sh -c '! ldd /usr/bin/constant-color /usr/lib/*/gegl-0.4/constant-color.so | grep -E "not found|swift"'

  say "Using"
  try silently constant-color --version
  try silently constant-color simulate --output /root/set --quiet --format dng,jpeg --size 320x240 --lux 200 --cct 3000 --tint green
  for kind in dng jpg; do
    try silently sh -c 'cd /root/set/inputs && set -- *T3000_green_flash.'"$kind"' && exec constant-color develop --quiet --flash "$1" \
      --ambient "${1%flash.*}ambient.'"$kind"'" --output /root/'"$kind"'.png --report /root/'"$kind"'.json'
    try test -s "/root/$kind.png" -a -s "/root/$kind.json"
  done
  # The command and GEGL's own tool have the same operations, though the command finds the plug-in, too.
  try sh -c 'constant-color ops | grep -o "^constant-color:[a-z0-9-]*" | sort >/root/ours'
  try sh -c 'gegl --list-all | grep "^constant-color:" | sort | diff - /root/ours && test -s /root/ours'
  try silently gegl /root/jpg.png -o /root/gegl.png -- constant-color:adapt-to-d65
  try test -s /root/gegl.png

  say "Purging"
  try sh -c 'dpkg-query -L constant-color >/root/files'
  try apt-get purge -y constant-color
  try sh -c 'while read -r file; do test -d "$file" || test ! -e "$file" || { echo "$file stays"; exit 1; }; done </root/files'
  try sh -c '! test -e /usr/share/doc/constant-color'
  say "The package installs, works without Swift, and is purged without a rest."
}
