#!/bin/sh
# deb: a Debian package of the program, its helper, its manual page, completions, documents and student kits.
#
# usage: tools/deb.sh PLUM FOLDER        PLUM: the program, as make builds it
#
# Writes FOLDER/plum-arena_VERSION_ARCHITECTURE.deb. Debian has another program called plum, so
# the package has another name and cannot be installed with that one. tools/debian has its scripts
# and its AppArmor profile. The same program makes the same package, byte by byte. Then installs,
# uses and removes it in a bare root of this machine's Debian, if root calls it. Needs dpkg-dev and
# binutils.
set -eu
plum=$(realpath "$1")
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
name='plum-arena'
maintainer='Plum contributors <contributors@plum.invalid>'

commit=$(sh tools/commit.sh)
SOURCE_DATE_EPOCH=${commit#* } # dpkg-deb gives this time to everything
export SOURCE_DATE_EPOCH
# 0.2.0-dev is before 0.2.0, and of two commits the later one is newer.
version=$(sed 's/-/~/' VERSION)
case $version in
*~*) version="$version+git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S).$(echo "${commit% *}" | tr - .)" ;;
esac
architecture=$(dpkg --print-architecture)

umask 022
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
root=$scratch/debian/$name # where dpkg-shlibdeps wants it
documents=$root/usr/share/doc/$name

sh tools/install.sh "$plum" "$root/usr" >/dev/null
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/plum" "$root/usr/libexec/plum/plum-helper"
gzip -9n "$root/usr/share/man/man1/plum.1"

mkdir -p "$documents" "$root/usr/share/plum"
cp -R clients "$root/usr/share/plum"
mkdir "$root/usr/share/plum/kits"
for kit in src/games/*/kit; do
    cp -R "$kit" "$root/usr/share/plum/kits/$(basename "$(dirname "$kit")")"
done
find "$root/usr/share/plum" -name __pycache__ -exec rm -rf {} +
cp tools/debian/apparmor "$root/usr/share/plum/apparmor"
cp -R README.md CHANGELOG.md docs "$documents"
ln -s ../../plum/clients "$documents/clients"
{
    echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
    echo
    echo 'Files: *'
    sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
    echo 'License: Expat'
    sed '1,/^Copyright/d; /./!d; s/^/ /' LICENSE
} >"$documents/copyright"
{
    echo "$name ($version) unstable; urgency=medium"
    printf '\n  * What changed is in CHANGELOG.md.\n\n'
    echo " -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$documents/changelog.gz"
chmod -R u=rwX,go=rX "$root"

# dpkg-shlibdeps wants to be called in a source package.
mkdir "$root/DEBIAN"
printf 'Source: %s\n\nPackage: %s\nArchitecture: any\n' "$name" "$name" >"$scratch/debian/control"
depends=$(cd "$scratch" && dpkg-shlibdeps -O "debian/$name/usr/bin/plum" | sed -n 's/^shlibs:Depends=//p')

install -m 755 tools/debian/postinst tools/debian/prerm "$root/DEBIAN"
install -m 644 tools/debian/triggers "$root/DEBIAN"

(cd "$root" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<CONTROL
Package: $name
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(find "$root/usr" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
Depends: $depends
Built-Using: $(dpkg-query -W -f '${source:Package} (= ${source:Version})\n' libc6-dev libseccomp-dev | paste -s -d , | sed 's/,/, /')
Recommends: g++, poppler-utils, python3
Conflicts: plum
Section: education
Priority: optional
Description: judge, tournaments and an engine for board games of AI courses
 Plum plays board games with programs that students of artificial
 intelligence courses wrote: it checks them, runs them in a
 sandbox, plays matches and whole tournaments and keeps the results. It has a
 strong engine, and an arena for the browser.
 .
 Student kits in C, C++ and Python are included. Building programs needs g++.
CONTROL
out=$folder/${name}_${version}_$architecture.deb
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$root" "$out" >/dev/null
echo "wrote $out"

if [ "$(id -u)" != 0 ]; then
    echo "deb: not tried: only root can make a bare Debian to install it in"
    exit 0
fi
# shellcheck disable=SC1091 # not part of the project
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
tools/fresh/root.sh -s "$suite" -f "$out" -f tools/fresh/deb.sh sh deb.sh "$(basename "$out")"
