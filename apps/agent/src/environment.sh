# The tools use one language and UTC and ask no questions; other users cannot read new files.
set -u
LC_ALL=C
TZ=UTC0
# Plain output, whatever the tools are set to.
NO_COLOR=1
DPKG_COLORS=never
# A user's PATH often lacks the folders of system tools.
PATH=${PATH:+$PATH:}/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL TZ NO_COLOR DPKG_COLORS PATH
unset LANGUAGE
umask 077

version='@VERSION@'

# has COMMAND: whether this host has COMMAND.
has() {
  command -v "$1" >/dev/null 2>&1
}

is_root() {
  [ "$(id -u)" = 0 ]
}

# A folder for data between commands. It is always removed at the end.
make_scratch() {
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/plimsoll.XXXXXX") || scratch=/nonexistent
  lock=''
  dnf_folder=''
  trap clean_up EXIT
  trap 'clean_up; exit 129' HUP
  trap 'clean_up; exit 130' INT
  trap 'clean_up; exit 141' PIPE
  trap 'clean_up; exit 143' TERM
}

# Removes everything that this run has made. `lock` and `dnf_folder` are set by the functions that create them. A second
# signal would stop bash before its trap for EXIT; bash itself sends a second SIGHUP after one.
clean_up() {
  trap '' HUP INT PIPE TERM
  end_command
  rm -rf "$scratch"
  [ -z "$lock" ] || rm -rf "$lock"
  [ -z "$dnf_folder" ] || rm -rf "$dnf_folder"*
}

# Fails, with a reason, on a host without a writable folder.
need_scratch() {
  [ -d "$scratch" ] || {
    echo 'cannot create a folder for temporary files' >&2
    return 1
  }
}
