import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** The parameters that every authenticator app supports; many ignore others (RFC 6238, Google's key URI format). */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps before and after the present one whose codes are accepted: clocks differ, and typing takes time. */
const window = 1;

/** A new secret: 160 random bits, as RFC 4226 recommends. */
export function newAppSecret(): Buffer {
  return randomBytes(20);
}

/** A secret as text to type and as an `otpauth://` URI for a QR code. */
export function appSecretTexts(
  secret: Uint8Array,
  { email, issuer }: { readonly email: string; readonly issuer: string },
): { readonly secret: string; readonly uri: string } {
  const totp = new TOTP({ ...parameters, issuer, label: email, secret: secretOf(secret) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The time step whose code this is, at most one step from the present one; null: it is a wrong code. */
export function provedStep(secret: Uint8Array, code: string, now: Date): number | null {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...parameters, token: digits, secret: secretOf(secret), timestamp, window });
  return delta === null ? null : TOTP.counter({ period: parameters.period, timestamp }) + delta;
}

function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
