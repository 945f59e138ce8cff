# install [--no-process-reading | --process-reading] [OPTIONS URL]: takes the arguments of `enroll` if the host is not
# enrolled yet. Checks all requirements first; if enrolling fails, removes what this run has made.
install_agent() {
  is_root || fail 'installing needs root'
  reading=kept
  for argument in "$@"; do
    shift
    case $argument in
      --no-process-reading) reading=off ;;
      --process-reading) reading=on ;;
      *) set -- "$@" "$argument" ;;
    esac
  done
  unset PLIMSOLL_STATE
  state=/var/lib/plimsoll-agent
  check_installation "$@"
  scheduler=$(find_scheduler)
  undo=''
  trap 'take_back; clean_up; exit 129' HUP
  trap 'take_back; clean_up; exit 130' INT
  trap 'take_back; clean_up; exit 143' TERM
  make_user
  make_program
  make_state
  if [ ! -s "$state/token" ] || [ $# -gt 0 ]; then
    enrol_as_user || give_up 'the host was not enrolled'
  fi
  mv -f "$installed.new" "$installed" || give_up "cannot write $installed"
  undo=''
  set_reading
  start_schedule "$scheduler" || fail 'installed and enrolled, but the agent could not be scheduled; see above'
  first_report
  reported=$?
  say_schedule "$scheduler"
  say "to remove it: $installed uninstall"
  return "$reported"
}

# Nothing has been changed yet when one of these fails.
check_installation() {
  grep -qs '^# plimsoll-agent, version ' "$0" || fail 'save this script to a file and run that file: it copies itself'
  require_client
  for tool in runuser useradd userdel; do
    has "$tool" || fail "$tool is required but missing on this host"
  done
  family >/dev/null || exit 1
  if [ $# -gt 0 ]; then
    read_enrol_options "$@"
    # Its warning about plain http is repeated by enrolling.
    words=$(check_server "$server" 2>&1) || {
      echo "$words" >&2
      exit 1
    }
    [ -z "$ca_file" ] || [ -r "$ca_file" ] || fail "cannot read $ca_file"
  else
    [ -s "$state/token" ] || fail 'the address of the server is missing: plimsoll-agent install URL'
  fi
}

# The agent's user may be unable to read the authority's certificate: it gets a copy for the time of enrolling.
enrol_as_user() {
  [ -n "${server:-}" ] || fail 'the address of the server is missing: plimsoll-agent install URL'
  set -- "$server"
  [ "$again" = no ] || set -- --again "$@"
  [ "${plain_http:-}" != allowed ] || set -- --allow-plain-http "$@"
  unset PLIMSOLL_CA_FILE
  if [ -n "$ca_file" ]; then
    { cat "$ca_file" >"$installed.ca" && chmod 644 "$installed.ca"; } || return
    set -- --cacert "$installed.ca" "$@"
  fi
  as_agent_user "$installed.new" enroll "$@"
  enrolled=$?
  rm -f "$installed.ca"
  return "$enrolled"
}

# `undo` lists the steps to reverse if a later one fails.
make_user() {
  ! id "$agent_user" >/dev/null 2>&1 || return 0
  undo="$undo user"
  add_user "$agent_user" --user-group --home-dir "$state" || give_up "cannot make the user $agent_user"
}

# add_user NAME OPTION…: a system user.
add_user() {
  name=$1
  shift
  useradd --system --no-create-home --shell /usr/sbin/nologin "$@" "$name"
}

make_program() {
  undo="$undo program"
  { mkdir -p "${installed%/*}" && rm -f "$installed.new" && cp "$0" "$installed.new" && chmod 755 "$installed.new"; } ||
    give_up "cannot write $installed"
  check_program
}

# The reader runs this program with a capability, and cron runs it as root: only root may change it.
check_program() {
  place=$(readlink -f "$installed.new")
  while :; do
    owner=$(stat -c %u "$place")
    if [ "$owner" != 0 ] || as_agent_user sh -c '[ -w "$1" ]' sh "$place"; then
      give_up "others than root can change $place"
    fi
    [ "$place" != / ] || return 0
    place=${place%/*}
    place=${place:-/}
  done
}

# Stores the choice, and creates or removes the reader. Its group is the agent's, which may read its results.
set_reading() {
  case $reading in
    off) echo 'plimsoll-agent was installed with --no-process-reading.' >"$reading_off" && chmod 644 "$reading_off" ;;
    on) rm -f "$reading_off" ;;
  esac || fail "installed and enrolled, but $reading_off cannot be changed"
  if [ -e "$reading_off" ]; then
    remove_reader
  elif ! reading_is_on; then
    add_user "$reader_user" --gid "$agent_user" --home-dir /nonexistent || warn "cannot make the user $reader_user"
  fi
}

remove_reader() {
  rm -rf "$reader_folder"
  remove_user "$reader_user"
}

remove_user() {
  stop_processes "$1"
  ! id "$1" >/dev/null 2>&1 || userdel "$1" || fail "cannot remove the user $1"
}

# Created empty, then given to the agent's user, who alone writes there afterwards.
make_state() {
  [ ! -d "$state" ] || return 0
  undo="$undo state"
  { mkdir -p "$state" && chown "$agent_user:$agent_user" "$state"; } || give_up "cannot make $state"
}

# give_up WORDS: removes what this run has made, and fails.
give_up() {
  take_back
  fail "$*; all changes of this installation were undone"
}

# Also called when a signal ends the installation.
take_back() {
  for step in ${undo:-}; do
    case $step in
      program) rm -f "$installed.new" "$installed.ca" ;;
      state) rm -rf "$state" ;;
    esac
  done
  case " ${undo:-} " in
    # Processes of this user may need a moment to end.
    *' user '*) userdel "$agent_user" 2>/dev/null || { sleep 1 && userdel "$agent_user"; } ;;
  esac
  undo=''
}

# first_report: sends a report now, and prints what the server has read from it. Under systemd the unit sends it,
# which also starts the reader's unit.
first_report() {
  say 'collecting and sending the first report; this takes a few seconds'
  if [ "$scheduler" = systemd ] && systemctl start plimsoll-agent.service && [ -s "$state/sent" ]; then
    as_agent_user "$installed" seen
  else
    start_reader
    as_agent_user "$installed" run --first
  fi && return 0
  warn 'the host is enrolled, but the server has not taken its first report; see above, and: plimsoll-agent status'
  return 1
}

# Removes everything that install made. The server keeps its data about the host.
uninstall() {
  is_root || fail 'uninstalling needs root'
  stop_schedule
  rm -rf /var/lib/plimsoll-agent
  rm -f "$installed" "$reading_off"
  remove_reader
  remove_user "$agent_user"
  say 'uninstalled; the server keeps its data about this host until the host is deleted there'
}

# stop_processes USER: ends processes of USER, such as `run --forever`: a user with processes cannot be removed.
stop_processes() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    running=$(processes_of "$1")
    [ -n "$running" ] || return 0
    # shellcheck disable=SC2086 # one word for each process
    kill $running 2>/dev/null || true
    sleep 1
  done
}

processes_of() {
  for process in /proc/[0-9]*; do
    [ "$(stat -c %U "$process" 2>/dev/null)" != "$1" ] || echo "${process#/proc/}"
  done
}
