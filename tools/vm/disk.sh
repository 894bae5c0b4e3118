#!/bin/sh
# disk: makes the disk and fetches the kernel of `make test-vm`, inside the bare root of tools/fresh/root.sh.
#
# usage: tools/vm/disk.sh FOLDER     writes FOLDER/disk.img and FOLDER/vmlinuz
#
# The disk is this root with systemd, what an ordinary login has, python3 and gcc. Debian's kernel for virtual machines
# has NVMe and ext4 built in, so it needs neither modules nor an initial file system: it is unpacked, not installed.
set -eu
out=$1
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends systemd systemd-sysv dbus dbus-user-session \
    libpam-systemd procps iproute2 python3 gcc g++ e2fsprogs >/dev/null 2>&1

kernel=$(apt-cache depends --important linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9]\)/\1/p')
mkdir -p "$out/kernel"
chmod 777 "$out/kernel" # apt fetches as another user
(cd "$out/kernel" && apt-get -qq download "$kernel" && dpkg -x ./*.deb .)
mv "$out/kernel/boot/vmlinuz"-* "$out/vmlinuz"
rm -rf "$out/kernel"

useradd --create-home --shell /bin/bash student
echo plum >/etc/hostname
: >/etc/fstab
# What needs a network or a console, or works at some time of its own.
systemctl mask getty@tty1.service serial-getty@ttyS0.service systemd-timesyncd.service systemd-networkd.service \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer logrotate.timer 2>/dev/null
cat >/etc/systemd/system/plum-vm.service <<'UNIT'
[Unit]
Description=The tests of make test-vm
After=multi-user.target systemd-user-sessions.service
[Service]
Type=oneshot
ExecStart=/sbin/plum-vm systemd
[Install]
WantedBy=graphical.target
UNIT
systemctl enable plum-vm.service 2>/dev/null
systemctl set-default graphical.target 2>/dev/null
# With systemd, or as the first process in its place: the second disk has what is to be done.
cat >/sbin/plum-vm <<'SCRIPT'
#!/bin/sh
[ -e /proc/self ] || { mount -t proc proc /proc && mount -t devtmpfs dev /dev; }
mount -t ext4 -o ro /dev/nvme1n1 /opt && exec sh /opt/tools/vm/inside.sh "$@"
SCRIPT
chmod 755 /sbin/plum-vm

rm -rf /var/lib/apt/lists/*
mkdir /bare
mount --bind / /bare # without what is mounted in it
rm -f "$out/disk.img"
mke2fs -q -t ext4 -d /bare "$out/disk.new" 3G
mv "$out/disk.new" "$out/disk.img"
