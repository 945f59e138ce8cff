# The output of dnf, yum and zypper. They use the system's cache and fetch nothing.

# The package manager of this host. On Fedora, dnf is dnf5.
package_manager() {
  if has zypper && [ -d /etc/zypp ]; then
    echo zypper
  elif has dnf; then
    case $(readlink -f "$(command -v dnf)") in
      *dnf5) echo dnf5 ;;
      *) echo dnf ;;
    esac
  elif has dnf5; then
    echo dnf5
  elif has yum; then
    echo yum
  fi
}

# The system's cache: an unprivileged dnf would use its user's.
cache_folder() {
  case $(package_manager) in
    dnf5) configured=$(dnf_setting system_cachedir) && echo "${configured:-/var/cache/libdnf5}" ;;
    dnf) configured=$(dnf_setting cachedir) && echo "${configured:-/var/cache/dnf}" ;;
  esac
}

# dnf_setting NAME: the value in dnf.conf; empty without one.
dnf_setting() {
  sed -n "s/^$1[[:space:]]*=[[:space:]]*//p" /etc/dnf/dnf.conf 2>/dev/null | tail -n 1
}

# ask ARGUMENT…: runs the host's package manager, with its logs in the scratch folder or nowhere.
ask() {
  case $(package_manager) in
    dnf5) set -- dnf5 -C --setopt=color=never --setopt=cachedir="$(cache_folder)" --setopt=logdir="$scratch" "$@" ;;
    dnf) set -- dnf -C --color=never --setopt=cachedir="$(cache_folder)" --setopt=logdir="$scratch" "$@" ;;
    yum) set -- yum -C --color=never "$@" ;;
    zypper) set -- zypper --non-interactive --no-refresh "$@" ;;
    *)
      echo 'this host has no dnf, yum or zypper' >&2
      return 127
      ;;
  esac
  limited 120 env HOME="$scratch" XDG_CACHE_HOME="$scratch" XDG_STATE_HOME="$scratch" ZYPP_LOGFILE=/dev/null "$@"
}

# An unprivileged dnf always creates a folder for itself; it is removed if it did not exist before.
note_dnf_folder() {
  dnf_folder=/var/tmp/dnf-$(id -un)-
  [ -z "$(find "$dnf_folder"* -maxdepth 0 2>/dev/null)" ] || dnf_folder=''
}

# When the newest file of each repository was written: a package manager that finds no change updates the time of one
# file.
rpm_refreshed() {
  case $(package_manager) in
    dnf | dnf5)
      for folder in "$(cache_folder)"/*/repodata; do
        refreshed_row "$(basename "${folder%/repodata}" | sed 's/-[0-9a-f]\{16\}$//')" "$folder"
      done
      ;;
    yum)
      for folder in /var/cache/yum/*/*/*; do
        refreshed_row "${folder##*/}" "$folder"
      done
      ;;
    zypper)
      for folder in /var/cache/zypp/raw/*/repodata; do
        refreshed_row "$(basename "${folder%/repodata}")" "$folder"
      done
      ;;
  esac
}

# refreshed_row REPOSITORY FOLDER: the time of the folder's newest file and the date of the repository.
refreshed_row() {
  seconds=$(newest_in "$2")
  [ -z "$seconds" ] || printf 'refreshed\t%s\t%s\t%s\n' "$1" "$seconds" "$(published_in "$2")"
}

# published_in FOLDER: the revision of repomd.xml if that is a time in seconds since 1970, otherwise its newest
# timestamp.
published_in() {
  [ -e "$1/repomd.xml" ] || return 0
  tr '<' '\n' <"$1/repomd.xml" | head -n 2000 | awk '
    /^revision>[0-9]+$/ && length($0) == 19 { revision = substr($0, 10) }
    /^timestamp>[0-9]+/ { time = substr($0, 11) + 0; if (time > newest) newest = time }
    END {
      if (revision != "") print revision
      else if (newest > 0) printf "%.0f\n", newest
    }'
}

tool_row() {
  row tool "$(package_manager)"
}

without_ages() {
  sed '/^Last metadata expiration check/d'
}

# A repository without a cache is always an error here: dnf5 would omit it silently. After that error, the updates of
# the other repositories are listed nevertheless.
updates() {
  tool_row
  case $(package_manager) in
    dnf | dnf5)
      filtered without_ages ask --setopt='*.skip_if_unavailable=false' check-update
      status=$?
      [ "$status" != 1 ] || filtered without_ages ask check-update 2>/dev/null
      return "$status"
      ;;
    zypper) ask list-updates ;;
    *) ask check-update ;;
  esac
}

updates_held() {
  tool_row
  case $(package_manager) in
    dnf5) filtered without_ages ask --setopt='disable_excludes=*' check-update ;;
    zypper) ask list-updates --all ;;
    *) filtered without_ages ask --disableexcludes=all --disableplugin=versionlock check-update ;;
  esac
}

# Stored, because updates_held is needed only if there are locks.
locks() {
  saved locks all_locks
  status=$?
  cat "$scratch/locks"
  return "$status"
}

all_locks() {
  status=0
  for file in /etc/dnf/plugins/versionlock.list /etc/yum/pluginconf.d/versionlock.list; do
    [ ! -e "$file" ] || sed -e '/^[[:space:]]*#/d' -e '/^[[:space:]]*$/d' "$file" || status=1
  done
  for file in /etc/dnf/dnf.conf /etc/yum.conf /etc/yum.repos.d/*.repo; do
    [ ! -e "$file" ] || sed -n '/^exclude[[:alpha:]]*[[:space:]]*=[[:space:]]*[^[:space:]]/p' "$file" || status=1
  done
  case $(package_manager) in
    dnf5) [ ! -e /etc/dnf/versionlock.toml ] || ask versionlock list || status=1 ;;
    zypper) [ ! -s /etc/zypp/locks ] || ask locks || status=1 ;;
  esac
  return "$status"
}

advisories() {
  tool_row
  case $(package_manager) in
    dnf5) ask advisory list ;;
    zypper) patches ;;
    *) filtered without_ages ask updateinfo list ;;
  esac
}

# zypper's list does not name packages; only its details of each patch do.
patches() {
  need_scratch || return
  saved patches ask list-patches
  status=$?
  cat "$scratch/patches"
  awk -F ' *[|] *' '
    !column { for (i = 1; i <= NF; i++) if ($i ~ /^ *Name *$/) column = i; next }
    NF > 1 && $column !~ /^[- +]*$/ { print $column }' "$scratch/patches" >"$scratch/needed"
  if [ -s "$scratch/needed" ]; then
    limited 60 env ZYPP_LOGFILE=/dev/null \
      xargs zypper --non-interactive --no-refresh info -t patch <"$scratch/needed" || status=$?
  fi
  return "$status"
}

repositories() {
  tool_row
  case $(package_manager) in
    dnf5) filtered without_moving ask repo info ;;
    zypper) ask lr -u ;;
    *) filtered without_moving ask repolist -v ;;
  esac
}

# Removes from a list of repositories: times, sizes, counts, and the current mirror of a mirror list.
without_moving() {
  awk '
    { key = tolower($0); sub(/ *:.*/, "", key); sub(/^ +/, "", key); sub(/^repo-/, "", key) }
    key == "id" || key == "repo id" { mirrors = 0 }
    key ~ /^(metalink|mirrors|mirrorlist)$/ { mirrors = 1 }
    mirrors && key ~ /^base ?url$/ { next }
    key ~ /expire|updated|revision|size|pkgs|packages$|^last metadata/ { next }
    { print }'
}
