# limited SECONDS COMMAND…: runs COMMAND and exits as it does; ends it after SECONDS and then exits with 124.
limited() (
  seconds=$1
  shift
  if timeout -k 5 9 true 2>/dev/null; then
    timeout -k 5 "$seconds" "$@"
  else
    watched "$seconds" "$@" 3<&0
  fi
  status=$?
  # 128 and the number of the signal: TERM or KILL has ended it.
  case $status in
    137 | 143) status=124 ;;
  esac
  [ "$status" != 124 ] || echo "timed out after $seconds seconds: $*" >&2
  exit "$status"
)

# watched SECONDS COMMAND…: what `timeout` does, for hosts without it. COMMAND's input comes as descriptor 3, because
# the shell gives what runs in the background none. The watchdog keeps nothing open that somebody reads to its end.
watched() (
  seconds=$1
  shift
  "$@" <&3 3<&- &
  command_id=$!
  (
    while [ "$seconds" -gt 0 ]; do
      sleep 1
      seconds=$((seconds - 1))
    done
    kill -TERM "$command_id"
    sleep 5
    kill -KILL "$command_id"
  ) >/dev/null 2>&1 3>&- 4>&- &
  watchdog_id=$!
  wait "$command_id"
  status=$?
  kill "$watchdog_id" 2>/dev/null
  # An exit status has eight bits only.
  [ "$status" -lt 256 ] || status=$((status - 128))
  exit "$status"
)

# saved NAME COMMAND…: keeps what COMMAND prints in the file NAME, of which 20 MB at most, and exits as COMMAND did. A
# COMMAND that prints more is ended by that, in ksh with the shell that waits for it.
saved() (
  need_scratch || exit
  file=$scratch/$1
  shift
  rm -f "$scratch/status"
  {
    "$@"
    echo "$?" >"$scratch/status"
  } | head -c 20000000 >"$file"
  [ -s "$scratch/status" ] || exit 1
  exit "$(cat "$scratch/status")"
)

# filtered FILTER COMMAND…: prints what FILTER leaves of COMMAND's output, and exits as COMMAND did.
filtered() (
  filter=$1
  shift
  saved output "$@"
  status=$?
  "$filter" <"$scratch/output"
  exit "$status"
)

# section NAME COMMAND…: one section of the report. What COMMAND prints goes straight into the report; what it says
# about failing, and its exit status, are caught and come behind it.
section() {
  printf '@%s\n' "$1"
  shift
  {
    caught=$(
      {
        {
          "$@" 2>&4
          printf '\nexit %s\n' "$?" >&4
        } | as_lines ' ' >&3 || printf 'cut: a line or the section is too long\nexit 1\n' >&4
      } 4>&1 | first_lines
    )
  } 3>&1
  # dnf tells the age of its cache, which moves, in one place or the other.
  printf '%s\n' "$caught" |
    sed -e '/^$/d' -e '/^exit [0-9]*$/d' -e '/^Last metadata expiration check/d' | as_lines '!'
  printf '@exit %s\n' "${caught##*exit }"
}

# Of what was caught: the first 20 lines that are not empty, and every exit status.
first_lines() {
  tr '\000' '?' | awk '/^exit [0-9]+$/ || ($0 != "" && ++said <= 20)'
}

# as_lines MARK: puts MARK before each line, replaces control characters, takes user, password and query out of
# addresses (mirrors have access tokens there). What is too long is cut, and then it exits with 1; that its writers
# find nobody reading is no news.
as_lines() {
  tr '\000-\010\013-\037\177' '?' 2>/dev/null |
    sed -e 's,\(://\)[^/@"[:space:]]*@,\1,g' -e 's,\(://[^?"[:space:]]*\)?[^"[:space:]]*,\1,g' 2>/dev/null |
    awk -v mark="$1" '
      length($0) > 1000000 { $0 = substr($0, 1, 1000000); cut = 1 }
      (size += length($0) + 2) > 16000000 { cut = 1; exit }
      { print mark $0 }
      END { exit cut }'
}

# report FAMILY: the whole report. Without the mark that the last section ends with, nothing says that it is whole.
report() {
  {
    printf 'plimsoll-report 1 %s %s\n' "$1" "$version"
    section observed "observed_$1"
    "sections_of_$1"
    echo '@done'
  } | awk '
    /^@exit / { sections++ }
    /^@done$/ { print "@end", sections, NR - 1; exit }
    { print }'
}
