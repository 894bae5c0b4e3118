#!/bin/sh
# test: `make test-vm`: the sandbox on Debian's own kernel with cgroups of version 2, in a virtual machine without KVM.
#
# usage: tools/vm/test.sh SUITE BUILD FOLDER     SUITE: bookworm, trixie; BUILD: with plum and the tests; FOLDER: the cache
#
# PLACES="user scope" chooses places of places.txt, PARTS="reach attacks" what is done in them (place.sh). Disk and kernel
# are kept in FOLDER. The clock of the machine counts its own instructions (-icount), so that time limits inside mean the
# same however slow the emulation is. QEMU can do that with one processor only. It has no CMPXCHG16B: with QEMU 7.2 Linux 6.12
# ended in the allocator, after that instruction, with flags that no instruction can have.
set -eu
suite=$1 build=$2 folder=$(realpath -m "$3")
: "${PLACES:=$(sed -n 's/^\([a-z-]*\)  .*/\1/p' tools/vm/places.txt | tr '\n' ' ')}"
: "${PARTS:=reach attacks sandbox pace ponder tournament}"
for tool in qemu-system-x86_64 mke2fs; do
    if ! command -v "$tool" >/dev/null; then
        echo "test-vm: $tool is missing; install it: sh tools/deps.sh vm" >&2
        exit 3
    fi
done

disk=$folder/archives/vm-$suite
made=$(cksum <tools/vm/disk.sh)
if [ "$(cat "$disk/made" 2>/dev/null)" != "$made" ]; then
    mkdir -p "$disk"
    FRESH_CACHE=$folder tools/fresh/root.sh -s "$suite" -f tools/vm/disk.sh sh disk.sh "/var/cache/apt/archives/vm-$suite"
    echo "$made" >"$disk/made"
fi

# What is tested: the second disk.
files=$folder/files
rm -rf "$files"
mkdir -p "$files/build/tests" "$files/lib" "$files/tools" "$files/tests"
cp "$build/plum" "$files/build"
[ ! -e "$build/plum-helper" ] || cp "$build/plum-helper" "$files/build"
cp -r "$build/tests/attacks" "$build/tests/test_sandbox" "$build/tests/test_pace" "$build/tests/rude" "$files/build/tests"
cp -r tests/sandbox_test.sh tests/own_port.sh tests/own_network.py tests/match "$files/tests"
cp -r tools/vm "$files/tools"
cp -r clients "$files"
# Libraries of this machine, where those of the virtual one may have other versions.
ldd "$build/plum" "$build"/tests/test_sandbox | awk '$2 == "=>" { print $3 }' | sort -u |
    grep -v '/lib\(c\|m\|gcc_s\|stdc++\)\.so' | xargs cp -Lt "$files/lib"
echo "$PLACES" >"$files/places"
echo "$PARTS" >"$files/parts"
chmod -R go=u,go-w "$files"
rm -f "$folder/files.img"
mke2fs -q -t ext4 -d "$files" -E root_owner=0:0 "$folder/files.img" 256M

machine= # its process
# shellcheck disable=SC2317 # the traps call it
end() { # end STATUS
    [ -z "$machine" ] || kill "$machine" 2>/dev/null || true
    exit "$1"
}
trap 'end 130' INT
trap 'end 143' TERM HUP

boot() { # boot NAME KERNEL OPTIONS
    log=$folder/$suite-$1.log
    : >"$log"
    start=$(date +%s)
    nice qemu-system-x86_64 -accel tcg -icount shift=0 -cpu max,-cx16 -smp 1 -m 2048 -display none -nic none -no-reboot \
        -serial "file:$folder/$suite-$1.console" -serial "file:$log" \
        -kernel "$disk/vmlinuz" -append "root=/dev/nvme0n1 rw console=ttyS0 quiet panic=-1 $2" \
        -drive "file=$disk/disk.img,format=raw,if=none,id=disk,snapshot=on" -device nvme,serial=disk,drive=disk \
        -drive "file=$folder/files.img,format=raw,if=none,id=files,snapshot=on" -device nvme,serial=files,drive=files &
    machine=$!
    wait "$machine" || true
    machine=
    cat "$log"
    echo "test-vm: $suite, $1: $(($(date +%s) - start)) s"
    grep -q "^vm: $1: finished" "$log" || { echo "test-vm: the machine did not finish; see $folder/$suite-$1.console" >&2; failed=1; }
    ! grep -q '^vm: .* FAILED' "$log" || failed=1
}

failed=
plain=
systemd=
rm -f "$folder/$suite"-*.log
for place in $PLACES; do
    case $place in
    root-group*) plain=yes ;;
    *) systemd=yes ;;
    esac
done
[ -z "$plain" ] || boot plain "init=/sbin/plum-vm -- plain"
[ -z "$systemd" ] || boot systemd ""
for place in $PLACES; do
    grep -qs "^vm: $place: ended" "$folder/$suite"-*.log || {
        echo "test-vm: place $place was not reached, or did not end" >&2
        failed=1
    }
done
if [ -n "$failed" ]; then
    echo "test-vm: failed on $suite:" >&2
    grep -h '^vm: .* FAILED' "$folder/$suite"-*.log >&2 || true
    exit 1
fi
echo "test-vm: passed on $suite: $PLACES"
