#!/bin/sh
# install: puts the program, its helper for the sandbox, its manual page and its completion for bash under a prefix,
# and the reports that `make reports` has written, for `plum submission`.
#
# usage: tools/install.sh PLUM PREFIX            plum-helper and reports are in PLUM's folder, if they were made
#        tools/install.sh --remove PREFIX        removes these files; folders stay
set -eu
prefix=$2
helper=$prefix/libexec/plum/plum-helper
reports=$prefix/share/plum/reports

# One file a line: PATH WHAT-PLUM-PRINTS
texts() {
    cat <<'LIST'
share/man/man1/plum.1 man
share/bash-completion/completions/plum completion bash
LIST
}

if [ "$1" = --remove ]; then
    texts | while read -r path _; do rm -f "$prefix/$path"; done
    rm -f "$prefix/bin/plum" "$helper" "$reports"/*.pdf
    echo "removed from $prefix: program, manual page, completion for bash"
    exit
fi

install -D -m 755 "$1" "$prefix/bin/plum"
rm -f "$helper"
[ ! -e "$(dirname "$1")/plum-helper" ] || install -D -m 755 "$(dirname "$1")/plum-helper" "$helper"
for report in "$(dirname "$1")"/reports/*.pdf; do
    [ ! -e "$report" ] || install -D -m 644 "$report" "$reports/${report##*/}"
done
texts | while read -r path words; do
    # shellcheck disable=SC2086 # one word an argument
    text=$("$1" $words </dev/null)
    printf '%s\n' "$text" | install -D -m 644 /dev/stdin "$prefix/$path"
done
echo "installed under $prefix: program, manual page, completion for bash"
