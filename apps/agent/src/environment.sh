# The tools answer in one language, in UTC and without asking; nothing made here can be read by others.
set -u
LC_ALL=C
TZ=UTC0
# A user's PATH often lacks the folders of the system's tools.
PATH=${PATH:+$PATH:}/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL TZ PATH
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

# A folder for what has to be kept from one command to the next. It is removed at the end, however that comes.
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

# Nothing that this run has made outlives it. `lock` and `dnf_folder` are named by those who make them. Of two signals
# the second would keep bash from the trap for EXIT; bash itself sends a second SIGHUP where one has come.
clean_up() {
  trap '' HUP INT PIPE TERM
  end_command
  rm -rf "$scratch"
  [ -z "$lock" ] || rm -rf "$lock"
  [ -z "$dnf_folder" ] || rm -rf "$dnf_folder"*
}

# Fails, with a reason, on a host that lets nobody write anywhere.
need_scratch() {
  [ -d "$scratch" ] || {
    echo 'there is no folder for temporary files' >&2
    return 1
  }
}
