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

# The profile is active where the parser knows it, and only there: also where AppArmor is installed later.
profile=/etc/apparmor.d/$name
[ ! -e "$profile" ] || fail "there is an AppArmor profile without AppArmor"
DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends apparmor >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    fail "apparmor cannot be installed"
}
is_active=no
[ ! -e "$profile" ] || is_active=yes
case $(apparmor_parser --version) in
*' version '[0-3].*) [ "$is_active" = no ] || fail "a profile that this AppArmor does not know is active" ;;
*)
    [ "$is_active" = yes ] || fail "the AppArmor profile is not active"
    apparmor_parser --skip-kernel-load --skip-cache "$profile" || fail "the AppArmor profile is wrong"
    ;;
esac

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
[ ! -e "$profile" ] || fail "$profile is still there"
echo "deb: installed, used and removed on Debian $(cat /etc/debian_version)"
