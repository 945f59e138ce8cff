# Makes the private host a Rocky Linux 9 whose only repository has newer versions of two of its packages, and one that it lacks.
cat >/etc/os-release <<'OS'
NAME="Rocky Linux"
ID="rocky"
ID_LIKE="rhel centos fedora"
VERSION_ID="9.4"
PLATFORM_ID="platform:el9"
PRETTY_NAME="Rocky Linux 9.4 (Blue Onyx)"
OS
echo 0123456789abcdef0123456789abcdef >/etc/machine-id
# package NAME RELEASE
package() {
  printf 'Name: %s\nVersion: 1.0\nRelease: %s\nSummary: x\nLicense: x\nVendor: Rocky Enterprise Software Foundation\nBuildArch: noarch\n%%description\nx\n%%files\n' "$1" "$2" >/tmp/package.spec
  rpmbuild -bb --quiet --define '_rpmdir /srv/repository' --define '_topdir /tmp/build' /tmp/package.spec
}
rm -rf /etc/yum.repos.d /var/cache/dnf /var/lib/rpm
mkdir -p /etc/yum.repos.d /etc/dnf/vars /etc/rpm /srv/repository
# Debian keeps the database of rpm in the home of the user.
echo '%_dbpath /var/lib/rpm' >/etc/rpm/macros
# A plugin of Debian looks for a repository of its own.
printf '[main]\nenabled=0\n' >/etc/dnf/plugins/local.conf
echo 9 >/etc/dnf/vars/releasever
echo 'exclude=plimsoll-held' >>/etc/dnf/dnf.conf
rpm --initdb
for name in plimsoll-demo plimsoll-held; do
  package "$name" 1.el9
  rpm --install "/srv/repository/noarch/$name-1.0-1.el9.noarch.rpm"
  package "$name" 2.el9
done
package plimsoll-missing 2.el9
createrepo_c --quiet /srv/repository
printf '[baseos]\nname=baseos\nbaseurl=file:///srv/repository\ngpgcheck=0\n' >/etc/yum.repos.d/baseos.repo
dnf --quiet makecache
