# The collector for this host. Some rpm hosts have an empty dpkg, and some Debian hosts an empty rpm.
family() {
  if has dpkg-query && [ -s /var/lib/dpkg/status ]; then
    echo apt
  elif has rpm; then
    echo rpm
  else
    echo 'plimsoll: this host has neither dpkg nor rpm; other package managers are not supported' >&2
    return 1
  fi
}

# The report of this host's family.
collect_report() {
  family=$(family) || return
  note_dnf_folder
  report "$family"
}
