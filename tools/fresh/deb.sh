#!/bin/sh
# deb: installs the Debian package, uses it and removes it, inside the bare root of `make deb`.
#
# usage: tools/fresh/deb.sh DEB
#
# Needs nothing from the project but this file and the package. Installs g++ and python3, too, which
# the package recommends.
set -eu
deb=$(realpath "$1")
name=$(dpkg-deb -f "$deb" Package)
scratch=$(mktemp -d)
chmod 755 "$scratch" # agents of root run as another user
trap 'rm -rf "$scratch"' EXIT

fail() { # fail WHAT
    echo "deb: $1" >&2
    exit 1
}

match() { # match GAME AGENT : it plays two games without a fault
    plum match "$1" --black "$2" --white builtin:1 --games 2 >result || fail "no match of $1"
    cat result
    [ "$(grep -c ' none$' result)" = 2 ] || fail "faults in a match of $1"
}

apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends \
    "$deb" g++ python3 >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    fail "cannot be installed"
}

cd "$scratch"
plum --version
plum new hop cpp mine --team 7 >/dev/null
(cd mine && plum build hop Sample.cpp -o Sample >/dev/null) || fail "the kit in C++ cannot be built"
match hop 'tcp:7:mine/Sample'
plum new reversi python snake --team 8 >/dev/null
match reversi 'tcp:8:python3 snake/Sample.py'

dpkg -L "$name" >files
for file in bin/plum libexec/plum/plum-helper share/man/man1/plum.1.gz share/bash-completion/completions/plum \
    "share/doc/$name/docs/commands.md" "share/doc/$name/copyright" share/plum/clients/README.md; do
    [ -s "/usr/$file" ] || fail "/usr/$file is missing"
done
gzip -dc /usr/share/man/man1/plum.1.gz | grep -q '^\.TH PLUM 1' || fail "the manual page is broken"
bash -n /usr/share/bash-completion/completions/plum || fail "the completion for bash is broken"

DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 purge -y "$name" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    fail "cannot be removed"
}
while read -r path; do
    [ ! -f "$path" ] || fail "$path is still there"
done <files
for folder in "share/doc/$name" share/plum libexec/plum; do
    [ ! -e "/usr/$folder" ] || fail "/usr/$folder is still there"
done
echo "deb: installed, used and removed on Debian $(cat /etc/debian_version)"
