#!/bin/sh
# inside: runs place.sh in each place of the virtual machine of `make test-vm`; what is printed goes to the second serial line.
#
# usage: tools/vm/inside.sh systemd|plain
#
# The places with systemd as Debian starts it, or with this script as the first process. They are described in places.txt.
set -u
stty -F /dev/ttyS1 raw
exec >/dev/ttyS1 2>&1 </dev/null
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
here=/opt/tools/vm
places=$(cat /opt/places)

is_wanted() { # is_wanted PLACE
    case " $places " in
    *" $1 "*) ;;
    *) false ;;
    esac
}

if [ "$1" = plain ]; then
    mount -t sysfs sysfs /sys
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    mkdir -p /dev/pts /dev/shm
    mount -t devpts devpts /dev/pts
    mount -t tmpfs -o mode=1777 shm /dev/shm
    ip link set lo up
fi
# As a machine with more memory has it, for the controls of attacks.
echo 131072 262144 524288 >/proc/sys/net/ipv4/tcp_mem
# Only what this Debian does not have: its own programs need its own versions.
for library in /opt/lib/*; do
    ldconfig -p | grep -qF "$(basename "$library") " || cp "$library" /usr/local/lib
done
ldconfig
echo "vm: $1: Linux $(uname -r), Debian $(cat /etc/debian_version), $(nproc) processors"

try() { # try PLACE COMMAND...
    if is_wanted "$1"; then
        shift
        "$@"
    fi
}

# as USER PLACE [WORD...]: after a login, place.sh with these words before it
as() {
    user=$1 place=$2
    shift 2
    try "$place" su -l "$user" -c "$* sh $here/place.sh $place"
}

if [ "$1" = plain ]; then
    try root-group sh $here/place.sh root-group
    as student root-group-user
else
    # The advice that is printed there is tried in the places after it.
    sysctl -q kernel.unprivileged_userns_clone=0
    as student forbidden
    as student forbidden-scope systemd-run --user --scope -q
    sysctl -q kernel.unprivileged_userns_clone=1
    try service sh $here/place.sh service
    as root session
    as student user
    as student scope systemd-run --user --scope -q
    try unit systemd-run --wait --pipe -q --uid=student -p Delegate=yes sh $here/place.sh unit
    # As in a container with cgroups of its own: what it sees as the first group is not the first.
    try container systemd-run --wait --pipe -q -p Delegate=yes unshare --cgroup --mount sh -c "
        umount /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup; exec sh $here/place.sh container"
fi
echo "vm: $1: finished"
sync
echo o >/proc/sysrq-trigger
sleep 60
