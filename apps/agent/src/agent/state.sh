# What the agent remembers: one small file for each thing, in a folder that its user alone can read.
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

# keep NAME TEXT: remembers TEXT. The file is replaced in one step: cut off in between, the old text stays.
keep() {
  { printf '%s\n' "$2" >"$state/$1.new" && mv -f "$state/$1.new" "$state/$1"; } || fail "cannot write $state/$1"
}

# kept NAME: what is remembered; nothing where nothing is.
kept() {
  [ ! -f "$state/$1" ] || cat "$state/$1"
}

forget() {
  for name in "$@"; do
    rm -f "$state/$name"
  done
}

# keep_number NAME TEXT: remembers TEXT if it is a number.
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

# Two runs at once would send twice and write over each other. What a run that was cut off has left is taken away:
# its process is gone, or it has been there for longer than a run can last.
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
