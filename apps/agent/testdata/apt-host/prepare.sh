# Makes the private host a small Debian 12: its packages, repositories and settings where its tools expect them.
cat >/etc/os-release <<'OS'
PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
ID=debian
VERSION_ID="12"
OS
cp /host/testdata/status /var/lib/dpkg/status
printf 'amd64\ni386\n' >/var/lib/dpkg/arch
rm -rf /var/lib/apt/lists/* /var/lib/apt/periodic/* /var/cache/apt/*.bin /etc/apt/sources.list /etc/apt/sources.list.d/*
rm -f /etc/apt/apt.conf.d/* /etc/apt/preferences /etc/apt/preferences.d/*
mkdir -p /var/lib/apt/lists/partial
echo 'deb [trusted=yes] file:/host/testdata/debian ./' >/etc/apt/sources.list
printf 'Types: deb\nURIs: file:/host/testdata/other\nSuites: ./\nTrusted: yes\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQ\n -----END PGP PUBLIC KEY BLOCK-----\n' >/etc/apt/sources.list.d/other.sources
echo 'deb https://user:s3cr3t@private.example.org/debian bookworm main' >/etc/apt/sources.list.d/private.list
