import { z } from 'zod';

const maxUserCharacters = 128;

/**
 * A name to sign in with: POSIX names and what directories make of them, `DOMAIN\user`, `DOMAIN+user`, `user@domain`.
 * Nothing in it means anything to a shell but that one backslash.
 */
export const sshUser = z
  .string()
  .superRefine((name, context) => {
    const fault = sshUserFault(name);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ minLength: 1, maxLength: maxUserCharacters });

/** Why a text cannot be the name of a user, or null. */
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

/** Of a host key, as ssh-keygen prints it: SHA-256 in base64, whose last character carries two bits that are zero. */
const printed = /^(SHA256:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048])=?$/;

/** A fingerprint somebody typed; white space around it and the `=` that some tools print are dropped. */
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
