#!/bin/sh
# install: puts the program, its helper for the sandbox, its manual page and its completion for bash under a prefix.
#
# usage: tools/install.sh PLUM PREFIX            plum-helper is in PLUM's folder, if it was built
#        tools/install.sh --remove PREFIX        removes these files; folders stay
set -eu
prefix=$2
helper=$prefix/libexec/plum/plum-helper

# One file a line: PATH WHAT-PLUM-PRINTS
texts() {
    cat <<'LIST'
share/man/man1/plum.1 man
share/bash-completion/completions/plum completion bash
LIST
}

if [ "$1" = --remove ]; then
    texts | while read -r path _; do rm -f "$prefix/$path"; done
    rm -f "$prefix/bin/plum" "$helper"
    echo "removed from $prefix: program, manual page, completion for bash"
    exit
fi

install -D -m 755 "$1" "$prefix/bin/plum"
rm -f "$helper"
[ ! -e "$(dirname "$1")/plum-helper" ] || install -D -m 755 "$(dirname "$1")/plum-helper" "$helper"
texts | while read -r path words; do
    # shellcheck disable=SC2086 # one word an argument
    text=$("$1" $words </dev/null)
    printf '%s\n' "$text" | install -D -m 644 /dev/stdin "$prefix/$path"
done
echo "installed under $prefix: program, manual page, completion for bash"
