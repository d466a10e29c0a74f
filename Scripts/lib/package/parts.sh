# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables are shared with Scripts/package, which sources this
# The parts of the Debian package that are computed: version, changelog, dependencies.

package_packages=(dpkg-dev binutils chrpath)

# The Debian version of VERSION at COMMIT: the release where it is tagged so; something before it where there is no such
# tag yet, something after it where there is.
package_version() {
  local version=$1 commit=$2 stamp
  stamp=git$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S)${commit:+.$commit}
  if [[ -z $commit || $(git -C "$root" tag --points-at HEAD --list "v$version") ]]; then
    say "$version"
  elif [[ $(git -C "$root" tag --list "v$version") ]]; then
    say "$version+$stamp"
  else
    say "$version~$stamp"
  fi
}

# Debian's changelog has an entry a package; what changed stands in the repository.
changelog() {
  say "$name ($version) unstable; urgency=medium" ""
  say "  * constant-color ${released##* }${commit:+, commit $commit}." ""
  say " -- $author  $(LC_ALL=C date --utc -R --date="@$SOURCE_DATE_EPOCH")"
}

# shared_libraries FIELD BINARY...: the packages of the libraries that binaries in the tree link, comma-separated.
shared_libraries() {
  local field=$1
  shift
  mkdir -p -- "$work/debian"
  say "Source: $name" "" "Package: $name" "Architecture: any" >"$work/debian/control"
  (cd -- "$work" && dpkg-shlibdeps "-d$field" -O "${@/#/tree/}" 2>"$work/warnings" | sed -n "s/^shlibs:$field=//p") ||
    fail "the libraries' packages were not found:" "$(cat -- "$work/warnings")"
}

# The packages of libraries that are opened at run time: whose names the binaries contain, but do not link.
opened_libraries() {
  local binary soname path packages=()
  for binary in "$@"; do
    while read -r soname; do
      if readelf --wide --dynamic "$tree/$binary" | grep -qF "[$soname]"; then continue; fi
      path=$(ldconfig -p | sed -n "s|^\t$soname .* => ||p" | head -n 1)
      [[ -n $path ]] || fail "'$binary' opens $soname, which is not installed here, so that its package is not known"
      # Before folders were merged, the same file belonged to /lib.
      packages+=("$(dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "$(realpath -- "$path")")")
    done < <(strings -a -- "$tree/$binary" | grep -xE 'lib[A-Za-z0-9_+-]+\.so\.[0-9]+' | sort -u)
  done
  printf '%s\n' "${packages[@]%%:*}" | sort -u | paste -sd, | sed 's/,/, /g'
}

# The control file and the sums of the package's files.
control() {
  local depends recommends suggests
  depends=$(shared_libraries Depends "${binaries[@]}")
  recommends=$(opened_libraries "${binaries[@]}")
  suggests="gegl, gimp, graphviz, tesseract-ocr"
  # Who has GIMP has its libraries; the others are depended on already.
  if ((${#gimp_binaries[@]})); then
    suggests+=$(shared_libraries Suggests "${gimp_binaries[@]}" | sed 's/, /\n/g' |
      grep -vxFf <(sed 's/, /\n/g' <<<"$depends") | sed 's/^/, /' | tr -d '\n' || true)
  fi
  mkdir -p -- "$tree/DEBIAN"
  (cd -- "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  sed -e "s|@VERSION@|$version|" -e "s|@ARCHITECTURE@|$architecture|" -e "s|@MAINTAINER@|$author|" \
    -e "s|@SIZE@|$(du --apparent-size -sk -- "$tree/usr" | cut -f 1)|" \
    -e "s|@DEPENDS@|$depends|" -e "s|@RECOMMENDS@|$recommends|" -e "s|@SUGGESTS@|$suggests|" \
    "$root/Scripts/lib/package/control" >"$tree/DEBIAN/control"
  chmod 644 -- "$tree/DEBIAN/control" "$tree/DEBIAN/md5sums"
}
