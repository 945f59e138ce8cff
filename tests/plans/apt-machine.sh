# Makes the private host a Debian 12 whose only repository has newer versions of two of its packages, and one that it lacks.
export DEBIAN_FRONTEND=noninteractive
cat >/etc/os-release <<'OS'
PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
ID=debian
VERSION_ID="12"
OS
echo 0123456789abcdef0123456789abcdef >/etc/machine-id
# deb NAME VERSION
deb() {
  mkdir -p "/tmp/deb/DEBIAN" "/tmp/deb/usr/share/$1"
  printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: x <x@example.org>\nDescription: x\n' "$1" "$2" >/tmp/deb/DEBIAN/control
  echo "$2" >"/tmp/deb/usr/share/$1/version"
  dpkg-deb --build /tmp/deb "/srv/repository/$1_$2.deb"
  rm -rf /tmp/deb
}
# list DEB: its entry in the list of packages.
list() {
  dpkg-deb --field "$1"
  printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "${1##*/}" "$(stat -c %s "$1")" "$(sha256sum <"$1" | cut -d ' ' -f 1)"
}
mkdir -p /srv/repository
for name in plimsoll-demo plimsoll-held; do
  deb "$name" 1.0-1
  dpkg --install "/srv/repository/${name}_1.0-1.deb"
  deb "$name" 1.0-2
done
deb plimsoll-missing 1.0-2
for file in /srv/repository/*.deb; do list "$file"; done >/srv/repository/Packages
# apt takes a list whose time is the same to the second as unchanged: a test that edits it at once would not be seen.
touch --date '1 hour ago' /srv/repository/Packages
apt-mark hold plimsoll-held
rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/* /etc/apt/preferences.d/* /etc/apt/apt.conf.d/* /var/lib/apt/lists/*
mkdir -p /var/lib/apt/lists/partial
echo 'APT::Sandbox::User "root";' >/etc/apt/apt.conf.d/test
echo 'deb [trusted=yes] file:/srv/repository ./' >/etc/apt/sources.list
apt-get update
