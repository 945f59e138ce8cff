observed_rpm() {
  observed
  rpm_refreshed
}

sections_of_rpm() {
  section os-release os_release
  section platform platform "$(rpm -E '%{_arch}' 2>/dev/null)"
  section kernel kernel
  section reboot reboot_rpm
  running_sections
  section rpm rpm_packages
  section install-only install_only
  section modules module_streams
  section updates updates
  section locks locks
  if [ -s "$scratch/locks" ]; then
    section updates-held updates_held
  fi
  section advisories advisories
  section repositories repositories
  if has subscription-manager; then
    section subscription subscription
  fi
}

# Signatures are shown, not checked: a check takes seconds, and rpm checked them when it wrote the database.
rpm_packages() {
  signature='%|DSAHEADER?{%{DSAHEADER:pgpsig}}:{%|RSAHEADER?{%{RSAHEADER:pgpsig}}:{%|SIGGPG?{%{SIGGPG:pgpsig}}:{%|SIGPGP?{%{SIGPGP:pgpsig}}:{(none)}|}|}|}|'
  # An rpm from before modules does not know their label.
  label='(none)'
  if rpm --querytags 2>/dev/null | grep -q '^MODULARITYLABEL$'; then
    label='%{MODULARITYLABEL}'
  fi
  package='%{NAME}\t%{EPOCH}\t%{VERSION}\t%{RELEASE}\t%{ARCH}\t%{SOURCERPM}\t%{VENDOR}'
  limited 60 rpm -qa --nodigest --nosignature --queryformat "$package\t$label\t%{INSTALLTIME}\t$signature\n"
}

# The names of which several versions may be installed: what dnf and zypper go by, and what dnf.conf adds.
install_only() {
  for provided in installonlypkg:kernel installonlypkg:kernel-module installonlypkg:vm multiversion:kernel; do
    provided="${provided%:*}(${provided#*:})"
    limited 20 rpm -q --whatprovides --queryformat '%{NAME}\n' "$provided" 2>/dev/null | grep -v ' '
  done | sort -u
  sed -n 's/^installonlypkgs[[:space:]]*=//p' /etc/dnf/dnf.conf /etc/yum.conf 2>/dev/null | tr ', ' '\n\n' | sed '/^$/d'
}

module_streams() {
  for file in /etc/dnf/modules.d/*.module; do
    [ ! -e "$file" ] || awk -F ' *= *' '
      $1 == "name" { name = $2 }
      $1 == "stream" { stream = $2 }
      $1 == "state" { state = $2 }
      END { if (state == "enabled") print name "\t" stream }' "$file" || return
  done
}

reboot_rpm() {
  reboot_flag
  case $(package_manager) in
    zypper) reboot_answer needs-rebooting ask needs-rebooting ;;
    yum) ! has needs-restarting || reboot_answer needs-restarting limited 60 needs-restarting -r ;;
    dnf*) reboot_answer needs-restarting ask needs-restarting -r ;;
  esac
}

# reboot_answer KEY COMMAND…: COMMAND's exit status, which is an answer or a failure, and its output, which
# distinguishes the two.
reboot_answer() {
  key=$1
  shift
  saved answer "$@"
  row "$key" "$?"
  without_ages <"$scratch/answer" | awk 'NR <= 50 { print "says\t" $0 }'
}

# Both query the registration's server; they need root, and would ask another user for its password.
subscription() {
  if ! is_root; then
    echo 'subscription-manager needs root' >&2
    return 77
  fi
  limited 20 subscription-manager identity
  status=$?
  limited 20 subscription-manager release
  return "$status"
}
