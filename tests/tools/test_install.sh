#!/bin/sh
# Does make uninstall remove what tools/install.sh put there, and nothing else?
#
# usage: test_install.sh PLUM
set -eu
plum=$(realpath "$1")
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root="$scratch/a root"
failed=0

fail() {
    echo "$1"
    failed=1
}

umask 077
mkdir -p "$root/usr/bin" "$root/usr/share/man/man1"
touch "$root/usr/bin/plumber" "$root/usr/share/man/man1/plum.10"
(cd "$root" && find . -type f | sort) >"$scratch/before"

sh tools/install.sh "$plum" "$root/usr" >/dev/null
"$root/usr/bin/plum" --version >/dev/null || fail "the installed program does not run"
helper=$root/usr/libexec/plum/plum-helper
if [ -e "$(dirname "$plum")/plum-helper" ]; then
    [ "$(stat -c %a "$helper" || true)" = 755 ] || fail "the sandbox's helper is missing"
    # Does the installed program use it?
    ln -sf /bin/true "$helper"
    "$root/usr/bin/plum" sandbox >/dev/null 2>&1 || fail "a link in the place of the helper is used"
    cp --remove-destination /bin/true "$helper"
    if "$root/usr/bin/plum" sandbox >/dev/null 2>&1; then
        fail "the installed program does not use its helper"
    fi
fi
for file in man/man1/plum.1 bash-completion/completions/plum; do
    path=$root/usr/share/$file
    [ -s "$path" ] || fail "$file is missing"
    [ "$(stat -c %a "$path")" = 644 ] || fail "$file cannot be read by everybody"
done

env -u MAKEFLAGS -u MFLAGS make -s uninstall DESTDIR="$root" PREFIX=/usr >/dev/null
(cd "$root" && find . -type f | sort) >"$scratch/after"
diff "$scratch/before" "$scratch/after" || fail "uninstalling leaves or takes other files"

# A program that cannot print must not leave an empty page.
if sh tools/install.sh /bin/false "$root/usr" >/dev/null 2>&1; then
    fail "installing a broken program succeeds"
fi
exit "$failed"
