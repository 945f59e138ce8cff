# Requests to the server, with curl or GNU wget. The token never stands in a command line, where every user could read
# it: both are told by a file in the private folder. Neither reads its own configuration, follows a redirection or
# leaves out to check the certificate.

require_client() {
  has curl || wget --version 2>/dev/null | grep -q '^GNU Wget' || fail 'curl or GNU wget is needed'
}

# check_server URL: refuses what is no address of a server, or one that anybody on the way could read. The plain form
# is for a server on this host; for any other it has to be asked for, and is told each time.
check_server() {
  case $1 in
    *[!][A-Za-z0-9.:/_~%-]*) fail "this is no server's address: $1" ;;
    https://?*) ;;
    http://?*) is_loopback "${1#http://}" || allow_plain_http "$1" ;;
    *) fail "the server's address has to begin with https://" ;;
  esac
}

# is_loopback ADDRESS: whether it is this host's own, whatever a name server says.
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
    fail "$1 is not encrypted: anybody on the way could read this host's token and its report. Use https://"
  say "WARNING: $1 IS NOT ENCRYPTED: ANYBODY ON THE WAY CAN READ THIS HOST'S TOKEN AND ITS REPORT"
}

# call URL [FILE]: asks for URL, or sends FILE to it, with the headers in $scratch/headers. Sets http_status (000 where
# there was no answer), leaves the answer in $scratch/answer and what was said about failing in $scratch/words.
call() {
  : >"$scratch/answer"
  : >"$scratch/answer-headers"
  http_status=000
  if has curl; then
    call_with_curl "$@" || return 0
  else
    call_with_wget "$@" || return 0
  fi
  # The last of them: a proxy's answer may stand before the server's.
  http_status=$(sed -n 's,^ *HTTP/[0-9.]* \([0-9][0-9][0-9]\).*,\1,p' "$scratch/answer-headers" | tail -n 1)
  http_status=${http_status:-000}
}

call_with_curl() (
  url=$1
  file=${2:-}
  # "Expect:": curl would wait for the server to want a long body.
  { cat "$scratch/headers" && echo 'Expect:'; } | sed 's/.*/header = "&"/' >"$scratch/request"
  set -- --config "$scratch/request" --connect-timeout 30 --max-time 600
  [ -z "$file" ] || set -- "$@" --data-binary "@$file"
  [ -z "$ca_file" ] || set -- "$@" --cacert "$ca_file"
  curl -q --silent --show-error "$@" --output "$scratch/answer" --dump-header "$scratch/answer-headers" "$url" \
    2>"$scratch/words"
)

call_with_wget() (
  url=$1
  file=${2:-}
  { sed 's/^/header = /' "$scratch/headers" && echo 'check_certificate = on'; } >"$scratch/request"
  set -- --config="$scratch/request" --timeout=60 --tries=1 --max-redirect=0 --content-on-error
  [ -z "$file" ] || set -- "$@" --post-file="$file"
  [ -z "$ca_file" ] || set -- "$@" --ca-certificate="$ca_file"
  # wget tells the headers among its other words, indented, and wget2 on its standard output.
  wget "$@" --server-response --output-document="$scratch/answer" "$url" >"$scratch/answer-headers" 2>&1
  status=$?
  tail -n 4 "$scratch/answer-headers" >"$scratch/words"
  # 8: the server answered with an error. 6: with 401.
  [ "$status" = 0 ] || [ "$status" = 8 ] || [ "$status" = 6 ]
)

# call_again URL [FILE]: as call, up to five times while there is no answer or one that promises another later, with
# longer and longer waits, at random so that a thousand hosts do not come back at once.
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

# A server that asks for more than five minutes gets them; the next attempt is a later run's.
wait_for_attempt() {
  seconds=$(retry_after)
  if [ "${seconds:-0}" -gt 300 ]; then
    keep not-before "$(($(date +%s) + seconds))"
    say "the server asks to come back in $seconds seconds"
    return 1
  fi
  longest=$((10 << attempt))
  [ -n "$seconds" ] || seconds=$((longest / 2))
  sleep "$((seconds + $(random_below "$((longest / 2))")))"
}

# Retry-After in seconds; nothing where it is missing or a date.
retry_after() {
  tr -d '\r' <"$scratch/answer-headers" |
    sed -n 's/^ *[Rr][Ee][Tt][Rr][Yy]-[Aa][Ff][Tt][Ee][Rr]: *\([0-9]\{1,6\}\) *$/\1/p' | tail -n 1
}

# random_below NUMBER, which is at most 65536.
random_below() {
  echo "$(($(od -An -N2 -tu2 /dev/urandom) % $1))"
}

# One line about what came of a request, for people.
answer_words() {
  if [ "$http_status" = 000 ]; then
    echo "no answer from the server: $(tr '\n' ' ' <"$scratch/words" | cut -c 1-500)"
  else
    echo "the server answered $http_status: $(tr -c '\040-\176' ' ' <"$scratch/answer" | cut -c 1-500)"
  fi
}

# answer_field NAME: a text or number of the server's answer, which is one flat JSON object.
answer_field() {
  tr '\n' ' ' <"$scratch/answer" | sed -n "s/.*\"$1\" *: *\"\{0,1\}\([A-Za-z0-9._-]*\).*/\1/p"
}
