# run [--if-due | --forever | --first]: collects a report and sends it. The timer uses --if-due: a report is collected
# only after the server's interval, and an unsent one is sent again. --first waits until the server has understood the
# report, and prints the result.
run() {
  [ "${1:-}" != --forever ] || run_forever
  require_enrolled
  require_client
  [ ! -s "$state/stopped" ] || fail "stopped: $(kept stopped)"
  server=$(kept server)
  check_server "$server"
  lock_state
  use_kept_settings
  case ${1:-} in
    --if-due) run_if_due ;;
    '') collect && deliver ;;
    --first) collect && prefer='Prefer: wait=30' && deliver && say_seen ;;
    *) fail "unknown option $1" ;;
  esac
}

# For containers and hosts without a scheduler. Each turn is a separate run, so that a failure does not end the others.
run_forever() {
  while :; do
    sh "$0" run --if-due
    sleep 900 &
    wait $!
  done
}

run_if_due() {
  now=$(date +%s)
  before=$(kept not-before)
  [ "$now" -ge "${before:-0}" ] || return 0
  if is_due "$now"; then
    collect || return
  fi
  [ -z "$(unsent)" ] || deliver
}

# is_due NOW. The timer runs every quarter of an hour with a random delay, so a report that is due within five minutes
# is due.
is_due() {
  collected=$(kept collected)
  interval=$(kept interval)
  # A clock that was set back must not stop the reports.
  [ "$1" -lt "${collected:-0}" ] || [ "$1" -ge $((${collected:-0} + ${interval:-3600} - 300)) ]
}

use_kept_settings() {
  [ -n "$ca_file" ] || [ ! -s "$state/ca.pem" ] || ca_file=$state/ca.pem
  if [ -z "${https_proxy:-}${HTTPS_PROXY:-}${http_proxy:-}" ]; then
    https_proxy=$(kept https_proxy)
    http_proxy=$(kept http_proxy)
    no_proxy=$(kept no_proxy)
    export https_proxy http_proxy no_proxy
  fi
}

# Only the newest report is kept: an older one adds nothing.
collect() {
  collect_report >"$state/report.new" </dev/null
  case $(tail -n 1 "$state/report.new") in
    '@end '*) ;;
    *)
      keep failure "$(date) the report could not be collected"
      fail 'the report could not be collected'
      ;;
  esac
  forget unsent.gz unsent.pb
  if has gzip; then
    snapshot "$state/report.new" | gzip -c >"$state/unsent.new" && mv -f "$state/unsent.new" "$state/unsent.gz"
  else
    snapshot "$state/report.new" >"$state/unsent.new" && mv -f "$state/unsent.new" "$state/unsent.pb"
  fi || fail "cannot write $state"
  forget report.new
  keep collected "$(date +%s)"
}

# The file with the report to be sent; empty without one.
unsent() {
  for name in unsent.gz unsent.pb; do
    [ ! -f "$state/$name" ] || echo "$state/$name"
  done
}

deliver() {
  message=$(unsent)
  authorize
  echo 'Content-Type: application/x-protobuf' >>"$scratch/headers"
  echo 'Plimsoll-New-Token: accepted' >>"$scratch/headers"
  [ -z "${prefer:-}" ] || echo "$prefer" >>"$scratch/headers"
  case $message in
    *.gz) echo 'Content-Encoding: gzip' >>"$scratch/headers" ;;
  esac
  call_again "$server/api/v1/agent/snapshots" "$message"
  case $http_status in
    200 | 202) delivered ;;
    # 409: the host is retired.
    401 | 409) stop ;;
    400 | 413 | 415 | 422) refused ;;
    *) undelivered ;;
  esac
}

authorize() {
  echo "Authorization: Bearer $(kept token)" >"$scratch/headers"
}

# A new token is kept before anything else: the old one ends with the first use of the new one, a few lines
# below. Without that use, the server gives another one with the next report.
delivered() {
  new_token=$(answer_field host_access_token)
  [ -z "$new_token" ] || keep token "$new_token"
  forget unsent.gz unsent.pb failure not-before
  keep sent "$(date) as $(answer_field snapshot_id), $(answer_field status)"
  authorize
  call "$server/api/v1/agent/config"
  [ "$http_status" = 200 ] || return 0
  keep_number interval "$(answer_field report_interval_seconds)"
  keep newest-version "$(answer_field newest_agent_version)"
}

stop() {
  keep stopped "the server does not accept this host's token any more (it was revoked, or the host was \
deleted or retired). To go on, enrol again with a new registration token: plimsoll-agent enroll $server"
  fail "stopped: $(kept stopped)"
}

# The server has read and refused the report: sending it again would not help.
refused() {
  forget unsent.gz unsent.pb
  keep failure "$(date) the report was refused: $(answer_words)"
  fail "the report was refused: $(answer_words)"
}

undelivered() {
  keep failure "$(date) $(answer_words)"
  fail "the report was not sent and is kept: $(answer_words)"
}
