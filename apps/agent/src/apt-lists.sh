# What apt's lists say of themselves: a row for each Release file, with when it was fetched, its own dates, and why the
# last fetch failed where that can be told. It is told from files alone: nothing is fetched.

# The change time of a Release file is when apt last fetched it or learned that it had not changed; its modification
# time is the server's. apt leaves the time of an unsigned list that has not changed: there the last update counts.
apt_refreshed() {
  updated=$(newest_update)
  apt_keyrings
  for list in /var/lib/apt/lists/*Release; do
    fetched=$(stat -c %Z "$list" 2>/dev/null) || continue
    if is_unsigned "$list" && [ "${updated:-0}" -gt "$fetched" ]; then
      fetched=$updated
    fi
    name=${list##*/}
    name=${name%_InRelease}
    printf 'refreshed\t%s\t%s\t%s\t%s\n' \
      "${name%_Release}" "$fetched" "$(release_dates "$list")" "$(list_error "$list")"
  done
}

newest_update() {
  {
    stat -c %Z /var/lib/apt/lists/*Release
    stat -c %Y /var/lib/apt/periodic/update-success-stamp
  } 2>/dev/null | sort -n | tail -n 1
}

# Signed inside, or by a file beside it.
is_unsigned() {
  case $1 in
    *_InRelease) return 1 ;;
  esac
  [ ! -e "$1.gpg" ]
}

# release_dates LIST: Date and Valid-Until as the file has them, with a tab between. They stand before its checksums.
release_dates() {
  awk '
    /^(MD5Sum|SHA1|SHA256|SHA512):/ || NR > 60 { exit }
    { value = substr($0, index($0, ":") + 1, 80); gsub(/^ +|[\t\r]/, "", value) }
    /^Date:/ { date = value }
    /^Valid-Until:/ { until = value }
    END { print date "\t" until }' "$1" 2>/dev/null
}

# list_error LIST: why apt will not take the next copy, or did not take the last one; nothing where no reason is known.
# The folder of partial lists can be read by root only.
list_error() {
  refused=''
  if [ -s "$scratch/keyrings" ] && ! is_unsigned "$1"; then
    refused=$(signature_error "$1")
  fi
  if [ -z "$refused" ] && [ -n "$(find "/var/lib/apt/lists/partial/${1##*/}" -newer "$1" 2>/dev/null)" ]; then
    refused='apt fetched a newer copy and refused it'
  fi
  printf %s "$refused"
}

# The keyrings that apt may use, as gpgv takes them: without armour, one path a line in the file "keyrings".
apt_keyrings() {
  has gpgv && [ -d "$scratch" ] || return 0
  {
    for file in /etc/apt/trusted.gpg /etc/apt/trusted.gpg.d/*.gpg /etc/apt/trusted.gpg.d/*.asc; do
      [ ! -r "$file" ] || echo "$file"
    done
    sed -n 's/.*[Ss]igned-[Bb]y[=:][[:space:]]*\(\/[^],[:space:]]*\).*/\1/p' \
      /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null
  } | sort -u | head -n 100 | while read -r file; do
    case $file in
      *[[:space:]]*) ;;
      *.asc) without_armour "$file" ;;
      *) [ ! -r "$file" ] || echo "$file" ;;
    esac
  done >"$scratch/keyrings"
}

# without_armour FILE: makes a keyring of an armoured key and names it.
without_armour() {
  keyring=$scratch/key-$(printf %s "$1" | cksum | tr -dc 0-9)
  sed -e '1,/^[[:space:]]*$/d' -e '/^-----END/,$d' -e '/^=/d' "$1" 2>/dev/null | base64 -d >"$keyring" 2>/dev/null
  [ ! -s "$keyring" ] || echo "$keyring"
}

# signature_error LIST: that every key it is signed with has expired or was revoked. A key that the keyrings lack says
# nothing, because sources may hold keys themselves. The same key may be in a second keyring with a later end.
signature_error() {
  verdict=$(signature_verdict "$1" $(sed 's/^/--keyring /' "$scratch/keyrings"))
  case $verdict in
    good | '') return ;;
  esac
  while read -r keyring; do
    [ "$(signature_verdict "$1" --keyring "$keyring")" != good ] || return 0
  done <"$scratch/keyrings"
  echo "$verdict"
}

# signature_verdict LIST OPTION…: "good", what is wrong with its key, or nothing.
signature_verdict() {
  signed=$1
  shift
  [ ! -e "$signed.gpg" ] || set -- "$@" "$signed.gpg"
  limited 10 gpgv --status-fd 1 "$@" "$signed" 2>/dev/null | awk '
    $2 == "GOODSIG" { said = "good" }
    $2 == "EXPKEYSIG" && said != "good" { said = "the key " $3 " that signs it has expired" }
    $2 == "REVKEYSIG" && said != "good" { said = "the key " $3 " that signs it was revoked" }
    END { print said }'
}
