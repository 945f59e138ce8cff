import { Secret, TOTP } from 'otpauth';
import { type ApiUnderTest, adminEmail, adminPassword } from './api-under-test.ts';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from './software-authenticator.ts';

/** The public URL of the tests with passkeys. */
export const publicUrl = 'https://plimsoll.example.org';
/** Where its passkeys work. */
export const place = { rpId: 'plimsoll.example.org', origin: publicUrl } as const;

/** What an authenticator app shows at a time. */
export function codeAt(secret: string, time: Date): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
  return totp.generate({ timestamp: time.getTime() });
}

/** Sends an e-mail address and a password. */
export function logIn(api: ApiUnderTest, email = adminEmail, password = adminPassword) {
  return api.post('/api/v1/auth/login', { json: { email, password } });
}

/** Sets up an authenticator app; returns its secret and the recovery codes of a first factor. */
export async function addApp(
  api: ApiUnderTest,
  token: string,
): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  const begun = await api.post('/api/v1/auth/totp', { token });
  expect(begun.status).toBe(201);
  const { secret } = begun.body;
  const code = codeAt(secret, api.context.clock());
  const confirmed = await api.post('/api/v1/auth/totp/confirm', { token, json: { code } });
  expect(confirmed.status).toBe(200);
  return { secret, codes: confirmed.body.recovery_codes ?? [] };
}

/** Adds a passkey on a new authenticator. */
export async function addPasskey(
  api: ApiUnderTest,
  token: string,
  name = 'laptop',
): Promise<{
  readonly device: SoftwareAuthenticator;
  readonly id: string;
  readonly codes: readonly string[];
}> {
  const device = createSoftwareAuthenticator(place);
  const { options } = (await api.post('/api/v1/auth/passkeys/options', { token })).body;
  const added = await api.post('/api/v1/auth/passkeys', {
    token,
    json: { name, challenge: options.challenge, credential: device.create(options) },
  });
  expect(added.status).toBe(201);
  return { device, id: added.body.passkey.id, codes: added.body.recovery_codes ?? [] };
}

/** The audit actions of a user or of everybody, newest first. */
export async function actionsOf(api: ApiUnderTest, targetId: string): Promise<readonly string[]> {
  const events = await api.admin.get(`/api/v1/audit-events?target_id=${targetId}&limit=1000`);
  expect(events.status).toBe(200);
  return events.body.map(({ action }: { action: string }) => action);
}
