import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Runs a command as a user without any privileges. */
export const asNobody = 'setpriv --reuid 65534 --regid 65534 --clear-groups';

const pull = `exec ${asNobody} env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C "$@" -c "$(cat /host/line)" </host/collector.sh`;

/**
 * For a private host with collector.sh in `folder`: the script `/host/pull SHELL` runs it in SHELL as a line in
 * authorized_keys does, from standard input and only if it is the pinned one.
 */
export function writePull(folder: string): void {
  const sha256 = createHash('sha256')
    .update(readFileSync(path.join(folder, 'collector.sh')))
    .digest('hex');
  writeFileSync(
    path.join(folder, 'line'),
    `s=$(timeout 60 head -c 262144; echo x); s=\${s%x}; h=$(printf %s "$s" | sha256sum)
if [ "\${h%% *}" = ${sha256} ]; then eval "$s" </dev/null; else exit 78; fi`,
  );
  writeFileSync(path.join(folder, 'pull'), pull);
}

/**
 * Shell functions: `begun` waits until the program of `makeHang` runs; `settled` waits until the pulls' last
 * process has ended, and prints the remaining ones. Neither waits as long as the time limit of a command.
 */
export const waiting = `
of_nobody() {
  find /proc -mindepth 1 -maxdepth 1 -name '[0-9]*' -user 65534 2>/dev/null
}
wait_while() {
  tries=0
  while "$@" && [ "$tries" -lt 200 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
}
not_begun() {
  [ ! -e /tmp/begun ]
}
begun() {
  wait_while not_begun
}
some_run() {
  [ -n "$(of_nobody)" ]
}
settled() {
  wait_while some_run
  for process in $(of_nobody); do tr '\\000' ' ' <"$process/cmdline"; done
  find /tmp /var/tmp -mindepth 1 -user 65534 ! -name begun
}
`;

/** Shell commands that replace a program by one that runs `first`, writes /tmp/begun and hangs. */
export function makeHang(program: string, first = ''): string {
  return `printf '%s\\n' '#!/bin/sh' '${first}' ': >/tmp/begun' 'sleep 600 & wait' >${program}; chmod 755 ${program}`;
}
