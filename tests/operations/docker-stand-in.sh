#!/bin/sh
# Stands in for an engine of containers: runs what `docker compose exec` and `run` name on this machine, with the database
# of the service in data/, and the volumes of docker-compose.yml in volumes/. Notes what it was asked for.
set -eu
printf '%s\n' "$*" >>docker.log
here() {
  printf '%s' "$1" | sed "s|/var/lib/plimsoll|$PWD/volumes|g; s|/import/|$PWD/|g"
}
case "$*" in
"compose run --rm -T backup "*)
  shift 5
  export PLIMSOLL_SSH_SEALING_KEYS_FILE="$PWD/volumes/sealing-keys/keys"
  export PLIMSOLL_SSH_SEALING_PUBLIC_KEY_FILE="$PWD/volumes/sealing-public-key/key"
  exec "$@"
  ;;
"compose run --rm --volume $PWD:/import:ro migrate "*)
  shift 6
  exec "$1" "$2" "$3" "$(here "$4")" "$5"
  ;;
"compose up "* | "compose stop "*) ;;
*)
  echo "docker $*: not known here" >&2
  exit 64
  ;;
esac
