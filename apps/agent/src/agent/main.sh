usage() {
  cat <<USAGE
plimsoll-agent $version: reports this host's patch state to a Plimsoll server

  plimsoll-agent install URL    as root: installs this program, enrols the host, sends a report, schedules the next ones
  plimsoll-agent enroll URL     enrols the host; the registration token comes from PLIMSOLL_TOKEN or standard input
  plimsoll-agent run            collects a report and sends it; with --if-due only when one is due, with --forever
                                whenever one is due, until it is ended
  plimsoll-agent report         prints the report and sends nothing
  plimsoll-agent status         what was sent last, and what failed
  plimsoll-agent processes      what the reader of processes runs; it writes to a folder that only it can write
  plimsoll-agent uninstall      as root: removes everything that install made

enroll and install take --cacert FILE (the certificate of a private authority; PLIMSOLL_CA_FILE says the same), --again
(the host is enrolled already) and --allow-plain-http (the server has no certificate: anybody on the way can read
everything). PLIMSOLL_STATE names another folder than /var/lib/plimsoll-agent.
install takes --no-process-reading (nothing looks at other processes: which services need a restart stays unknown) and
--process-reading (undoes that); the choice is kept.
USAGE
}

# In the folder of the agent's user, root acts as that user. Before a run it starts the reader.
drop_root() {
  if is_root && [ "$(stat -c %U "$state" 2>/dev/null)" = "$agent_user" ] && [ -x "$installed" ]; then
    [ "$1" != run ] || start_reader
    as_agent_user "$installed" "$@"
    exit
  fi
}

# as_agent_user PROGRAM ARGUMENT…: PROGRAM as the agent's user, who may have no access to root's folders.
as_agent_user() (
  cd / || exit
  TMPDIR=/tmp
  export TMPDIR
  runuser -u "$agent_user" -- "$@"
)

main() {
  ca_file=${PLIMSOLL_CA_FILE:-}
  case $ca_file in
    '' | /*) ;;
    *)
      ca_file=$PWD/$ca_file
      PLIMSOLL_CA_FILE=$ca_file
      ;;
  esac
  command=${1:-}
  case $command in
    enroll | run | status | seen) drop_root "$@" ;;
  esac
  [ $# -eq 0 ] || shift
  make_scratch
  case $command in
    install) install_agent "$@" ;;
    enroll) enroll "$@" ;;
    run) run "$@" ;;
    report) collect_report </dev/null ;;
    processes) read_processes ;;
    status) status ;;
    seen) say_seen ;;
    uninstall) uninstall ;;
    help | --help | -h) usage ;;
    --version) echo "$version" ;;
    *)
      usage >&2
      exit 64
      ;;
  esac
}

# The last line, so that a truncated script runs nothing.
main "$@"
