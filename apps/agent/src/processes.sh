# The sections about running software: processes that still use files replaced by an update, and live patches.
# `deleted_files_by` names the command that finds the former; the agent uses another one.
deleted_files_by=deleted_files

running_sections() {
  if [ -d /run/systemd/system ] && has systemctl && [ -d "$scratch" ]; then
    section units units
  fi
  if has needrestart; then
    section needrestart ask_needrestart
  fi
  if ! has needrestart || ! is_root; then
    section deleted-files "$deleted_files_by"
  fi
  if has canonical-livepatch; then
    section livepatch filtered without_check_times limited 30 canonical-livepatch status --format json
  elif has uptrack-show; then
    section livepatch limited 30 uptrack-show
  elif has kcarectl; then
    section livepatch limited 30 kcarectl --patch-info
  elif has klp; then
    section livepatch limited 30 klp -v patches
  elif has kpatch; then
    section livepatch limited 30 kpatch list
  fi
}

# Services (-l) and the kernel (-k); `-r l` only lists, whatever its configuration says.
ask_needrestart() {
  if is_root; then
    filtered without_session_numbers limited 60 needrestart -b -r l -l -k
    return
  fi
  limited 60 needrestart -b -k || return
  echo 'services are omitted: without root, needrestart sees only those of its own user' >&2
  return 1
}

without_session_numbers() {
  sed 's/^\(NEEDRESTART-SESS: [^ ]*\) .*/\1/' | uniq
}

# Its times change, and old versions showed a token.
without_check_times() {
  sed -E 's/("[^"]*([Ll]ast-[Cc]heck|[Uu]ptime|[Bb]oot-[Tt]ime|[Tt]oken)[^"]*"): *"[^"]*"/\1:""/g'
}

# All programs and libraries in use whose file was deleted. The kernel shows a process's files to root, to its own user
# and to users who may trace it (CAP_SYS_PTRACE).
deleted_files() {
  need_scratch || return
  all=yes
  saved maps list_deleted 2>"$scratch/unseen"
  # 1: no match. 2: some processes could not be read, or have ended. Other statuses: it hung or is truncated.
  case $(tail -n 1 "$scratch/maps") in
    'end 0' | 'end 1' | 'end 2') ;;
    *) all=no ;;
  esac
  # Any user can put control characters into the name of a process or file.
  sed -n 's,^/proc/\([0-9]*\)/maps:[^ ]* ..x. [^ ]* [^ ]* [^ ]* *\(/.*\) (deleted)$,\1 \2,p' "$scratch/maps" |
    tr '\000-\011\013-\037\177' '?' | uniq | while read -r process file; do
    case $file in
      /usr/* | /lib*/* | /bin/* | /sbin/* | /opt/* | /snap/*) ;;
      *) continue ;;
    esac
    name_process "$process"
    [ ! -e "/proc/$process" ] || row "$name" "$file"
  done | one_tab | sort -u >"$scratch/rows" || all=no
  cat "$scratch/rows"
  # If /proc is mounted with hidepid, even the first process is invisible.
  if grep -q 'Permission denied' "$scratch/unseen" || [ ! -e /proc/1/maps ]; then
    echo 'some processes could not be read: that needs root or CAP_SYS_PTRACE' >&2
    return 1
  fi
  # Processes may end while they are read, which is not an error.
  if [ "$all" = no ] || grep -v ': No such ' "$scratch/unseen" >&2; then
    echo 'some of the files that processes use could not be listed' >&2
    return 1
  fi
}

# Ends with a line that gives its status; without that line the list is truncated.
list_deleted() {
  limited 60 grep -H '^[^ ]* ..x. .* (deleted)$' /proc/[0-9]*/maps
  echo "end $?"
}

# Makes the row of a process with no name, or with tabs in it, readable.
one_tab() {
  awk -F '\t' '{
    name = $1
    for (i = 2; i < NF; i++) name = name "?" $i
    print (name == "" ? "(no name)" : name) "\t" $NF
  }'
}

# name_process ID: sets `name` to the process's systemd service, or otherwise its command. One lookup for the many files
# of a process; the shell reads them itself, because there may be a thousand processes.
name_process() {
  [ "$1" != "${named:-}" ] || return 0
  named=$1
  name=''
  while read -r group; do
    case $group in
      *.service*)
        name=${group%%.service*}.service
        name=${name##*/}
        return
        ;;
    esac
  done <"/proc/$1/cgroup"
  read -r name <"/proc/$1/comm"
} 2>/dev/null
