# The systemd units: the timer, the agent, and the reader of /proc, which the agent's unit starts before itself.
unit_folder=/etc/systemd/system
agent_units='plimsoll-agent.timer plimsoll-agent.service plimsoll-agent-processes.service'

# Writes the units for this host, and removes the reader's if reading processes is off.
write_units() {
  rm -f "$unit_folder/plimsoll-agent-processes.service"
  timer_unit >"$unit_folder/plimsoll-agent.timer" || return
  service_unit >"$unit_folder/plimsoll-agent.service" || return
  if reading_is_on; then
    processes_unit >"$unit_folder/plimsoll-agent-processes.service" || return
  fi
  for unit in $agent_units; do
    [ ! -e "$unit_folder/$unit" ] || chmod 644 "$unit_folder/$unit" || return
  done
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

# The user can read what every user can read, and has no capabilities.
service_unit() {
  cat <<UNIT
[Unit]
Description=Plimsoll agent: reports this host's patch state
Documentation=file:$installed
Wants=network-online.target
After=network-online.target
UNIT
  if reading_is_on; then
    echo 'Wants=plimsoll-agent-processes.service'
    echo 'After=plimsoll-agent-processes.service'
  fi
  cat <<UNIT

[Service]
Type=oneshot
ExecStart=$installed run --if-due
User=$agent_user
Group=$agent_user
StateDirectory=plimsoll-agent
StateDirectoryMode=0700
UMask=0077
TimeoutStartSec=30min
MemoryMax=1G
TasksMax=128
LimitFSIZE=512M
AmbientCapabilities=
CapabilityBoundingSet=
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
UNIT
  hardening
}

# CAP_SYS_PTRACE shows every process's files. The separate user keeps /proc/PID/mem and the agent's token inaccessible;
# the filter, every other way to change a process. The result exists until the agent's unit ends, because of
# StopWhenUnneeded and RemainAfterExit. An old systemd that does not know the word "none" uses the line before it.
processes_unit() {
  cat <<UNIT
[Unit]
Description=Plimsoll agent: reads which files the processes of this host use
Documentation=file:$installed
StopWhenUnneeded=yes

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=$installed processes
User=$reader_user
Group=$agent_user
RuntimeDirectory=${reader_folder#/run/}
RuntimeDirectoryMode=0750
UMask=0077
TimeoutStartSec=2min
MemoryMax=256M
TasksMax=32
LimitFSIZE=128M
AmbientCapabilities=CAP_SYS_PTRACE
CapabilityBoundingSet=CAP_SYS_PTRACE
InaccessiblePaths=-/var/lib -/var/log -/var/spool -/boot -/srv -/mnt -/media
MemoryDenyWriteExecute=yes
RemoveIPC=yes
PrivateIPC=yes
PrivateNetwork=yes
IPAddressDeny=any
RestrictAddressFamilies=AF_UNIX
RestrictAddressFamilies=none
SystemCallFilter=~@network-io @privileged @resources
UNIT
  hardening
}

# Common to both units. System calls are forbidden by name rather than allowed: an old systemd that does not know the
# groups would allow none. The single names are the ways to read or change another process, in any group.
hardening() {
  cat <<'UNIT'
Nice=10
NoNewPrivileges=yes
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
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @debug @keyring @module @mount @obsolete @raw-io @reboot @swap
SystemCallFilter=~ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp
SystemCallFilter=~pidfd_open pidfd_getfd perf_event_open bpf userfaultfd
SystemCallFilter=~io_uring_setup io_uring_enter io_uring_register
SystemCallErrorNumber=EPERM
UNIT
}
