# limited SECONDS COMMAND…: runs COMMAND and returns its exit status; ends it after SECONDS and then exits with 124.
limited() (
  seconds=$1
  shift
  if timeout -k 5 9 true 2>/dev/null; then
    start timeout -k 5 "$seconds" "$@" 3<&0
    wait "$command_id"
    status=$?
  else
    start "$@" 3<&0
    # It must not keep open a descriptor that a reader reads to its end.
    watchdog "$seconds" "$command_id" >/dev/null 2>&1 3>&- 4>&- &
    watchdog_id=$!
    wait "$command_id"
    status=$?
    kill "$watchdog_id" 2>/dev/null
  fi
  forget_command
  # An exit status has eight bits; ksh uses a ninth for a command ended by a signal.
  [ "$status" -lt 256 ] || status=$((status - 128))
  # 128 plus the signal's number: TERM or KILL has ended it.
  case $status in
    137 | 143) status=124 ;;
  esac
  [ "$status" != 124 ] || echo "timed out after $seconds seconds: $*" >&2
  exit "$status"
)

# watchdog SECONDS ID: replaces `timeout` on hosts without it.
watchdog() {
  waited=0
  while [ "$waited" -lt "$1" ]; do
    sleep 1
    waited=$((waited + 1))
  done
  kill -TERM "$2"
  sleep 5
  kill -KILL "$2"
}

# start COMMAND…: starts COMMAND in the background, where `end_command` finds it. Its input is descriptor 3, because the
# shell gives background commands none.
start() {
  "$@" <&3 3<&- &
  command_id=$!
  [ ! -d "$scratch" ] || echo "$command_id" >"$scratch/command"
}

forget_command() {
  [ ! -d "$scratch" ] || printf '' >"$scratch/command"
}

# Ends the running command, which `timeout` shields from the signals that end this run.
end_command() {
  [ ! -s "$scratch/command" ] || kill -TERM "$(cat "$scratch/command")" 2>/dev/null
}

# saved NAME COMMAND…: stores COMMAND's output in the file NAME, at most 20 MB, and returns its exit status. A COMMAND
# with more output is ended, in ksh with the shell that waits for it.
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

# filtered FILTER COMMAND…: prints COMMAND's output through FILTER, and returns COMMAND's exit status.
filtered() (
  filter=$1
  shift
  saved output "$@"
  status=$?
  "$filter" <"$scratch/output"
  exit "$status"
)

# section NAME COMMAND…: a section of the report. COMMAND's output is stored until it has ended, so that a slow reader
# does not use up its time; if it cannot be stored it goes directly into the report.
section() {
  printf '@%s\n' "$1" || exit
  shift
  if [ -d "$scratch" ]; then
    caught "$@" 3>"$scratch/section"
    cat "$scratch/section" || exit
  else
    caught "$@" 3>&1
  fi
  # dnf prints the changing age of its cache in one of two places.
  printf '%s\n' "$caught" |
    sed -e '/^$/d' -e '/^exit [0-9]*$/d' -e '/^Last metadata expiration check/d' | as_lines '!'
  printf '@exit %s\n' "${caught##*exit }"
}

# caught COMMAND…: writes COMMAND's output as lines of the report to descriptor 3; its error messages and exit status
# are in `caught`.
caught() {
  caught=$(
    {
      {
        "$@" 2>&4
        printf '\nexit %s\n' "$?" >&4
      } | as_lines ' ' >&3 || printf 'cut: a line or the section is too long\nexit 1\n' >&4
    } 4>&1 | first_lines
  )
}

# From the caught text: the first 20 non-empty lines, and every exit status.
first_lines() {
  tr '\000' '?' | awk '/^exit [0-9]+$/ || ($0 != "" && ++said <= 20)'
}

# as_lines MARK: puts MARK before each line, replaces control characters, and removes user, password and query from
# addresses (mirrors put access tokens there). Truncates what is too long, and then exits with 1; a broken pipe of its
# writers is not reported.
as_lines() {
  tr '\000-\010\013-\037\177' '?' 2>/dev/null |
    sed -e 's,\(://\)[^/@"[:space:]]*@,\1,g' -e 's,\(://[^?"[:space:]]*\)?[^"[:space:]]*,\1,g' 2>/dev/null |
    awk -v mark="$1" '
      length($0) > 1000000 { $0 = substr($0, 1, 1000000); cut = 1 }
      (size += length($0) + 2) > 16000000 { cut = 1; exit }
      { print mark $0 }
      END { exit cut }'
}

# report FAMILY: the whole report. The mark at the end of the last section shows that it is complete. Each section is
# passed on as soon as it is ready, which also detects a closed reader: then the running command is ended, and the next
# section fails too.
report() {
  {
    printf 'plimsoll-report 1 %s %s\n' "$1" "$version"
    section observed "observed_$1"
    "sections_of_$1"
    echo '@done'
  } | {
    awk '
      /^@exit / { sections++ }
      /^@done$/ { print "@end", sections, NR - 1; exit }
      { print }
      /^@exit / { fflush() }' || {
      end_command
      false
    }
  }
}
