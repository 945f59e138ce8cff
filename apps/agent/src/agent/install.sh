# install [OPTIONS URL]: what `enroll` takes, where the host is not enrolled yet.
install_agent() {
  is_root || fail 'installing needs root'
  unset PLIMSOLL_STATE
  state=/var/lib/plimsoll-agent
  grep -qs '^# plimsoll-agent, version ' "$0" || fail 'save this script to a file and run that: it installs itself'
  require_client
  id "$agent_user" >/dev/null 2>&1 ||
    useradd --system --user-group --home-dir "$state" --no-create-home --shell /usr/sbin/nologin "$agent_user" ||
    fail "cannot make the user $agent_user"
  if [ "$0" != "$installed" ]; then
    { cp "$0" "$installed.new" && chmod 755 "$installed.new" && mv -f "$installed.new" "$installed"; } ||
      fail "cannot write $installed"
  fi
  # Made empty and given away; from then on only the agent's user writes there.
  [ -d "$state" ] || { mkdir -p "$state" && chown "$agent_user:$agent_user" "$state"; } || fail "cannot make $state"
  if [ ! -s "$state/token" ] || [ $# -gt 0 ]; then
    as_agent_user enroll "$@" || fail 'installed, but not enrolled and not started'
  fi
  start_timer
}


start_timer() {
  if [ -d /run/systemd/system ]; then
    service_unit >/etc/systemd/system/plimsoll-agent.service
    timer_unit >/etc/systemd/system/plimsoll-agent.timer
    chmod 644 /etc/systemd/system/plimsoll-agent.service /etc/systemd/system/plimsoll-agent.timer
    { systemctl daemon-reload && systemctl enable --now plimsoll-agent.timer; } || fail 'cannot start the timer'
    say 'installed; the first report is sent within a few minutes'
  elif [ -d /etc/cron.d ]; then
    cron_table >/etc/cron.d/plimsoll-agent
    chmod 644 /etc/cron.d/plimsoll-agent
    say 'installed; cron sends the first report within a quarter of an hour'
    say 'cron cannot give it CAP_SYS_PTRACE, so which services need a restart stays unknown'
  else
    fail "this host has no systemd and no cron: let something run '$installed run --if-due' every quarter of an hour"
  fi
}

# The user has no rights beyond reading what every user can read, but to see which files other processes use, which is
# what CAP_SYS_PTRACE is for; NoNewPrivileges keeps it from getting others. System calls are forbidden by name, not
# allowed: an old systemd that does not know the groups would allow none.
service_unit() {
  cat <<UNIT
[Unit]
Description=Plimsoll agent: reports this host's patch state
Documentation=file:$installed
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart=$installed run --if-due
User=$agent_user
Group=$agent_user
StateDirectory=plimsoll-agent
StateDirectoryMode=0700
UMask=0077
TimeoutStartSec=30min
Nice=10
MemoryMax=1G
TasksMax=128
NoNewPrivileges=yes
AmbientCapabilities=CAP_SYS_PTRACE
CapabilityBoundingSet=CAP_SYS_PTRACE
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @debug @keyring @module @mount @obsolete @raw-io @reboot @swap
SystemCallErrorNumber=EPERM
UNIT
}

timer_unit() {
  cat <<'UNIT'
[Unit]
Description=Plimsoll agent: sends a report when one is due

[Timer]
OnActiveSec=1min
OnUnitInactiveSec=15min
RandomizedDelaySec=5min

[Install]
WantedBy=timers.target
UNIT
}

# Minutes of its own, so that not all hosts come at once.
cron_table() {
  minute=$(random_below 15)
  cat <<TABLE
SHELL=/bin/sh
$minute-59/15 * * * * $agent_user $installed run --if-due 2>&1 | logger -t plimsoll-agent
TABLE
}

# Everything that install made. What the server knows of the host stays there.
uninstall() {
  is_root || fail 'uninstalling needs root'
  [ ! -d /run/systemd/system ] || systemctl disable --now plimsoll-agent.timer
  rm -f /etc/systemd/system/plimsoll-agent.service /etc/systemd/system/plimsoll-agent.timer /etc/cron.d/plimsoll-agent
  [ ! -d /run/systemd/system ] || systemctl daemon-reload
  rm -rf /var/lib/plimsoll-agent
  rm -f "$installed"
  ! id "$agent_user" >/dev/null 2>&1 || userdel "$agent_user" || fail "cannot remove the user $agent_user"
  say 'uninstalled; the server keeps what it knows of this host until the host is deleted there'
}
