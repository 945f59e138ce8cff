# Requests to the server, with curl or GNU wget. The token is never in a command line, which every user could read: both
# clients read it from a file in the private folder. Both ignore their own configuration, follow no redirects and always
# check the certificate.

require_client() {
  has curl || wget --version 2>/dev/null | grep -q '^GNU Wget' || fail 'curl or GNU wget is needed'
}

# check_server URL: refuses an invalid server address, or one whose traffic could be read on the network. Plain http is
# allowed for a server on this host; for others it must be requested and causes a warning each time.
check_server() {
  case $1 in
    *[!][A-Za-z0-9.:/_~%-]*) fail "not the address of a server: $1" ;;
    https://?*) ;;
    http://?*) is_loopback "${1#http://}" || allow_plain_http "$1" ;;
    *) fail "the server's address must begin with https://" ;;
  esac
}

# is_loopback ADDRESS: whether it is an address of this host, without asking a name server.
is_loopback() {
  case ${1%%/*} in
    localhost | localhost:* | '[::1]' | '[::1]:'*) ;;
    *[!0-9.:]*) return 1 ;;
    127.*) ;;
    *) return 1 ;;
  esac
}

allow_plain_http() {
  [ "$(kept plain-http)" = allowed ] || [ "${plain_http:-}" = allowed ] ||
    fail "$1 is not encrypted: anyone on the network path could read this host's token and reports. Use https://"
  say "WARNING: $1 IS NOT ENCRYPTED: ANYONE ON THE NETWORK PATH CAN READ THIS HOST'S TOKEN AND REPORTS"
}

# call URL [FILE]: requests URL, or sends FILE to it, with the headers in $scratch/headers. Sets http_status (000
# without an answer), stores the answer in $scratch/answer and the client's messages in $scratch/words.
call() {
  : >"$scratch/answer"
  : >"$scratch/answer-headers"
  http_status=000
  if has curl; then
    call_with_curl "$@"
  else
    call_with_wget "$@"
  fi || {
    is_too_long
    return 0
  }
  ! is_too_long || return 0
  # The last one: a proxy's answer may precede the server's.
  http_status=$(sed -n 's,^ *HTTP/[0-9.]* \([0-9][0-9][0-9]\).*,\1,p' "$scratch/answer-headers" | tail -n 1)
  http_status=${http_status:-000}
}

# Real answers have a few kilobytes: a longer one must not fill the disk of this host. From here on, no file of this
# subshell can exceed 1 or 2 MB, because shells count in blocks of 512 or 1024 bytes. A write that would exceed it
# fails; without the trap it would end the program with a core dump.
limit_files() {
  # If this fails, an even lower limit is in force.
  ulimit -f 2048 2>/dev/null
  trap '' XFSZ
}

# is_too_long: whether the answer has more than a million bytes; then it counts as none, and $scratch/words says why.
is_too_long() {
  size=$(cat "$scratch/answer" "$scratch/answer-headers" | wc -c)
  [ "$size" -gt 1000000 ] || return 1
  echo 'what came is longer than 1 MB' >"$scratch/words"
}

call_with_curl() (
  limit_files
  url=$1
  file=${2:-}
  # "Expect:": otherwise curl waits for the server's consent before a long body.
  { cat "$scratch/headers" && echo 'Expect:'; } | sed 's/.*/header = "&"/' >"$scratch/request"
  set -- --config "$scratch/request" --connect-timeout 30 --max-time 600
  [ -z "$file" ] || set -- "$@" --data-binary "@$file"
  [ -z "$ca_file" ] || set -- "$@" --cacert "$ca_file"
  [ ! -s "$state/client.pem" ] || set -- "$@" --cert "$state/client.pem"
  curl -q --silent --show-error "$@" --output "$scratch/answer" --dump-header "$scratch/answer-headers" "$url" \
    2>"$scratch/words"
)

call_with_wget() (
  limit_files
  url=$1
  file=${2:-}
  { sed 's/^/header = /' "$scratch/headers" && echo 'check_certificate = on'; } >"$scratch/request"
  set -- --config="$scratch/request" --timeout=60 --tries=1 --max-redirect=0 --content-on-error
  [ -z "$file" ] || set -- "$@" --post-file="$file"
  [ -z "$ca_file" ] || set -- "$@" --ca-certificate="$ca_file"
  [ ! -s "$state/client.pem" ] || set -- "$@" --certificate="$state/client.pem" --private-key="$state/client.pem"
  # wget prints the headers among its messages, indented; wget2 prints them on standard output.
  wget "$@" --server-response --output-document="$scratch/answer" "$url" >"$scratch/answer-headers" 2>&1
  status=$?
  tail -n 4 "$scratch/answer-headers" >"$scratch/words"
  # 8: the server answered with an error. 6: with 401.
  [ "$status" = 0 ] || [ "$status" = 8 ] || [ "$status" = 6 ]
)

# call_again URL [FILE]: as call, with up to five attempts while there is no answer or a temporary failure. Waits grow
# and are random, so that a thousand hosts do not return at once.
call_again() {
  attempt=1
  while :; do
    call "$@"
    case $http_status in
      000 | 408 | 425 | 429 | 5??) ;;
      *) return 0 ;;
    esac
    say "attempt $attempt: $(answer_words)"
    [ "$attempt" -lt 5 ] || return 0
    wait_for_attempt || return 0
    attempt=$((attempt + 1))
  done
}

# A wait of more than five minutes is left to a later run.
wait_for_attempt() {
  seconds=$(retry_after)
  if [ "${seconds:-0}" -gt 300 ]; then
    keep not-before "$(($(date +%s) + seconds))"
    say "the server asks for the next attempt in $seconds seconds"
    return 1
  fi
  longest=$((10 << attempt))
  [ -n "$seconds" ] || seconds=$((longest / 2))
  sleep "$((seconds + $(random_below "$((longest / 2))")))"
}

# Retry-After in seconds; empty if it is missing or a date.
retry_after() {
  tr -d '\r' <"$scratch/answer-headers" |
    sed -n 's/^ *[Rr][Ee][Tt][Rr][Yy]-[Aa][Ff][Tt][Ee][Rr]: *\([0-9]\{1,6\}\) *$/\1/p' | tail -n 1
}

# random_below NUMBER: NUMBER is at most 65536.
random_below() {
  echo "$(($(od -An -N2 -tu2 /dev/urandom) % $1))"
}

# One line for the user about the result of a request.
answer_words() {
  if [ "$http_status" = 000 ]; then
    echo "no answer from the server: $(tr '\n' ' ' <"$scratch/words" | cut -c 1-500)"
  else
    echo "the server answered $http_status: $(tr -c '\040-\176' ' ' <"$scratch/answer" | cut -c 1-500)"
  fi
}

# answer_field NAME: a text or number of the server's answer, which is a flat JSON object.
answer_field() {
  tr '\n' ' ' <"$scratch/answer" | sed -n "s/.*\"$1\" *: *\"\{0,1\}\([A-Za-z0-9._-]*\).*/\1/p"
}
