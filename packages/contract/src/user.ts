import { userRoles } from '@plimsoll/model';
import { z } from 'zod';
import { id, text, timestamp } from './field-types.ts';

/** Someone who can sign in. */
export const userSchema = z
  .strictObject({
    id,
    email: z.string(),
    name: z.string(),
    role: z.enum(userRoles),
    created_at: timestamp,
  })
  .meta({ id: 'User' });

/** What `userSchema` lets through. */
export type User = z.output<typeof userSchema>;

/** A user as admins see them. */
export const userAccountSchema = z
  .strictObject({
    ...userSchema.shape,
    disabled: z.boolean().describe('Cannot sign in; every token they had has ended.'),
    last_login_at: timestamp.nullable().describe('Null before the first since this is kept.'),
  })
  .meta({ id: 'UserAccount' });

/** What `userAccountSchema` lets through. */
export type UserAccount = z.output<typeof userAccountSchema>;

/** The answer to a successful sign-in. */
export const signedInSchema = z
  .strictObject({ token: z.string(), expires_at: timestamp, user: userSchema })
  .meta({ id: 'SignedIn' });

/** What `signedInSchema` lets through. */
export type SignedIn = z.output<typeof signedInSchema>;

/** bcrypt reads 72 bytes and stops at a NUL: what it would not read is refused, never cut. */
export const maxPasswordBytes = 72;
const minPasswordCharacters = 12;

/** Why a text cannot become a password, or null. */
export function passwordFault(password: string): string | null {
  if ([...password].length < minPasswordCharacters) {
    return `must have at least ${minPasswordCharacters} characters`;
  }
  if (new TextEncoder().encode(password).length > maxPasswordBytes) {
    return `must have at most ${maxPasswordBytes} bytes in UTF-8`;
  }
  return /[\0\p{Cs}]/u.test(password) ? 'must not contain NUL or unpaired surrogates' : null;
}

/** A password that somebody chooses. */
const newPassword = z
  .string()
  .superRefine((password, context) => {
    const fault = passwordFault(password);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({
    minLength: minPasswordCharacters,
    format: 'password',
    description: `At most ${maxPasswordBytes} bytes in UTF-8.`,
  });

/** A password that somebody shows. Any text: whether it is the right one is not a matter of form. */
const shownPassword = z.string().max(1024).meta({ format: 'password' });

/** An e-mail address, in lower case after parsing; `admin@localhost` is one. */
const email = text(3, 254)
  .refine((value) => /^[^\s@]{1,64}@[^\s@]+$/.test(value), { error: 'must be an e-mail address' })
  .transform((value) => value.toLowerCase())
  .meta({ format: 'email', description: 'Compared in lower case.' });

/** An e-mail address as it is stored, in lower case; null for a text that is not one. */
export function parseEmail(value: string): string | null {
  return email.safeParse(value).data ?? null;
}

/** What creates the first user. */
export const setupSchema = z.strictObject({
  email,
  password: newPassword,
  name: text(0, 200).optional(),
  setup_code: z.string().max(1024).optional().describe('Required where the setting `api.setup_code` is set.'),
});

/** What creates a user. */
export const newUserSchema = z.strictObject({
  email,
  password: newPassword,
  name: text(0, 200).optional(),
  role: z.enum(userRoles),
});

/** What an admin may change of a user. */
export const userChangesSchema = z.strictObject({
  email: email.optional(),
  name: text(0, 200).optional(),
  role: z.enum(userRoles).optional(),
  disabled: z.boolean().optional(),
  password: newPassword.optional(),
});

/** What signs in. */
export const loginSchema = z.strictObject({ email, password: shownPassword });

/** What changes one's own password. */
export const passwordChangeSchema = z.strictObject({
  current_password: shownPassword,
  new_password: newPassword,
});
