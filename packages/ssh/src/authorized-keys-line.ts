/** Largest collector that a line reads, bytes. */
export const collectorLimitBytes = 262_144;

/** Exit status of a host that refuses what it was sent, because its line pins another script. */
export const pinStatus = 78;

/** What the word before a pin is, on standard output. */
export const pinWord = 'plimsoll-pin';

/** What the command says on standard error where no line restricts the key. */
export const unpinnedWord = 'plimsoll-unpinned';

const patienceWord = 'plimsoll-collect';

/**
 * Nothing of the login's environment gets through, above all no function and no file that a shell would load. An
 * absolute path, since bash takes functions from the environment, but none with a slash in the name.
 */
const emptyEnvironment = '/usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C /bin/sh -c';

/**
 * The line for authorized_keys: with it, the key runs a script from standard input only if the script's SHA-256 is
 * the one given; everything else prints `plimsoll-pin` with that hash and ends with status 78. `publicKeyLine` is
 * what openSshPublicKey gives. Needs OpenSSH 7.2 (`restrict`) and sh, env, timeout, head and sha256sum on the host.
 *
 * What the client asked for decides only how long its input is waited for, never what runs. It is read by the
 * account's login shell inside double quotes, where no shell evaluates a variable's content; csh and tcsh refuse a
 * session without a command by themselves.
 *
 * Not covered: an sshd whose AcceptEnv lets a client set what the account's login shell obeys before it reads the
 * command, such as BASH_ENV and functions with bash, ZDOTDIR with zsh, LD_PRELOAD with any. And the account's own
 * start files run before the command does, as with every login.
 */
export function authorizedKeysLine(publicKeyLine: string, collectorSha256: string): string {
  if (!/^ssh-ed25519 [A-Za-z0-9+/]+={0,2}( [\x20-\x7e]*)?$/.test(publicKeyLine)) {
    throw new RangeError('not the line of an ed25519 public key');
  }
  const command = `${emptyEnvironment} '${checkAndRun(collectorSha256)}' sh "$SSH_ORIGINAL_COMMAND"`;
  return `restrict,command="${command.replaceAll('"', '\\"')}" ${publicKeyLine}`;
}

/**
 * The command to ask sshd for, before the collector goes to its standard input. Where a line restricts the key,
 * sshd runs the line's command instead; where none does, this one makes the same check, so that a script that
 * arrives cut off does not run, and says `plimsoll-unpinned` on standard error first.
 */
export function collectorCommand(collectorSha256: string): string {
  return `${emptyEnvironment} 'echo ${unpinnedWord} >&2; ${checkAndRun(collectorSha256)}' sh ${patienceWord}`;
}

/**
 * The shell text that checks and runs. The rules it keeps: no single quote, backslash or exclamation mark, which
 * login shells take differently; one `head` only, since some read more than they are told to; the x keeps the
 * script's last line breaks; the script goes through builtins only, since an argument is limited to 128 KiB; the
 * client's words are dropped before the script runs, and the script has no standard input.
 */
function checkAndRun(collectorSha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(collectorSha256)) throw new RangeError('not a SHA-256 in hexadecimal');
  return [
    // Clients for files say first what they are, or wait to be spoken to: they are answered at once.
    `case "$1" in *${patienceWord}*) t=60;; *sftp*|scp*|rsync*) t=;; *) t=1;; esac`,
    'set --',
    `s=$(if [ "$t" ]; then timeout "$t" head -c ${collectorLimitBytes}; fi; echo x)`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, not ours.
    's=${s%x}',
    'h=$(printf %s "$s" | sha256sum)',
    `if [ "\${h%% *}" = ${collectorSha256} ]; then eval "$s" </dev/null; else echo ${pinWord} ${collectorSha256}; exit ${pinStatus}; fi`,
  ].join('; ');
}
