#!/bin/sh
# enter-root.sh ROOT SCRIPT: runs SCRIPT as root of a copy of ROOT in memory, with its own processes and this machine's
# network. `/host` is the folder of SCRIPT.
set -e
root=$1
script=$2
layer=$(mktemp -d)
mount -t tmpfs tmpfs "$layer"
mkdir "$layer/changed" "$layer/work" "$layer/root"
mount -t overlay overlay -o "lowerdir=$root,upperdir=$layer/changed,workdir=$layer/work" "$layer/root"
mount -t proc proc "$layer/root/proc"
mount --rbind /dev "$layer/root/dev"
mkdir "$layer/root/host"
mount --bind "$(dirname "$script")" "$layer/root/host"
cp /etc/resolv.conf "$layer/root/etc/resolv.conf" 2>/dev/null || true
cp /etc/hosts "$layer/root/etc/hosts"
cd /
exec chroot "$layer/root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh "/host/$(basename "$script")"
