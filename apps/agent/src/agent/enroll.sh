# enroll [--again] [--allow-plain-http] [--cacert FILE] URL: makes this host known to the server, once.
enroll() {
  read_enrol_options "$@"
  check_server "$server"
  require_client
  { mkdir -p "$state" && [ -w "$state" ]; } || fail "cannot write $state"
  # A host that the server no longer knows may enrol again without --again.
  if [ -s "$state/token" ] && [ ! -s "$state/stopped" ] && [ "$again" = no ]; then
    fail "this host is enrolled at $(kept server) already; to enrol it again, add --again"
  fi
  lock_state
  copy_ca_file
  registration_token=$(read_registration_token)
  unset PLIMSOLL_TOKEN
  [ -n "$registration_token" ] || exit 1
  register
}

# read_enrol_options ARGUMENT…: sets `server`, `again`, `plain_http` and `ca_file`.
read_enrol_options() {
  again=no
  server=''
  while [ $# -gt 0 ]; do
    case $1 in
      --again) again=yes ;;
      --allow-plain-http) plain_http=allowed ;;
      --cacert)
        [ $# -gt 1 ] || fail '--cacert needs a file'
        case $2 in
          /*) ca_file=$2 ;;
          *) ca_file=$PWD/$2 ;;
        esac
        shift
        ;;
      -*) fail "unknown option $1" ;;
      *) server=${1%/} ;;
    esac
    shift
  done
  [ -n "$server" ] || fail 'the address of the server is missing: plimsoll-agent enroll URL'
}

# From the environment or standard input: every user of the host can read command lines.
read_registration_token() {
  token=${PLIMSOLL_TOKEN:-}
  if [ -z "$token" ]; then
    [ ! -t 0 ] || printf 'Registration token: ' >&2
    read -r token
  fi
  case $token in
    '' | *[!A-Za-z0-9._-]*) fail 'the registration token is missing: set PLIMSOLL_TOKEN or pass it on standard input' ;;
  esac
  echo "$token"
}

# The agent's user may be unable to read the original file, so it gets a copy.
copy_ca_file() {
  [ -n "$ca_file" ] || return 0
  cat "$ca_file" >"$state/ca.pem" || fail "cannot read $ca_file"
  ca_file=$state/ca.pem
}

# The random key is stored before it is sent: if the answer is lost, the next attempt with the same key and token gets
# the same host instead of a second one.
register() {
  [ -s "$state/enrolment-key" ] || keep enrolment-key "$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  printf '%s\n' 'Content-Type: application/json' "Idempotency-Key: $(kept enrolment-key)" >"$scratch/headers"
  registration >"$scratch/registration"
  call_again "$server/api/v1/agent/register" "$scratch/registration"
  case $http_status in
    201) ;;
    401) fail 'the server refused the registration token: it is unknown, used up, expired or revoked' ;;
    *) fail "enrolment failed: $(answer_words)" ;;
  esac
  [ -n "$(answer_field host_access_token)" ] || fail "the answer is not from a Plimsoll server: $(answer_words)"
  remember_enrolment
  say "enrolled at $server as host $(kept host-id), $(answer_field approval_status)"
}

# The token last: with it, the host is enrolled.
remember_enrolment() {
  forget stopped failure unsent.gz unsent.pb not-before sent collected plain-http
  keep server "$server"
  keep host-id "$(answer_field host_id)"
  keep_number interval "$(answer_field report_interval_seconds)"
  [ "${plain_http:-}" != allowed ] || keep plain-http allowed
  # The authority of another server does not apply to this one.
  [ -n "$ca_file" ] || forget ca.pem
  # Timers do not have the proxy variables of the environment in which the host was enrolled.
  keep https_proxy "${https_proxy:-${HTTPS_PROXY:-}}"
  keep http_proxy "${http_proxy:-}"
  keep no_proxy "${no_proxy:-${NO_PROXY:-}}"
  keep token "$(answer_field host_access_token)"
  forget enrolment-key
}

# The host's identity, as JSON.
registration() {
  id=$(machine_id)
  # A file system that was never booted has none: neither systemd nor D-Bus has created it.
  [ -n "$id" ] || id=$(own_machine_id)
  printf '{"registration_token":%s,"hostname":%s,"machine_id":%s,"metadata":{' \
    "$(json "$registration_token")" "$(json "$(uname -n)")" "$(json "$id")"
  printf '"ip_address":%s,"os_name":%s,"os_version":%s,"architecture":%s}}' \
    "$(json "$(addresses | head -n 1)")" "$(json "$(os_field ID)")" "$(json "$(os_field VERSION_ID)")" \
    "$(json "$(architecture)")"
}

# The agent's own id, for a host without /etc/machine-id. It stays the same while the host is enrolled.
own_machine_id() {
  [ -s "$state/machine-id" ] || keep machine-id "$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  kept machine-id
}

# json TEXT: TEXT as a JSON string. Real texts here are printable ASCII.
json() {
  printf '"%s"' "$(printf %s "$1" | tr -c '\040-\176' '?' | sed 's/[\\"]/\\&/g')"
}

# os_field NAME: one value of os-release, without its quotes.
os_field() {
  os_release | sed -n "s/^$1=//p" | tail -n 1 | tr -d "\"'"
}

architecture() {
  case $(family) in
    apt) dpkg --print-architecture ;;
    rpm) rpm -E '%{_arch}' ;;
  esac
}
