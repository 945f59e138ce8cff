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
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Fails, with a reason, on a host that lets nobody write anywhere.
need_scratch() {
  [ -d "$scratch" ] || {
    echo 'there is no folder for temporary files' >&2
    return 1
  }
}
