# The scheduler that starts the agent on this host: systemd, a cron daemon that reads /etc/cron.d, anacron, or none.

# is_ours PROCESS: whether a process runs in this file system. In a chroot, /proc often shows the processes outside.
is_ours() {
  [ "$(stat -L -c %d:%i "/proc/$1/root/" 2>/dev/null)" = "$(stat -L -c %d:%i /)" ]
}

# cron_is_running: whether a daemon runs that reads /etc/cron.d, as those of Debian (cron) and Red Hat (crond) do.
# Busybox's has the same name but does not read it.
cron_is_running() {
  for entry in /proc/[0-9]*/comm; do
    case $(cat "$entry" 2>/dev/null) in
      cron | crond) ;;
      *) continue ;;
    esac
    process=${entry#/proc/}
    process=${process%/comm}
    case $(readlink "/proc/$process/exe") in
      */busybox) continue ;;
    esac
    ! is_ours "$process" || return 0
  done
  return 1
}

# find_scheduler: `systemd`, `cron`, `cron-stopped`, `cron-unseen`, `anacron` or `none`.
find_scheduler() {
  if [ -d /run/systemd/system ] && has systemctl && { [ ! -e /proc/1/root ] || is_ours 1; }; then
    echo systemd
  elif ! [ -e /proc/self/comm ]; then
    if [ -n "$(cron_program)" ]; then echo cron-unseen; else echo none; fi
  elif cron_is_running; then
    echo cron
  elif [ -n "$(cron_program)" ]; then
    echo cron-stopped
  elif has anacron; then
    echo anacron
  else
    echo none
  fi
}

# The installed daemon that reads /etc/cron.d; empty without one.
cron_program() {
  for name in cron crond; do
    found=$(command -v "$name") || continue
    case $(readlink -f "$found") in
      */busybox) ;;
      *) echo "$found" && return 0 ;;
    esac
  done
}

# start_schedule SCHEDULER: makes SCHEDULER start the agent, if it can.
start_schedule() {
  case $1 in
    systemd)
      write_units && systemctl daemon-reload && systemctl enable --now plimsoll-agent.timer
      ;;
    cron*)
      mkdir -p /etc/cron.d && cron_table >/etc/cron.d/plimsoll-agent && chmod 644 /etc/cron.d/plimsoll-agent
      ;;
    anacron)
      mkdir -p /etc/cron.daily && daily_script >/etc/cron.daily/plimsoll-agent &&
        chmod 755 /etc/cron.daily/plimsoll-agent
      ;;
  esac
}

stop_schedule() {
  [ ! -e "$unit_folder/plimsoll-agent.timer" ] || [ ! -d /run/systemd/system ] || {
    systemctl disable --now plimsoll-agent.timer
    systemctl stop plimsoll-agent.service
  }
  for unit in $agent_units; do
    rm -f "$unit_folder/$unit"
  done
  rm -f /etc/cron.d/plimsoll-agent /etc/cron.daily/plimsoll-agent
  [ ! -d /run/systemd/system ] || ! has systemctl || systemctl daemon-reload
}

# say_schedule SCHEDULER: prints how the next reports are sent, a warning if they are not, and what is unknown.
say_schedule() {
  case $1 in
    systemd) say 'a systemd timer sends the next reports' ;;
    cron) say 'cron sends the next reports (/etc/cron.d/plimsoll-agent)' ;;
    cron-stopped)
      warn 'NO FURTHER REPORT IS SENT UNTIL CRON IS STARTED: it is installed here but does not run'
      say "start it with: service $(basename "$(cron_program)") start (the agent's table is /etc/cron.d/plimsoll-agent)"
      ;;
    cron-unseen)
      warn 'it is unknown whether cron runs, because /proc is not mounted; without cron no further report is sent'
      ;;
    anacron)
      warn 'this host has only anacron: one report a day, and only on days when something starts anacron'
      say 'the server marks a host as stale after 26 hours without a report'
      ;;
    none)
      warn 'NO FURTHER REPORT IS SENT AUTOMATICALLY: this host runs none of systemd, cron and anacron'
      say "make your own scheduler run this every 15 minutes: $installed run --if-due"
      say "in a container, keep this running next to its service:  $installed run --forever"
      ;;
  esac
  reason=$(why_unread "$1")
  [ -z "$reason" ] || say "it stays unknown which services need a restart: $reason"
}

warn() {
  say "WARNING: $*"
}

# Random minutes, so that hosts do not report at the same time. Runs as root, which can start the reader before the
# agent.
cron_table() {
  minute=$(random_below 15)
  if reader_can_run; then starter=root; else starter=$agent_user; fi
  cat <<TABLE
SHELL=/bin/sh
$minute-59/15 * * * * $starter $installed run --if-due 2>&1 | logger -t plimsoll-agent
TABLE
}

# Root's `run` starts the reader, and then itself as the agent's user.
daily_script() {
  cat <<SCRIPT
#!/bin/sh
$installed run --if-due 2>&1 | logger -t plimsoll-agent
SCRIPT
}
