/** Accounts whose name and folder say that they are somebody's already. */
const taken = new Set(['root', 'daemon', 'bin', 'sys', 'mail', 'news', 'nobody', 'www-data', 'sshd']);

/**
 * What root runs on a host to make the account that is pulled by, with the line of its authorized_keys (docs/ssh.md).
 * The account's folder is root's, so that not even the account can change what its key opens. Nothing is done where the
 * account is there already. Null for a name that is no plain account to be made.
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
