# status: the agent's state in sentences. Exits with 0 if all is well.
status() {
  echo "plimsoll-agent $version"
  require_enrolled
  echo "enrolled at $(kept server) as host $(kept host-id), a report every $(kept interval) seconds"
  sent=$(kept sent)
  echo "last report sent: ${sent:-none yet}"
  [ -z "$(unsent)" ] || echo 'a report waits to be sent'
  newest=$(kept newest-version)
  case $newest in
    '' | null | "$version") ;;
    *) echo "the server has version $newest; the agent does not update itself" ;;
  esac
  if [ -s "$state/stopped" ]; then
    echo "STOPPED: $(kept stopped)"
    return 1
  elif [ -s "$state/failure" ]; then
    echo "last failure: $(kept failure)"
    return 1
  fi
}
