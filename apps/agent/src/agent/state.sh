# The agent's state: one small file per value, in a folder that only its user can read.
state=${PLIMSOLL_STATE:-/var/lib/plimsoll-agent}
agent_user=plimsoll-agent
installed=/usr/local/sbin/plimsoll-agent

say() {
  echo "plimsoll-agent: $*" >&2
}

fail() {
  say "$*"
  exit 1
}

# keep NAME TEXT: stores TEXT. The file is replaced in one step: an interruption leaves the old text.
keep() {
  { printf '%s\n' "$2" >"$state/$1.new" && mv -f "$state/$1.new" "$state/$1"; } || fail "cannot write $state/$1"
}

# kept NAME: the stored text; empty without one.
kept() {
  [ ! -f "$state/$1" ] || cat "$state/$1"
}

forget() {
  for name in "$@"; do
    rm -f "$state/$name"
  done
}

# keep_number NAME TEXT: stores TEXT if it is a number.
keep_number() {
  case $2 in
    '' | *[!0-9]*) ;;
    *) keep "$1" "$2" ;;
  esac
}

require_enrolled() {
  [ -d "$state" ] || fail "this host is not enrolled: $state is missing"
  [ -r "$state" ] || fail "cannot read $state: run this as root or as the user $agent_user"
  [ -s "$state/token" ] || fail "this host is not enrolled: see 'plimsoll-agent enroll'"
}

# Two concurrent runs would send twice and overwrite each other. The lock of an interrupted run is removed: its process
# has ended, or the lock is older than the longest run.
lock_state() {
  if ! mkdir "$state/lock" 2>/dev/null; then
    [ -d "$state/lock" ] || fail "cannot write $state"
    if kill -0 "$(kept lock/process)" 2>/dev/null && [ -z "$(find "$state/lock" -maxdepth 0 -mmin +120)" ]; then
      fail 'another run is under way'
    fi
    rm -rf "$state/lock"
    mkdir "$state/lock" || fail "cannot write $state"
  fi
  lock=$state/lock
  echo "$$" >"$state/lock/process"
}
