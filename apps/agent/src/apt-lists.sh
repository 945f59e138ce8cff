# The state of apt's lists: a row for each Release file, with the time of its fetch, its own dates, and why the last
# fetch failed, if known. It is read from files: nothing is fetched.

# The change time of a Release file is when apt last fetched it or learned that it was unchanged; its modification time
# is the server's. apt does not update the time of an unchanged unsigned list: for that the last update counts.
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

# Signed inside, or by a separate file.
is_unsigned() {
  case $1 in
    *_InRelease) return 1 ;;
  esac
  [ ! -e "$1.gpg" ]
}

# release_dates LIST: the file's Date and Valid-Until, separated by a tab. They precede its checksums.
release_dates() {
  awk '
    /^(MD5Sum|SHA1|SHA256|SHA512):/ || NR > 60 { exit }
    { value = substr($0, index($0, ":") + 1, 80); gsub(/^ +|[\t\r]/, "", value) }
    /^Date:/ { date = value }
    /^Valid-Until:/ { until = value }
    END { print date "\t" until }' "$1" 2>/dev/null
}

# list_error LIST: why apt will not accept the next copy, or did not accept the last one; empty if no reason is known.
# Only root can read the folder of partial lists.
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

# The keyrings that apt may use, in gpgv's form: without armour, one path per line in the file "keyrings".
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

# without_armour FILE: converts an armoured key to a keyring and prints its path.
without_armour() {
  keyring=$scratch/key-$(printf %s "$1" | cksum | tr -dc 0-9)
  sed -e '1,/^[[:space:]]*$/d' -e '/^-----END/,$d' -e '/^=/d' "$1" 2>/dev/null | base64 -d >"$keyring" 2>/dev/null
  [ ! -s "$keyring" ] || echo "$keyring"
}

# signature_error LIST: whether every key that signed it has expired or was revoked. A key missing in the keyrings means
# nothing, because sources may contain keys. Another keyring may have the same key with a later expiry.
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

# signature_verdict LIST OPTION…: "good", the fault of its key, or empty.
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
