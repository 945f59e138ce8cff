/** Accounts of the system, by name and home folder. */
const taken = new Set(['root', 'daemon', 'bin', 'sys', 'mail', 'news', 'nobody', 'www-data', 'sshd']);

/**
 * Commands for root that create the account for pulls, with the line of its authorized_keys (docs/ssh.md). Root owns
 * the account's home folder, so that the account cannot change what its key permits. They change nothing if the account
 * exists. Null for a name that is not a plain account name.
 */
export function accountCommands(user: string, line: string): string | null {
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(user) || taken.has(user)) return null;
  const home = `/var/lib/${user}`;
  const keys = `${home}/.ssh/authorized_keys`;
  return [
    '(',
    'set -e',
    `useradd --system --user-group --no-create-home --home-dir ${home} --shell /bin/sh --password '*' ${user}`,
    `install -d -m 755 ${home} ${home}/.ssh`,
    `cat >${keys} <<'END'`,
    line,
    'END',
    `chmod 644 ${keys}`,
    `if command -v restorecon >/dev/null; then restorecon -R ${home}; fi`,
    ')',
  ].join('\n');
}
