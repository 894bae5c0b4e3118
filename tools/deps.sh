#!/bin/sh
# deps: installs the packages that Plum needs.
#
# usage: tools/deps.sh [GROUP...]        groups: run (the default), workers, test, windows, bench,
#                                        deb, fonts, reports
#
# Asks for nothing, neither privileges nor network, when all are there. Otherwise, on Debian 12
# and 13, installs as root or through sudo, or prints the one command to run as root. On Ubuntu it
# prints that command, too, and that it is not tested; on other systems what to install. Exits with
# 3 when something is missing in the end. Needs nothing but a bare Debian itself.
# docs/dependencies.md has the longer reasons.
set -eu
root=$(dirname "$0")/..

# One package a line: GROUP PACKAGE PROBE NAME-ELSEWHERE. The package is the same in Debian 12 and
# 13. The probe is a program, or lib:MODULE for pkg-config; - if only dpkg can tell. The group web
# belongs to run, unless the engine for browsers is there already, as in a source archive.
packages() {
    cat <<'LIST'
run  gcc                    gcc               gcc
run  libc6-dev              -                 C library headers
run  g++                    g++               g++
run  cmake                  cmake             CMake 3.25
run  pkg-config             pkg-config        pkg-config
run  libuv1-dev             lib:libuv         libuv
run  libseccomp-dev         lib:libseccomp    libseccomp
run  libmicrohttpd-dev      lib:libmicrohttpd libmicrohttpd
run  libsqlite3-dev         lib:sqlite3       SQLite 3
run  libzip-dev             lib:libzip        libzip
run  zlib1g-dev             lib:zlib          zlib
run  poppler-utils          pdfinfo           pdfinfo of Poppler
workers libnats-dev         lib:libnats       nats.c
workers libssl-dev          lib:libcrypto     OpenSSL
workers nats-server         nats-server       nats-server
web  clang                  clang             clang
web  lld                    wasm-ld           lld
web  wasi-libc              -                 wasi-libc
web  libclang-rt-dev-wasm32 -                 compiler-rt for wasm32
test clang                  clang             clang
test libclang-rt-dev        -                 compiler-rt with libFuzzer
test llvm                   llvm-symbolizer   LLVM tools
test libcmocka-dev          lib:cmocka        cmocka
test clang-format           clang-format      clang-format
test clang-tidy             clang-tidy        clang-tidy
test cppcheck               cppcheck          cppcheck
test shellcheck             shellcheck        shellcheck
test mandoc                 mandoc            mandoc
test python3                python3           Python 3
test python3-numpy          -                 NumPy
test g++-mingw-w64-x86-64   x86_64-w64-mingw32-g++ mingw-w64
test nodejs                 node              Node.js 18
test npm                    npm               npm
test chromium               chromium          Chromium
test libnats-dev            lib:libnats       nats.c
test libssl-dev             lib:libcrypto     OpenSSL
test nats-server            nats-server       nats-server
test iproute2               ip                iproute2
windows g++-mingw-w64-x86-64 x86_64-w64-mingw32-g++ mingw-w64
windows wine64              /usr/lib/wine/wine64 wine
windows python3             python3           Python 3
bench wrk                   wrk               wrk
bench bubblewrap            bwrap             bubblewrap
vm   qemu-system-x86         qemu-system-x86_64 QEMU for x86
vm   debootstrap             debootstrap       debootstrap
vm   e2fsprogs               mke2fs            e2fsprogs
deb  dpkg-dev               dpkg-shlibdeps    dpkg-dev
fonts fonts-inter-variable  -                 Inter
fonts fonts-sil-gentiumplus -                 Gentium Plus
fonts python3-fonttools     pyftsubset        fontTools
fonts python3-brotli        -                 Brotli for Python
reports chromium            chromium          Chromium
reports python3             python3           Python 3
reports python3-markdown    -                 Markdown for Python
reports fonts-sil-gentiumplus -               Gentium Plus
LIST
}

is_there() { # is_there PACKAGE PROBE
    case $2 in
    -) ;;
    lib:*) pkg-config --exists "${2#lib:}" 2>/dev/null && return ;;
    *) command -v "$2" >/dev/null && return ;;
    esac
    if [ "$system" = other ]; then
        [ "$2" = - ] # then the build will tell
    else
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
    fi
}

missing() { # missing GROUP... : PACKAGE NAME-ELSEWHERE, a line each
    packages | while read -r of package probe name; do
        case " $* " in
        *" $of "*) is_there "$package" "$probe" || echo "$package $name" ;;
        esac
    done | sort -u
}

install_as_root() {
    echo "deps: installing $names"
    "$@" apt-get -qq update
    # shellcheck disable=SC2086 # one word a package
    "$@" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends $names >/dev/null
}

if [ $# = 0 ]; then
    set -- run
fi
for group in "$@"; do
    case $group in
    run | workers | test | windows | vm | bench | deb | fonts | reports) ;;
    *)
        echo "deps: there is no group '$group'; the groups are: run, workers, test, windows, vm, bench, deb, fonts, reports" >&2
        exit 2
        ;;
    esac
done
case " $* " in
*' run '*) [ -f "$root/prebuilt/plum.wasm" ] || set -- "$@" web ;;
esac

id_of_system=$(sed -n 's/^ID=//p' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | tr -d '"') || true
system=debian
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    system=other
elif [ "$id_of_system" = ubuntu ]; then
    system=ubuntu
fi

list=$(missing "$@")
if [ -z "$list" ]; then
    exit 0
fi
names=$(echo "$list" | cut -d ' ' -f 1 | tr '\n' ' ')
names=${names% }
case $system in
debian)
    if [ "$(id -u)" = 0 ]; then
        install_as_root
        exit
    elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
        install_as_root sudo
        exit
    fi
    echo "deps: packages are missing, and this user is neither root nor may use sudo; run this as root, then try again:" >&2
    ;;
ubuntu) echo "deps: packages are missing; Plum is not tested on Ubuntu, but these names should exist; run this as root, then try again:" >&2 ;;
other)
    echo "deps: this system has no apt-get; install $(echo "$list" | cut -d ' ' -f 2- | paste -s -d , | sed 's/,/, /g'), then try again." >&2
    exit 3
    ;;
esac
echo "apt-get update && apt-get install -y --no-install-recommends $names" >&2
exit 3
