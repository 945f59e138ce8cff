import { z } from 'zod';

const maxUserCharacters = 128;

/**
 * A user name for SSH: POSIX names and names of directory services, `DOMAIN\user`, `DOMAIN+user`, `user@domain`. Only
 * the one backslash has a meaning to a shell.
 */
export const sshUser = z
  .string()
  .superRefine((name, context) => {
    const fault = sshUserFault(name);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ minLength: 1, maxLength: maxUserCharacters });

/** Returns why a text cannot be a user name, or null. */
export function sshUserFault(name: string): string | null {
  if (name === '') return 'must not be empty';
  if (name.length > maxUserCharacters) return `must have at most ${maxUserCharacters} characters`;
  if (name.startsWith('-')) return 'must not begin with "-"';
  return /^(\w[\w.-]*\\)?\w[\w.+-]*(@\w[\w.-]*)?$/.test(name)
    ? null
    : 'must be a user name of letters, digits, ".", "_", "-" and "+"; with a domain "DOMAIN\\user" or "user@domain"';
}

/** A TCP port. */
export const port = z.int().min(1).max(65_535);

/** Minutes between two pulls. */
export const frequencyMinutes = z.int().min(5).max(10_080);

/** A host key's fingerprint as ssh-keygen prints it: SHA-256 in base64; the last two bits are zero. */
const printed = /^(SHA256:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048])=?$/;

/** A fingerprint from user input; drops surrounding white space and the `=` that some tools print. */
export const fingerprint = z
  .string()
  .superRefine((typed, context) => {
    const fault = fingerprintFault(typed.trim());
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .transform((typed) => printed.exec(typed.trim())?.[1] ?? '')
  .meta({ description: '`SHA256:…`, as `ssh-keygen -lf` prints it.' });

function fingerprintFault(typed: string): string | null {
  if (printed.test(typed)) return null;
  return /^(MD5:)?([\da-f]{2}:){15}[\da-f]{2}$/i.test(typed)
    ? 'is an MD5 fingerprint, which can be forged: give the one that "ssh-keygen -lf" prints after "SHA256:"'
    : 'must be "SHA256:" and 43 characters of base64, as "ssh-keygen -lf" prints it';
}
