#!/bin/sh
# install: puts the program, its manual page and its completion for bash under a prefix.
#
# usage: tools/install.sh PLUM PREFIX
#        tools/install.sh --remove PREFIX        removes these files; folders stay
set -eu
prefix=$2

# One file a line: PATH WHAT-PLUM-PRINTS
texts() {
    cat <<'LIST'
share/man/man1/plum.1 man
share/bash-completion/completions/plum completion bash
LIST
}

if [ "$1" = --remove ]; then
    texts | while read -r path _; do rm -f "$prefix/$path"; done
    rm -f "$prefix/bin/plum"
    echo "removed from $prefix: program, manual page, completion for bash"
    exit
fi

install -D -m 755 "$1" "$prefix/bin/plum"
texts | while read -r path words; do
    # shellcheck disable=SC2086 # one word an argument
    text=$("$1" $words </dev/null)
    printf '%s\n' "$text" | install -D -m 644 /dev/stdin "$prefix/$path"
done
echo "installed under $prefix: program, manual page, completion for bash"
