# say_seen: asks the server for its result of this host's newest report, and prints only that.
say_seen() {
  require_enrolled
  server=$(kept server)
  use_kept_settings
  authorize
  attempt=1
  call "$server/api/v1/agent/status"
  while is_unread && [ "$attempt" -lt 15 ]; do
    sleep 2
    attempt=$((attempt + 1))
    call "$server/api/v1/agent/status"
  done
  if [ "$http_status" != 200 ]; then
    say 'the report was sent; its result on the server is unknown'
    return 0
  fi
  case $(answer_field upload_state) in
    matched | superseded) say_understood ;;
    rejected) fail "the server did not understand the report: $(answer_field upload_error)" ;;
    received | parsed) say 'the server has received the report but has not read it yet' ;;
    *) fail 'the server has no report of this host' ;;
  esac
  case $(answer_field approval_status) in
    approved) say 'the host is approved: it counts in the totals of the fleet' ;;
    *) say 'THE HOST WAITS FOR APPROVAL in the dashboard: until then no total includes it' ;;
  esac
}

is_unread() {
  [ "$http_status" = 200 ] || return 1
  case $(answer_field upload_state) in
    received | parsed) ;;
    *) return 1 ;;
  esac
}

say_understood() {
  say "the server saw: $(answer_field os_name) $(answer_field os_version), $(answer_field package_count) packages"
  updates=$(answer_field available_updates)
  case $(answer_field updates_state) in
    known) say "available updates, by this host's package lists: $updates" ;;
    stale) say "available updates: $updates, by package lists of this host that are older than 7 days" ;;
    *) say 'available updates: unknown: this host has no usable package lists (apt-get update, dnf makecache)' ;;
  esac
}
