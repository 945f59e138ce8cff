import { z } from 'zod';
import { count, id, text, timestamp } from './field-types.ts';
import { refreshCookie, shownPassword } from './user.ts';

/** A challenge: 32 random bytes in base64url. */
const challenge = z
  .string()
  .max(200)
  .describe('From the answer before; it is accepted once, for five minutes.');

const credentialDescriptor = z.strictObject({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});

/** WebAuthn Level 3, section 5.5, as JSON: for `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
const requestOptionsSchema = z
  .strictObject({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.string(),
    allowCredentials: z.array(credentialDescriptor),
  })
  .meta({ id: 'PasskeyRequestOptions' });

export type PasskeyRequestOptions = z.output<typeof requestOptionsSchema>;

/** WebAuthn Level 3, section 5.4, as JSON: for `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
const creationOptionsSchema = z
  .strictObject({
    challenge: z.string(),
    rp: z.strictObject({ id: z.string(), name: z.string() }),
    user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.strictObject({ alg: z.int(), type: z.literal('public-key') })),
    timeout: z.int(),
    attestation: z.literal('none'),
    excludeCredentials: z.array(credentialDescriptor),
    authenticatorSelection: z.strictObject({ residentKey: z.string(), userVerification: z.string() }),
  })
  .meta({ id: 'PasskeyCreationOptions' });

export type PasskeyCreationOptions = z.output<typeof creationOptionsSchema>;

/** The longest base64url text of a browser's answer: public keys and statements have a few kilobytes at most. */
const encoded = z.string().max(32_768);

/** What `navigator.credentials.get()` answers, as JSON. Browsers may say more. */
export const passkeyAnswerSchema = z
  .looseObject({
    id: encoded,
    rawId: encoded,
    type: z.literal('public-key'),
    response: z.looseObject({
      clientDataJSON: encoded,
      authenticatorData: encoded,
      signature: encoded,
      userHandle: encoded.optional(),
    }),
    clientExtensionResults: z.looseObject({}),
  })
  .meta({ id: 'PasskeyAnswer' });

export type PasskeyAnswer = z.output<typeof passkeyAnswerSchema>;

/** What `navigator.credentials.create()` answers, as JSON. Browsers may say more. */
const newCredentialSchema = z
  .looseObject({
    id: encoded,
    rawId: encoded,
    type: z.literal('public-key'),
    response: z.looseObject({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: z.array(z.string().max(32)).max(16).optional(),
    }),
    clientExtensionResults: z.looseObject({}),
  })
  .meta({ id: 'NewCredential' });

export type NewCredentialAnswer = z.output<typeof newCredentialSchema>;

/** The ways to prove a second factor. */
export const secondFactorMethods = ['totp', 'recovery_code', 'passkey'] as const;

/** One of `secondFactorMethods`. */
export type SecondFactorMethod = (typeof secondFactorMethods)[number];

const proofs = {
  totp: z.string().max(32).optional().describe('The six digits that the authenticator app shows now.'),
  recovery_code: z.string().max(64).optional().describe('One of the recovery codes, which is used up.'),
  passkey: passkeyAnswerSchema.optional(),
};

/** Exactly one of several optional fields is given. */
function oneOf(fields: readonly string[]) {
  return {
    holds: (value: Readonly<Record<string, unknown>>): boolean =>
      fields.filter((field) => value[field] !== undefined).length === 1,
    error: `must have exactly one of ${fields.join(', ')}`,
  };
}

const oneProof = oneOf(secondFactorMethods);

/** The second step of a sign-in. */
export const secondFactorSchema = z
  .strictObject({ challenge, ...proofs, refresh_cookie: refreshCookie })
  .refine(oneProof.holds, { error: oneProof.error });

/** A sign-in with a passkey alone. */
export const passkeySignInSchema = z.strictObject({
  challenge,
  passkey: passkeyAnswerSchema,
  refresh_cookie: refreshCookie,
});

const oneAgain = oneOf(['password', ...secondFactorMethods]);

/** A proof by a user who is signed in. */
export const reauthenticationSchema = z
  .strictObject({
    password: shownPassword.optional(),
    ...proofs,
    challenge: challenge.optional().describe('With `passkey`: from `POST /auth/reauthenticate/options`.'),
  })
  .refine(oneAgain.holds, { error: oneAgain.error })
  .refine((value) => (value.passkey === undefined) === (value.challenge === undefined), {
    error: 'must have a challenge with a passkey, and only then',
    path: ['challenge'],
  });

/** The answer to a right password of a user with a second factor. */
export const secondFactorRequiredSchema = z
  .strictObject({
    second_factor_required: z.literal(true),
    challenge: challenge.describe('For `POST /auth/second-factor`: five attempts within five minutes.'),
    expires_at: timestamp,
    methods: z.array(z.enum(secondFactorMethods)),
    passkey_options: requestOptionsSchema
      .nullable()
      .describe('For `navigator.credentials.get()`; null without a passkey.'),
  })
  .meta({ id: 'SecondFactorRequired' });

export type SecondFactorRequired = z.output<typeof secondFactorRequiredSchema>;

/** A passkey as shown to its user. */
export const passkeySchema = z
  .strictObject({ id, name: z.string(), created_at: timestamp, last_used_at: timestamp.nullable() })
  .meta({ id: 'Passkey' });

export type Passkey = z.output<typeof passkeySchema>;

/** The second factors of a user, and the other ways to prove who the user is. */
export const secondFactorStateSchema = z
  .strictObject({
    required: z
      .boolean()
      .describe('The role of the user needs a second factor (setting `auth.second_factor_roles`).'),
    totp_confirmed_at: timestamp
      .nullable()
      .describe('When the authenticator app was set up; null: there is none.'),
    passkeys: z.array(passkeySchema),
    recovery_codes_left: count,
    passkeys_refused: z
      .string()
      .nullable()
      .describe('Why this service can have no passkeys; null if it can.'),
    has_password: z.boolean().describe('False: the user signs in with the OpenID Connect provider only.'),
    single_sign_on: z
      .string()
      .nullable()
      .describe(
        'The name of the OpenID Connect provider that knows the user; null: none that is configured.',
      ),
  })
  .meta({ id: 'SecondFactorState' });

export type SecondFactorState = z.output<typeof secondFactorStateSchema>;

const recoveryCodes = z.array(z.string()).describe('Shown this once; each is accepted once.');

/** New recovery codes. */
export const recoveryCodesSchema = z.strictObject({ recovery_codes: recoveryCodes });

/** The answer to the first code of an authenticator app. */
export const totpConfirmedSchema = z.strictObject({
  recovery_codes: recoveryCodes
    .nullable()
    .describe('Null if this is not the first factor: the present codes stay.'),
});

/** The secret of a new authenticator app. */
export const totpSetupSchema = z.strictObject({
  secret: z.string().describe('In base 32, to type into an app.'),
  uri: z.string().describe('The same as an `otpauth://` URI, for a QR code.'),
});

/** The first code of a new authenticator app. */
export const totpConfirmationSchema = z.strictObject({ code: z.string().max(32) });

/** Options for the use of a passkey. */
export const passkeyUseSchema = z.strictObject({ options: requestOptionsSchema });

/** Options for a new passkey. */
export const passkeyCreationSchema = z.strictObject({ options: creationOptionsSchema });

/** A request that adds a passkey. */
export const newPasskeySchema = z.strictObject({
  name: text(1, 100),
  challenge,
  credential: newCredentialSchema,
});

/** The answer to a new passkey. */
export const passkeyAddedSchema = z.strictObject({
  passkey: passkeySchema,
  recovery_codes: totpConfirmedSchema.shape.recovery_codes,
});
