/** Size limit of a collector behind a line, in bytes. */
export const collectorLimitBytes = 262_144;

/** Exit status of a host that refuses a script because its line pins another one. */
export const pinStatus = 78;

/** The word before a pin on standard output. */
export const pinWord = 'plimsoll-pin';

/** The word that the command prints on standard error if no line restricts the key. */
export const unpinnedWord = 'plimsoll-unpinned';

const patienceWord = 'plimsoll-collect';

/**
 * Removes the login's environment, in particular functions and files that a shell would load. The path is absolute,
 * because bash takes functions from the environment, but none with a slash in the name.
 */
const emptyEnvironment = '/usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C /bin/sh -c';

/**
 * The line for authorized_keys: with it, the key runs a script from standard input only if the script has the given
 * SHA-256; everything else prints `plimsoll-pin` with that hash and ends with status 78. `publicKeyLine` comes from
 * openSshPublicKey. Requires OpenSSH 7.2 (`restrict`) and sh, env, timeout, head and sha256sum on the host.
 *
 * The client's request decides only how long the host waits for input, never what runs. The account's login shell reads
 * it inside double quotes, where no shell evaluates a variable's content; csh and tcsh themselves refuse a session
 * without a command.
 *
 * Not covered: an sshd whose AcceptEnv lets a client set variables that the login shell obeys before it reads the
 * command, such as BASH_ENV and functions with bash, ZDOTDIR with zsh, LD_PRELOAD with any. Also, the account's own
 * start files run before the command, as with every login.
 */
export function authorizedKeysLine(publicKeyLine: string, collectorSha256: string): string {
  if (!/^ssh-ed25519 [A-Za-z0-9+/]+={0,2}( [\x20-\x7e]*)?$/.test(publicKeyLine)) {
    throw new RangeError('not the line of an ed25519 public key');
  }
  const command = `${emptyEnvironment} '${checkAndRun(collectorSha256)}' sh "$SSH_ORIGINAL_COMMAND"`;
  return `restrict,command="${command.replaceAll('"', '\\"')}" ${publicKeyLine}`;
}

/**
 * The command to request from sshd before sending the collector to its standard input. If a line restricts the key,
 * sshd runs the line's command instead; otherwise this one makes the same check, so that a truncated script does not
 * run, and first prints `plimsoll-unpinned` on standard error.
 */
export function collectorCommand(collectorSha256: string): string {
  return `${emptyEnvironment} 'echo ${unpinnedWord} >&2; ${checkAndRun(collectorSha256)}' sh ${patienceWord}`;
}

/**
 * The shell text that checks and runs the script. Its rules: no single quote, backslash or exclamation mark, which
 * login shells interpret differently; a single `head`, because some implementations read more than requested; the x
 * preserves the script's last line breaks; the script passes through builtins only, because an argument is limited to
 * 128 KiB; the client's words are dropped before the script runs, and the script has no standard input.
 */
function checkAndRun(collectorSha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(collectorSha256)) throw new RangeError('not a SHA-256 in hexadecimal');
  return [
    // Clients for file transfer first identify themselves or wait for the server, so they are answered at once.
    `case "$1" in *${patienceWord}*) t=60;; *sftp*|scp*|rsync*) t=;; *) t=1;; esac`,
    'set --',
    `s=$(if [ "$t" ]; then timeout "$t" head -c ${collectorLimitBytes}; fi; echo x)`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, not ours.
    's=${s%x}',
    'h=$(printf %s "$s" | sha256sum)',
    `if [ "\${h%% *}" = ${collectorSha256} ]; then eval "$s" </dev/null; else echo ${pinWord} ${collectorSha256}; exit ${pinStatus}; fi`,
  ].join('; ');
}
