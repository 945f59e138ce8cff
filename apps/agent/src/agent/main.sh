usage() {
  cat <<USAGE
plimsoll-agent $version: reports this host's patch state to a Plimsoll server

  plimsoll-agent install URL    as root: installs this program, enrols the host, sends a report, schedules the next ones
  plimsoll-agent enroll URL     enrols the host; the registration token comes from PLIMSOLL_TOKEN or standard input
  plimsoll-agent run            collects a report and sends it; --if-due: only if a report is due; --forever: each
                                time a report is due, until you stop it
  plimsoll-agent report         prints the report and sends nothing
  plimsoll-agent status         shows the last sent report and the last failure
  plimsoll-agent processes      for the reader of processes: writes its result to a folder that only it can write
  plimsoll-agent uninstall      as root: removes everything that install made

Options of enroll and install: --cacert FILE (the certificate of a private authority; or set PLIMSOLL_CA_FILE), --again
(the host is enrolled already) and --allow-plain-http (the server has no certificate: anyone on the network path can
read the traffic). PLIMSOLL_STATE sets a state folder other than /var/lib/plimsoll-agent.
Options of install: --no-process-reading (other processes are not read: it stays unknown which services need a restart)
and --process-reading (switches it on again); the choice is kept.
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

# This must be the last line: a truncated script then runs nothing.
main "$@"
