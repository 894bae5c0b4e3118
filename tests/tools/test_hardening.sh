#!/bin/sh
# Is the released program hardened against its own bugs, and so is its helper?
#
# usage: test_hardening.sh PLUM
set -eu
plum=$1
helper=$(dirname "$plum")/plum-helper
failed=0

expect() { # expect WHAT PROGRAM PATTERN COMMAND... : its output must contain the pattern
    what=$1 program=$2 pattern=$3
    shift 3
    "$@" "$program" | grep -q -- "$pattern" || {
        echo "$program: $what"
        failed=1
    }
}

for program in "$plum" "$helper"; do
    [ -e "$program" ] || continue
    expect "its place in memory is fixed" "$program" 'Type: *DYN' readelf -hW
    expect "what is relocated stays writable" "$program" GNU_RELRO readelf -lW
    case $(uname -m) in
    x86_64) expect "its stack can jump over a guard page" "$program" 'orq *.0x0,(%rsp)' objdump -d --no-show-raw-insn ;;
    esac
done
expect "the addresses of functions stay writable" "$plum" 'BIND_NOW\|FLAGS.*NOW' readelf -dW
expect "its stack is not protected" "$plum" __stack_chk_fail readelf -W --dyn-syms
expect "the sizes of buffers are not checked" "$plum" __memcpy_chk readelf -W --dyn-syms
exit "$failed"
