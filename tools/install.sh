#!/bin/sh
# install: puts the program, its manual page and its shell completions under a prefix.
#
# usage: tools/install.sh PLUM PREFIX
set -eu
plum=$1
prefix=$2

make_file() { # make_file PATH COMMAND... : the command's output becomes the file
    path=$prefix/$1
    shift
    mkdir -p "$(dirname "$path")"
    "$@" >"$path"
    chmod 644 "$path"
}

mkdir -p "$prefix/bin"
install -m 755 "$plum" "$prefix/bin/plum"
make_file share/man/man1/plum.1 "$plum" man
make_file share/bash-completion/completions/plum "$plum" completion bash
make_file share/zsh/site-functions/_plum "$plum" completion zsh
make_file share/fish/vendor_completions.d/plum.fish "$plum" completion fish
echo "installed under $prefix: program, manual page, completions for bash, zsh and fish"
