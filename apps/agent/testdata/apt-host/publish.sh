# Publishes signed repositories below /srv and makes them the host's only sources.
# The keys are made in the past, so that one of them can have an end that is over.
export GNUPGHOME=/tmp/gnupg
mkdir -p -m 700 "$GNUPGHOME" /etc/apt/keyrings
# gpg_on DAY OPTION…
gpg_on() {
  day=$1
  shift
  gpg --batch --quiet --passphrase '' --faked-system-time "${day}T000000!" "$@"
}

# new_key NAME
new_key() {
  gpg_on 20200101 --quick-generate-key "$1 <$1@example.org>" ed25519 sign never
  gpg --batch --export "$1@example.org" >"/etc/apt/keyrings/$1.gpg"
}

# end_key NAME: the host's copy of the key says that it was good for one year only.
end_key() {
  id=$(gpg --batch --with-colons --list-keys "$1@example.org" | sed -n 's/^fpr:*\([0-9A-F]*\):$/\1/p' | head -n 1)
  gpg_on 20200601 --quick-set-expire "$id" 1y
  gpg --batch --export "$1@example.org" >"/etc/apt/keyrings/$1.gpg"
}

# publish NAME ORIGIN DATE [LINE…]: a repository with one package, signed with the key NAME.
publish() {
  folder=/srv/$1/dists/stable
  mkdir -p "$folder/main/binary-amd64"
  {
    printf 'Origin: %s\nSuite: stable\nCodename: stable\nDate: %s\nComponents: main\nArchitectures: amd64\n' "$2" "$3"
    name=$1
    shift 3
    [ $# = 0 ] || printf '%s\n' "$@"
    printf 'Package: from-%s\nVersion: 1.0\nArchitecture: amd64\nMaintainer: x <x@example.org>\nDescription: x\nFilename: x.deb\nSize: 1\nSHA256: %064d\n' "$name" 0 >"$folder/main/binary-amd64/Packages"
    printf 'SHA256:\n %s %s main/binary-amd64/Packages\n' \
      "$(sha256sum <"$folder/main/binary-amd64/Packages" | cut -d ' ' -f 1)" "$(stat -c %s "$folder/main/binary-amd64/Packages")"
  } >"$folder/Release"
  rm -f "$folder/InRelease"
  gpg --batch --quiet -u "$name@example.org" --clearsign --output "$folder/InRelease" "$folder/Release"
}

# next_second: change times have whole seconds.
next_second() {
  now=$(date +%s)
  until [ "$(date +%s)" -gt "$now" ]; do sleep 0.05; done
}

rm -rf /etc/apt/sources.list.d/* /var/lib/apt/lists/*
for name in one two three; do
  new_key "$name"
  echo "deb [signed-by=/etc/apt/keyrings/$name.gpg] file:/srv/$name stable main"
done >/etc/apt/sources.list
publish one Debian 'Fri, 20 Nov 2026 08:00:00 UTC'
publish two Example 'Sun, 01 Nov 2026 08:00:00 UTC'
publish three Other 'Thu, 19 Nov 2026 08:00:00 +0000'
update() {
  apt-get -qq -o APT::Sandbox::User=root -o Acquire::Languages=none -o Dir::Etc::SourceParts=/host/none "$@" update
}
update
next_second
