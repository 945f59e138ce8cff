# The reader finds the programs and libraries that the processes of this host use. It is a separate user with the one
# capability for that (CAP_SYS_PTRACE), without network, and with /proc as its only input. Under systemd its own unit
# starts it, otherwise root's `run`. The agent reads its result but cannot change it.
reader_user=plimsoll-processes
reader_folder=/run/plimsoll-agent-processes
# Written by root: if it exists, reading processes is off.
reading_off=/etc/plimsoll-agent.no-process-reading
deleted_files_by=deleted_files_seen

reading_is_on() {
  [ ! -e "$reading_off" ] && id "$reader_user" >/dev/null 2>&1
}

# processes: the reader's work. The result replaces the earlier one in one step; between its time and its end it has the
# rows of deleted_files, at most 4 MB.
read_processes() {
  ! is_root || fail "the user $reader_user runs this"
  [ -w "$reader_folder" ] || fail "cannot write $reader_folder"
  {
    deleted_files 2>/dev/null
    echo "exit $?"
  } | awk -v begun="$(date +%s)" '
    BEGIN { print "time\t" begun; status = 1 }
    $0 == "exit 0" { status = 0; next }
    /^exit [0-9]+$/ { next }
    (size += length($0) + 6) > 4000000 { exit }
    { print "uses\t" $0; rows++ }
    END { print "end\t" status "\t" rows + 0 }' >"$reader_folder/new" || fail "cannot write $reader_folder"
  { chmod 640 "$reader_folder/new" && mv -f "$reader_folder/new" "$reader_folder/result"; } ||
    fail "cannot write $reader_folder"
}

# start_reader: as root, if no unit does it. If it fails, the agent reports that the result is missing or old.
start_reader() {
  reading_is_on || return 0
  mkdir -p "$reader_folder" && chown "$reader_user:$agent_user" "$reader_folder" && chmod 750 "$reader_folder" &&
    as_reader "$installed" processes </dev/null >/dev/null 2>&1
}

# as_reader PROGRAM ARGUMENT…: PROGRAM as the reader, without network and environment.
as_reader() (
  cd / || exit
  unshare --net -- setpriv --reuid "$(id -u "$reader_user")" --regid "$(id -g "$reader_user")" --clear-groups \
    --no-new-privs --inh-caps -all,+sys_ptrace --ambient-caps -all,+sys_ptrace --bounding-set -all,+sys_ptrace \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
)

# reader_can_run: whether root can start the reader with only that capability, which a container may forbid.
reader_can_run() {
  reading_is_on &&
    as_reader grep -q '^CapEff:[[:space:]]*0*80000$' /proc/self/status </dev/null >/dev/null 2>&1
}

# why_unread SCHEDULER: why processes will not be read; empty if they will.
why_unread() {
  if [ -e "$reading_off" ]; then
    echo 'reading processes is off (--no-process-reading)'
  elif ! reading_is_on; then
    echo "the user $reader_user is missing"
  elif [ "$1" != systemd ] && ! reader_can_run; then
    echo 'on this host, root can neither close the network (unshare) nor pass on only CAP_SYS_PTRACE (setpriv)'
  fi
}

# deleted_files_seen: the output of `deleted_files`. Root reads /proc itself; other users take the reader's result or,
# if that is unusable, what they can see themselves, which is never complete.
deleted_files_seen() {
  if is_root; then
    deleted_files
  elif take_result; then
    sed -n 's/^uses//p' "$scratch/result" | cut -c 2-
    [ "$complete" = yes ] || {
      echo 'the reader of processes could not read every process' >&2
      return 1
    }
  else
    [ -z "$reason" ] || echo "$reason" >&2
    deleted_files
  fi
}

# take_result: copies the reader's result and sets `complete`, or sets `reason` and fails. The result is untrusted text:
# its size is limited, and it is accepted as a whole or not at all.
take_result() {
  need_scratch || return
  reason=''
  complete=no
  if [ -e "$reading_off" ]; then
    reason='reading processes was switched off when the agent was installed (--no-process-reading)'
  elif ! reading_is_on; then
    return 1
  elif [ ! -f "$reader_folder/result" ] || [ -L "$reader_folder/result" ] ||
    ! limited 10 head -c 5000000 "$reader_folder/result" >"$scratch/result" 2>/dev/null; then
    reason="the reader of processes has left no result that this user can read in $reader_folder"
  else
    check_result
    case $? in
      0) complete=yes ;;
      1) ;;
      3) reason='the result of the reader of processes is not of the last ten minutes' ;;
      *) reason='the result of the reader of processes cannot be understood' ;;
    esac
  fi
  [ -z "$reason" ]
}

# Exits with 0 when the reader saw every process, 1 when it did not, 2 when the result is malformed,
# 3 when it is too old.
check_result() {
  awk -F '\t' -v now="$(date +%s)" '
    ended { ended = 0; exit }
    NR == 1 && NF == 2 && $1 == "time" && $2 ~ /^[0-9]+$/ && length($2) < 12 { time = $2 + 0; next }
    NR > 1 && NF == 3 && $1 == "uses" && $2 != "" && $3 ~ /^\// { rows++; next }
    NR > 1 && NF == 3 && $1 == "end" && $2 ~ /^[01]$/ && $3 == rows + 0 "" { ended = 1; status = $2 + 0; next }
    { exit }
    END {
      if (!ended) exit 2
      if (time < now - 600 || time > now + 60) exit 3
      exit status
    }' "$scratch/result"
}
