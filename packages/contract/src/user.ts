import { userRoles } from '@plimsoll/model';
import { z } from 'zod';
import { hostTags, id, text, timestamp } from './field-types.ts';

/** A user who can sign in. */
export const userSchema = z
  .strictObject({
    id,
    email: z.string(),
    name: z.string(),
    role: z.enum(userRoles),
    tags: z
      .array(z.string())
      .nullable()
      .describe('Only hosts with at least one of these exist for the user. Null: every host does.'),
    created_at: timestamp,
  })
  .meta({ id: 'User' });

export type User = z.output<typeof userSchema>;

/** A user as shown to admins. */
export const userAccountSchema = z
  .strictObject({
    ...userSchema.shape,
    has_second_factor: z.boolean().describe('Signing in with the password needs a second factor.'),
    disabled: z.boolean().describe('The user cannot sign in; all tokens are revoked.'),
    provider: z
      .string()
      .nullable()
      .describe('The issuer of the OpenID Connect provider that the user signs in with; null: none.'),
    access_withdrawn_at: timestamp
      .nullable()
      .describe(
        'Since when the provider grants the user nothing: API keys do not work. Null: it does, or none.',
      ),
    last_login_at: timestamp.nullable().describe('Null if no sign-in is recorded.'),
  })
  .meta({ id: 'UserAccount' });

export type UserAccount = z.output<typeof userAccountSchema>;

/** The answer to a successful sign-in. */
export const signedInSchema = z
  .strictObject({ token: z.string(), expires_at: timestamp, user: userSchema })
  .meta({ id: 'SignedIn' });

export type SignedIn = z.output<typeof signedInSchema>;

/** bcrypt reads 72 bytes and stops at a NUL: longer text or NUL is refused, never cut. */
export const maxPasswordBytes = 72;
const minPasswordCharacters = 12;

/** Returns why a text cannot become a password, or null. */
export function passwordFault(password: string): string | null {
  if ([...password].length < minPasswordCharacters) {
    return `must have at least ${minPasswordCharacters} characters`;
  }
  if (new TextEncoder().encode(password).length > maxPasswordBytes) {
    return `must have at most ${maxPasswordBytes} bytes in UTF-8`;
  }
  return /[\0\p{Cs}]/u.test(password) ? 'must not contain NUL or unpaired surrogates' : null;
}

/** A new password. */
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

/** A password to verify. Any text, because form does not decide whether it is correct. */
export const shownPassword = z.string().max(1024).meta({ format: 'password' });

/** An e-mail address, parsed to lower case; accepts `admin@localhost`. */
const email = text(3, 254)
  .refine((value) => /^[^\s@]{1,64}@[^\s@]+$/.test(value), { error: 'must be an e-mail address' })
  .transform((value) => value.toLowerCase())
  .meta({ format: 'email', description: 'Compared in lower case.' });

/** Returns an e-mail address in its stored form, lower case; null if it is invalid. */
export function parseEmail(value: string): string | null {
  return email.safeParse(value).data ?? null;
}

/** The tags that a user or an API key is limited to; null: not limited. An empty list is refused as a likely mistake. */
export const scopeTags = hostTags
  .refine((tags) => tags.length > 0, { error: 'must name a tag; null removes the limit' })
  .nullable()
  .describe(
    'Only hosts with at least one of these exist for it. Null: not limited. An admin is never limited.',
  );

export const refreshCookie = z
  .literal(true)
  .optional()
  .describe('For browsers: a short access token, and a refresh token in a cookie (`POST /auth/refresh`).');

/** A request that creates the first user. */
export const setupSchema = z.strictObject({
  email,
  password: newPassword,
  name: text(0, 200).optional(),
  refresh_cookie: refreshCookie,
  setup_code: z.string().max(1024).optional().describe('Required if the setting `api.setup_code` is set.'),
});

/** A request that creates a user. */
export const newUserSchema = z.strictObject({
  email,
  password: newPassword,
  name: text(0, 200).optional(),
  role: z.enum(userRoles),
  tags: scopeTags.default(null),
});

/** Fields of a user that an admin can change. */
export const userChangesSchema = z.strictObject({
  email: email.optional(),
  name: text(0, 200).optional(),
  role: z.enum(userRoles).optional(),
  tags: scopeTags.optional(),
  disabled: z.boolean().optional(),
  password: newPassword.optional(),
});

/** A sign-in request. */
export const loginSchema = z.strictObject({ email, password: shownPassword, refresh_cookie: refreshCookie });

/** A request that changes the caller's own password. */
export const passwordChangeSchema = z.strictObject({
  current_password: shownPassword,
  new_password: newPassword,
});

const invitationFields = {
  id,
  email: z.string(),
  name: z.string(),
  role: z.enum(userRoles),
  tags: z.array(z.string()).nullable().describe('As of users.'),
  invited_by: z.string().describe('The e-mail address of the admin, at that time.'),
  created_at: timestamp,
  expires_at: timestamp,
};

/** An open invitation; its token is no longer available. */
export const invitationSchema = z.strictObject(invitationFields).meta({ id: 'Invitation' });

export type Invitation = z.output<typeof invitationSchema>;

/** A new invitation with its token, which is shown only once. */
export const issuedInvitationSchema = z
  .strictObject({
    ...invitationFields,
    token: z.string(),
    url: z
      .string()
      .describe('For the invited person. The token is behind the `#`, so that no server logs it.'),
  })
  .meta({ id: 'IssuedInvitation' });

export type IssuedInvitation = z.output<typeof issuedInvitationSchema>;

/** A request that invites a user. */
export const newInvitationSchema = z.strictObject({
  email,
  name: text(0, 200).optional(),
  role: z.enum(userRoles),
  tags: scopeTags.default(null),
  expires_in_hours: z.int().min(1).max(720).default(72),
});

/** A request that accepts an invitation. */
export const acceptInvitationSchema = z.strictObject({
  token: z.string().max(200),
  name: text(0, 200).optional().describe('Missing: the name in the invitation.'),
  password: newPassword,
  refresh_cookie: refreshCookie,
});
