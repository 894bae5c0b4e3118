#!/bin/sh
# root: runs a command in a bare Debian that is made for it and removed after it.
#
# usage: tools/fresh/root.sh [-s SUITE] [-c] [-f FILE]... COMMAND...
#
#   -s SUITE   the release: bookworm (the default), trixie
#   -c         a plain chroot where user namespaces are off, instead of a root of its own
#   -f FILE    copied into /fresh, where COMMAND starts
#
# The root is debootstrap's smallest, with the machine's archive, proxies and
# certificates; COMMAND runs in it as root, in mount and pid namespaces of its own,
# so that nothing outlives it, also when this script is interrupted. With
# FRESH_CACHE=FOLDER the bare root and downloaded packages are kept there for
# the next call. Needs root and debootstrap.
set -eu

suite=bookworm
mode=pivot
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
while getopts s:cf: option; do
    case $option in
        s) suite=$OPTARG ;;
        c) mode=chroot ;;
        f) cp -a "$OPTARG" "$files" ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ $# = 0 ]; then
    echo "fresh/root: no command; usage: tools/fresh/root.sh [-s SUITE] [-c] [-f FILE]... COMMAND..." >&2
    exit 2
fi
if [ "$(id -u)" != 0 ]; then
    echo "fresh/root: only root can make a root; try: sudo make ..." >&2
    exit 3
fi
for tool in debootstrap unshare pivot_root; do
    if ! command -v "$tool" >/dev/null; then
        echo "fresh/root: $tool is missing; install it: apt-get install debootstrap util-linux" >&2
        exit 3
    fi
done

# Others may enter: what runs in the root as another user passes through this folder.
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/plum-fresh.XXXXXX")
chmod 755 "$scratch"
cache=${FRESH_CACHE:-$scratch/cache}
root=$scratch/root
namespace=

# shellcheck disable=SC2317 # the trap calls it
clean() {
    trap '' INT TERM HUP
    if [ -n "$namespace" ]; then
        kill -KILL "$namespace" 2>/dev/null || true
        wait "$namespace" 2>/dev/null || true
    fi
    rm -rf --one-file-system "$scratch" "$files"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The machine's own archive, where it is a Debian.
# shellcheck disable=SC2016 # the words are apt's
archive() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        sed 's|/*$||' | grep '/debian$' | head -n 1
}

make_base() {
    mkdir -p "$cache/archives"
    chmod 755 "$cache/archives"
    [ ! -e "$cache/$suite" ] || return 0
    echo "fresh/root: making a bare $suite ..."
    rm -rf --one-file-system "$cache/$suite.new" # of a run that was killed
    # shellcheck disable=SC2046 # without an archive: debootstrap's own
    if ! debootstrap --variant=minbase --cache-dir="$cache/archives" "$suite" \
        "$cache/$suite.new" $(archive) >"$scratch/debootstrap.log" 2>&1; then
        tail -n 20 "$scratch/debootstrap.log" >&2
        rm -rf --one-file-system "$cache/$suite.new"
        echo "fresh/root: debootstrap failed" >&2
        exit 3
    fi
    rm -f "$cache/$suite.new"/var/cache/apt/archives/*.deb
    mv "$cache/$suite.new" "$cache/$suite"
}

# What the machine needs to reach the archive and npm's registry.
copy_settings() {
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    apt-config dump 2>/dev/null | grep -iE '^Acquire::(http|https)::Proxy ' \
        >"$root/etc/apt/apt.conf.d/90proxy" || true
    if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
        cp "$NODE_EXTRA_CA_CERTS" "$root/fresh/certificates.crt"
    fi
}

# Runs in the namespaces: devices, processes and the kernel's files, then COMMAND.
# shellcheck disable=SC2016 # for the shell in there
enter='
set -eu
root=$1 mode=$2 archives=$3
shift 3
if [ "$mode" = chroot ]; then
    echo 0 >/proc/sys/user/max_user_namespaces
else
    mount --bind "$root" "$root"
fi
mount -t tmpfs -o mode=755 dev "$root/dev"
for device in null zero full random urandom tty; do
    : >"$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --bind "$archives" "$root/var/cache/apt/archives"
cd "$root"
if [ "$mode" = chroot ]; then
    exec chroot . sh -c "cd /fresh && exec \"\$@\"" sh "$@"
fi
pivot_root . .
umount -l .
cd /fresh
exec "$@"
'

variables() {
    env | sed -n 's/^\([a-z_]*_proxy\)=.*/\1/p; s/^\(ALL_PROXY\|HTTPS\?_PROXY\|NO_PROXY\)=.*/\1/p'
}

make_base
cp -a "$cache/$suite" "$root"
mkdir "$root/fresh"
cp -a "$files/." "$root/fresh/"
chmod 755 "$root/fresh"
copy_settings

set -- "$root" "$mode" "$cache/archives" "$@"
for name in $(variables); do
    keep="${keep:-} $name=$(printenv "$name")"
done
if [ -e "$root/fresh/certificates.crt" ]; then
    keep="${keep:-} NODE_EXTRA_CA_CERTS=/fresh/certificates.crt"
fi
# A shell starts a background program with SIGINT ignored; that must not reach the tests.
bare="env -i --default-signal=INT,QUIT PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root ${keep:-}"
# shellcheck disable=SC2086 # words of a command
if [ "$mode" = pivot ]; then
    $bare unshare --mount --pid --fork --kill-child sh -c "$enter" sh "$@" &
    namespace=$!
else
    # All users are mapped to themselves: only so can the limit hold for this root alone.
    mkfifo "$scratch/mapped"
    $bare unshare --user --mount --pid --fork --kill-child \
        sh -c "read -r _ <'$scratch/mapped'; exec sh -c \"\$0\" \"\$@\"" "$enter" sh "$@" &
    namespace=$!
    child=
    while [ -z "$child" ] && kill -0 "$namespace"; do
        sleep 0.1
        read -r child _ <"/proc/$namespace/task/$namespace/children" || true
    done
    echo '0 0 4294967295' >"/proc/$child/uid_map"
    echo '0 0 4294967295' >"/proc/$child/gid_map"
    echo mapped >"$scratch/mapped"
fi
status=0
wait "$namespace" || status=$?
namespace=
exit "$status"
