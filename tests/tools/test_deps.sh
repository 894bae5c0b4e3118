#!/bin/sh
# Does tools/deps.sh say what to do, on a machine where nothing is installed?
#
# The machine is a PATH with the few programs that a bare Debian has, and an empty database of
# dpkg; root is another user here, because an ordinary one is asked.
set -eu
umask 022 # another user reads what is made here
project=$(realpath "$(dirname "$0")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
failed=0
mkdir -p "$scratch/bare" "$scratch/dpkg/info" "$scratch/dpkg/updates" "$scratch/tree/tools"
touch "$scratch/dpkg/status" "$scratch/dpkg/available"
cat "$project/tools/deps.sh" >"$scratch/tree/tools/deps.sh" # not cp: the mode of the checkout may be 600
for program in sh cat sed tr cut sort paste dirname id env dpkg-query apt-get; do
    if ! path=$(command -v "$program"); then
        echo "skipped: there is no $program"
        exit 77
    fi
    ln -s "$path" "$scratch/bare/$program"
done

deps() { # deps SYSTEM GROUP... : as an ordinary user; sets code, and writes got
    echo "ID=$1" >"$scratch/os-release"
    shift
    code=0
    set -- env -i PATH="$scratch/bare" DPKG_ADMINDIR="$scratch/dpkg" OS_RELEASE="$scratch/os-release" \
        sh "$scratch/tree/tools/deps.sh" "$@"
    if [ "$(id -u)" = 0 ]; then
        set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    fi
    "$@" </dev/null >"$scratch/got" 2>&1 || code=$?
}

says() { # says CLAIM CODE PATTERN...
    claim=$1
    ok=1
    [ "$code" = "$2" ] || ok=0
    shift 2
    for pattern in "$@"; do
        grep -Eq -e "$pattern" "$scratch/got" || ok=0
    done
    if [ "$ok" = 0 ]; then
        echo "$claim: exit code $code and:"
        cat "$scratch/got"
        failed=1
    fi
}

command='^apt-get update && apt-get install -y --no-install-recommends [a-z0-9+ -]*'
deps debian run test
says "one command for all that the tests need" 3 'neither root nor may use sudo' \
    "$command\\<cmake\\>.*\\<libclang-rt-dev-wasm32\\>.*\\<npm\\>"
[ "$(grep -c apt-get "$scratch/got")" = 1 ] || says "one command, not two" none
deps debian
says "what is needed to run" 3 "$command\\<wasi-libc zlib1g-dev$"
deps ubuntu
says "Ubuntu is not tested" 3 'not tested on Ubuntu' "$command\\<clang\\>"
deps debian nonsense
says "an unknown group" 2 "there is no group 'nonsense'"

mkdir "$scratch/tree/prebuilt"
touch "$scratch/tree/prebuilt/plum.wasm"
deps debian
says "a source archive" 3 "$command\\<pkg-config poppler-utils zlib1g-dev$"
if grep -qw clang "$scratch/got"; then
    says "a source archive needs no clang" none
fi

rm "$scratch/bare/apt-get"
deps fedora
says "another system" 3 'has no apt-get; install .*CMake 3.25,.* libuv,'
[ "$(wc -l <"$scratch/got")" = 1 ] || says "one sentence" none
for program in gcc g++ cmake pkg-config pdfinfo; do
    printf '#!/bin/sh\n' >"$scratch/bare/$program"
    chmod 755 "$scratch/bare/$program"
done
deps fedora
says "another system with all that is needed" 0
[ ! -s "$scratch/got" ] || says "nothing to say" none
exit "$failed"
