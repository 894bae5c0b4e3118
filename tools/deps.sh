#!/bin/sh
# deps: installs the Debian packages that Plum needs.
#
# usage: tools/deps.sh [GROUP...]        groups: run (the default), test, bench, fonts
#
# Asks for nothing, neither privileges nor network, when all are there. Otherwise
# installs as root, or through sudo, or prints the one command to run and exits
# with 3. Needs nothing but a bare Debian 12 itself. docs/dependencies.md has the
# longer reasons.
set -eu

# One package a line: GROUP PACKAGE WHY
packages() {
    cat <<'LIST'
run  gcc                compiler
run  libc6-dev          headers
run  g++                students-agents
run  cmake              build
run  pkg-config         finds-libraries
run  libjansson-dev     JSON
run  libuv1-dev         event-loop
run  libseccomp-dev     sandbox
run  libmicrohttpd-dev  web-server
run  clang              engine-in-the-browser
run  lld                engine-in-the-browser
run  wasi-libc          engine-in-the-browser
run  libclang-rt-14-dev-wasm32 engine-in-the-browser
run  libsqlite3-dev     tournaments
run  libinih-dev        rosters
run  libzip-dev         submissions
test libclang-rt-14-dev libFuzzer
test llvm               symbolizer,coverage
test libcmocka-dev      unit-tests
test clang-format       layout
test clang-tidy         lint
test cppcheck           lint
test shellcheck         lint
test mandoc             lint
test python3            student-kit
test g++-mingw-w64-x86-64 student-kit
test nodejs             browser-tests
test npm                browser-tests
test chromium           browser-tests
bench wrk               load-on-the-web-arena
fonts fonts-inter-variable  text-of-the-pages
fonts fonts-sil-gentiumplus headings-of-the-pages
fonts python3-fonttools     makes-them-small
fonts python3-brotli        woff2
LIST
}

# Some packages of nodejs bring their own npm.
is_installed() {
    [ "$1" = npm ] && command -v npm >/dev/null && return
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing_packages() {
    for group in "$@"; do
        packages | while read -r of package _; do
            [ "$of" != "$group" ] || is_installed "$package" || echo "$package"
        done
    done
}

install_as_root() {
    echo "deps: installing $missing"
    "$@" apt-get -qq update
    # shellcheck disable=SC2086 # one word a package
    "$@" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends $missing >/dev/null
}

if [ $# = 0 ]; then
    set -- run
fi
for group in "$@"; do
    if ! packages | grep -q "^$group "; then
        echo "deps: no group '$group'; the groups are: run, test, bench, fonts" >&2
        exit 2
    fi
done
if ! command -v dpkg-query >/dev/null; then
    echo "deps: this is no Debian system; install what docs/dependencies.md lists yourself" >&2
    exit 0
fi

missing=$(missing_packages "$@" | tr '\n' ' ')
missing=${missing% }
if [ -z "$missing" ]; then
    exit 0
fi
if [ "$(id -u)" = 0 ]; then
    install_as_root
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    install_as_root sudo
else
    echo "deps: not root and no sudo; run this as root, then try again:" >&2
    echo "apt-get update && apt-get install -y --no-install-recommends $missing" >&2
    exit 3
fi
