# limited SECONDS COMMAND…: runs COMMAND and exits as it does; ends it after SECONDS and then exits with 124.
limited() (
  seconds=$1
  shift
  if timeout -k 5 9 true 2>/dev/null; then
    start timeout -k 5 "$seconds" "$@" 3<&0
    wait "$command_id"
    status=$?
  else
    start "$@" 3<&0
    # It keeps nothing open that somebody reads to its end.
    watchdog "$seconds" "$command_id" >/dev/null 2>&1 3>&- 4>&- &
    watchdog_id=$!
    wait "$command_id"
    status=$?
    kill "$watchdog_id" 2>/dev/null
  fi
  forget_command
  # An exit status has eight bits only; ksh says with a ninth that a signal has ended the command.
  [ "$status" -lt 256 ] || status=$((status - 128))
  # 128 and the number of the signal: TERM or KILL has ended it.
  case $status in
    137 | 143) status=124 ;;
  esac
  [ "$status" != 124 ] || echo "timed out after $seconds seconds: $*" >&2
  exit "$status"
)

# watchdog SECONDS ID: what `timeout` does, for hosts without it.
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

# start COMMAND…: starts COMMAND in the background, where `end_command` finds it. Its input comes as descriptor 3,
# because the shell gives what runs in the background none.
start() {
  "$@" <&3 3<&- &
  command_id=$!
  [ ! -d "$scratch" ] || echo "$command_id" >"$scratch/command"
}

forget_command() {
  [ ! -d "$scratch" ] || printf '' >"$scratch/command"
}

# Ends the command that runs now, which `timeout` keeps from the signals that end this run.
end_command() {
  [ ! -s "$scratch/command" ] || kill -TERM "$(cat "$scratch/command")" 2>/dev/null
}

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

# section NAME COMMAND…: one section of the report. What COMMAND prints is kept until it has ended, so that a slow
# reader takes none of its time; where it cannot be kept it goes straight into the report.
section() {
  printf '@%s\n' "$1" || exit
  shift
  if [ -d "$scratch" ]; then
    caught "$@" 3>"$scratch/section"
    cat "$scratch/section" || exit
  else
    caught "$@" 3>&1
  fi
  # dnf tells the age of its cache, which moves, in one place or the other.
  printf '%s\n' "$caught" |
    sed -e '/^$/d' -e '/^exit [0-9]*$/d' -e '/^Last metadata expiration check/d' | as_lines '!'
  printf '@exit %s\n' "${caught##*exit }"
}

# caught COMMAND…: COMMAND's output becomes lines of the report in descriptor 3; what it says about failing, and its
# exit status, are in `caught`.
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
# Each section is passed on as soon as it is there, which also shows that nobody reads any more: then what still runs
# is ended, and the next section finds nobody either.
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
