# Options for output that does not depend on the host's configuration; with quiet=0, apt prints its changing progress.
plain_apt='-o quiet=1 -o APT::Color=0'

observed_apt() {
  observed
  apt_refreshed
}

sections_of_apt() {
  apt_writes_nothing
  section os-release os_release
  section platform platform "$(dpkg --print-architecture 2>/dev/null)"
  section kernel kernel
  section reboot reboot_flag
  running_sections
  dpkg_fields
  section dpkg limited 60 dpkg-query -W -f "$package\t\${Config-Version}\n"
  section apt-files limited 60 apt-cache $plain_apt policy
  section apt-policy apt_policy
  section apt-upgrade apt_upgrade
  section apt-candidates apt_candidates
  section apt-sources apt_sources
  if [ -e /var/lib/ubuntu-advantage/status.json ]; then
    section pro cat /var/lib/ubuntu-advantage/status.json
  fi
}

# As root, apt would rewrite an old cache and write a log of the simulation. This configuration, read before the host's,
# prevents both.
apt_writes_nothing() {
  is_root && [ -d "$scratch" ] && [ -z "${APT_CONFIG:-}" ] || return 0
  printf '%s\n' 'Dir::Cache::pkgcache "";' 'Dir::Cache::srcpkgcache "";' 'Dir::Log::Planner "/dev/null";' \
    >"$scratch/apt.conf"
  APT_CONFIG=$scratch/apt.conf
  export APT_CONFIG
}

# dpkg before 1.16.2 knows no short states, none of apt's names and no fields of the source: it prints nothing for them.
dpkg_fields() {
  package='${db:Status-Abbrev}\t${Package}\t${Architecture}\t${Version}\t${source:Package}\t${source:Version}'
  name='${binary:Package}'
  [ -z "$(dpkg-query -W -f "$name" 2>/dev/null | head -c 1)" ] || return 0
  package='${Status}\t${Package}\t${Architecture}\t${Version}\t${Source}\t'
  name='${Package}'
}

# Stored for apt_candidates.
apt_policy() {
  saved installed limited 60 dpkg-query -W -f "\${Status} $name\n" || return
  sed -n -e '/ config-files /d' -e '/ not-installed /d' -e 's/^[^ ]* [^ ]* [^ ]* //p' "$scratch/installed" |
    saved policy limited 60 xargs apt-cache $plain_apt policy
  status=$?
  cat "$scratch/policy"
  return "$status"
}

# A simulation takes no lock. Stored for apt_candidates.
apt_upgrade() {
  saved upgrade limited 60 \
    apt-get -s $plain_apt -o Debug::NoLocking=true -o APT::Get::Show-User-Simulation-Note=false dist-upgrade
  status=$?
  cat "$scratch/upgrade"
  return "$status"
}

# The source packages of the candidates, which apt-get does not print: those of installed packages from the policies,
# those that an upgrade would add ("Inst" without an installed version) from the simulation.
apt_candidates() {
  need_scratch || return
  {
    awk '
      /^[^ ].*:$/ { name = substr($0, 1, length($0) - 1) }
      /^  Installed: / { installed = $2 }
      /^  Candidate: / && $2 != "(none)" && $2 != installed { print name "=" $2 }' "$scratch/policy" &&
      awk '/^Inst / && $3 ~ /^\(/ { print $2 "=" substr($3, 2) }' "$scratch/upgrade"
  } >"$scratch/candidates" || return
  [ -s "$scratch/candidates" ] || return 0
  filtered candidate_fields limited 60 xargs apt-cache $plain_apt show <"$scratch/candidates"
}

candidate_fields() {
  sed -n -e '/^Package: /p' -e '/^Version: /p' -e '/^Architecture: /p' -e '/^Source: /p' -e '/^$/p'
}

# Omits comments and the keys in "Signed-By".
apt_sources() {
  status=0
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$file" ] || sed -n '/^[[:space:]]*deb[[:space:]]/p' "$file" || status=1
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] || continue
    sed -e '/^#/d' -e '/-----BEGIN PGP/,/-----END PGP/d' "$file" || status=1
    echo
  done
  return "$status"
}
