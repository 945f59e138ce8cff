# Makes the private host one of the rpm family: its database, repositories and settings where its tools expect them.
cat >/etc/os-release <<'OS'
NAME="AlmaLinux"
VERSION="9.4 (Seafoam Ocelot)"
ID="almalinux"
VERSION_ID="9.4"
PLATFORM_ID="platform:el9"
OS
mkdir -p /etc/rpm /etc/yum.repos.d /etc/dnf/modules.d /etc/dnf/plugins
echo '%_dbpath /var/lib/rpm' >/etc/rpm/macros
echo 9 >/etc/dnf/vars/releasever
# Debian's own addition: a repository of packages that were built here.
rm -f /usr/lib/python3/dist-packages/dnf-plugins/local.py
cp /host/testdata/host.repo /etc/yum.repos.d/
printf '# a comment\n\nheld-0:1-1.*\n' >/etc/dnf/plugins/versionlock.list
printf '[perl]\nname=perl\nstream=5.32\nprofiles=\nstate=enabled\n' >/etc/dnf/modules.d/perl.module
printf '[php]\nname=php\nstream=\nprofiles=\nstate=disabled\n' >/etc/dnf/modules.d/php.module
rpm --initdb
rpm -i --nodeps --justdb --nosignature --nodigest --ignorearch --ignoreos /host/installed/*.rpm
# What root's own dnf does now and then.
dnf -q makecache
