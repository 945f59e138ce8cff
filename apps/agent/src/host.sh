# row KEY VALUE: a row of a section that the collector composes itself; nothing without a value.
row() {
  [ -z "$2" ] || printf '%s\t%s\n' "$1" "$2"
}

# newest_in FOLDER: when the newest file in FOLDER was written, in seconds since 1970.
newest_in() {
  stat -c %Y "$1"/* 2>/dev/null | sort -n | tail -n 1
}

# Data that changes without a change of state; the caller adds the lists' ages, which depend on the family.
observed() {
  row collected_at "$(date +%s)"
  row booted_at "$(sed -n 's/^btime //p' /proc/stat)"
  row boot_id "$(cat /proc/sys/kernel/random/boot_id)"
}

# Where os-release(5) is missing or does not say which system it is: the files from before it. The first line of those
# with a sentence becomes RELEASE_TEXT.
os_release() {
  for file in /etc/os-release /usr/lib/os-release; do
    if grep -q '^ID=.' "$file" 2>/dev/null; then
      cat "$file"
      return
    fi
  done
  for file in /etc/os-release /usr/lib/os-release /etc/lsb-release; do
    [ ! -r "$file" ] || sed -n '/^[A-Z_]*=/p' "$file"
  done
  for file in oracle centos rocky almalinux fedora redhat SuSE system; do
    [ -s "/etc/$file-release" ] || continue
    sed -n -e '1s/^[^"]*$/RELEASE_TEXT="&"/p' -e 's/^PATCHLEVEL *= */PATCHLEVEL=/p' "/etc/$file-release"
    return
  done
}

# platform ARCHITECTURE: ARCHITECTURE is the package manager's name for it.
platform() {
  row architecture "$1"
  row hostname "$(uname -n)"
  row machine_id "$(machine_id)"
  row virtualization "$(virtualization)"
  [ ! -e /etc/debian_version ] || row debian_version "$(cat /etc/debian_version)"
  addresses | while read -r address; do
    row ip_address "$address"
  done
}

machine_id() {
  if [ -s /etc/machine-id ]; then
    cat /etc/machine-id
  elif [ -s /var/lib/dbus/machine-id ]; then
    cat /var/lib/dbus/machine-id
  fi
}

virtualization() {
  if has systemd-detect-virt; then
    limited 10 systemd-detect-virt
  elif [ -e /run/.containerenv ]; then
    echo podman
  elif [ -e /.dockerenv ]; then
    echo docker
  fi
}

# The host's own addresses, without those of bridges for containers and virtual machines and without temporary IPv6
# addresses.
addresses() {
  if has ip; then
    limited 10 ip -o addr show scope global | awk '
      $2 ~ /^(docker|br-|virbr|veth|cni|cali|flannel|kube|lxc|lxd|podman)/ { next }
      / (temporary|deprecated|tentative|dadfailed)/ { next }
      { sub(/\/.*/, "", $4); print $4 }'
  elif has hostname; then
    limited 10 hostname -I | tr ' ' '\n' | sed '/^$/d'
  fi
}

kernel() {
  row release "$(uname -r)"
  row version "$(uname -v)"
  for image in /boot/vmlinuz-*; do
    [ ! -e "$image" ] || row vmlinuz "$image"
  done
  row default "$(default_kernel)"
  row pinned "$(cat /etc/kernel/next-boot-pin /etc/kernel/proxmox-boot-pin 2>/dev/null | head -n 1)"
}

# The release that the boot loader starts next, if it is certain: grubby needs root, of grub.cfg only the first entry
# is known by its position.
default_kernel() {
  if is_root && has grubby; then
    limited 10 grubby --default-kernel 2>/dev/null
  elif grep -qs 'set default="0"' /boot/grub/grub.cfg; then
    sed -n 's,^[[:space:]]*linux[[:alnum:]]*[[:space:]]*\([^[:space:]]*vmlinuz-[^[:space:]]*\).*,\1,p' \
      /boot/grub/grub.cfg | head -n 1
  fi | sed 's,.*/vmlinuz-,,'
}

# The names of the units that failed, behind the mark of old systemd. Their output can be secret.
units() {
  limited 20 systemctl list-units --all --state=failed --plain --no-legend --no-pager >"$scratch/units" || return
  awk '{ name = $1 ~ /[.]/ ? $1 : $2; if (name != "") print "failed\t" name }' "$scratch/units"
}

reboot_flag() {
  if [ -e /run/reboot-required ] || [ -e /var/run/reboot-required ]; then
    row flag yes
  else
    row flag no
  fi
  [ ! -e /run/reboot-required.pkgs ] || sort -u /run/reboot-required.pkgs | while read -r package; do
    row package "$package"
  done
}
