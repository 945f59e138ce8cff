import { AppError } from '@plimsoll/model';
import { appSecretTexts, newAppSecret, provedStep } from '../src/second-factors/authenticator-app.ts';
import { createFactorSecrets } from '../src/second-factors/factor-secrets.ts';
import { newRecoveryCodes, recoveryDigest } from '../src/second-factors/recovery-codes.ts';
import { passkeyPlaceOf } from '../src/second-factors/relying-party.ts';

/** RFC 6238, appendix B: the secret of the SHA-1 rows, their times in seconds, and the last six digits of their codes. */
const rfcSecret = Buffer.from('12345678901234567890');
const rfcCodes: readonly (readonly [number, string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];
const at = (seconds: number): Date => new Date(seconds * 1000);

describe('a code of an authenticator app', () => {
  it.each(rfcCodes)('at %d seconds is %s, as RFC 6238 says', (seconds, code) => {
    expect(provedStep(rfcSecret, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it('is accepted one step before and after its own, and names its own step', () => {
    const [seconds, code] = [1_111_111_111, '050471'] as const;
    const steps = [-60, -30, 0, 30, 60].map((offset) => provedStep(rfcSecret, code, at(seconds + offset)));
    expect(steps).toEqual([null, 37_037_037, 37_037_037, 37_037_037, null]);
  });

  it.each(['', '05047', '0504711', '05047a', '٠٥٠٤٧١', '050472', '-50471'])('is not %j', (code) => {
    expect(provedStep(rfcSecret, code, at(1_111_111_111))).toBeNull();
  });

  it('may contain spaces', () => {
    expect(provedStep(rfcSecret, ' 050 471 ', at(1_111_111_111))).toBe(37_037_037);
  });
});

it('the secret of an app has 160 bits, and its URI names account and service', () => {
  const secret = newAppSecret();
  expect(secret).toHaveLength(20);
  const texts = appSecretTexts(rfcSecret, { email: 'ada@example.org', issuer: 'Plimsoll p.example.org' });
  expect(texts.secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const uri = new URL(texts.uri);
  expect(uri.protocol + uri.host).toBe('otpauth:totp');
  expect(decodeURIComponent(uri.pathname)).toBe('/Plimsoll p.example.org:ada@example.org');
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Plimsoll p.example.org',
    secret: texts.secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

describe('recovery codes', () => {
  it('are ten different ones of 100 bits', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{5}(-[A-Z2-7]{5}){3}$/);
  });

  it('are the same however they are typed, and differ between users', () => {
    const digest = recoveryDigest('ada', 'ABCDE-FGHIJ-KLMNO-PQRST');
    expect(recoveryDigest('ada', ' abcde fghij klmno pqrst')).toEqual(digest);
    expect(recoveryDigest('eve', 'ABCDE-FGHIJ-KLMNO-PQRST')).not.toEqual(digest);
    expect(recoveryDigest('ada', 'ABCDE-FGHIJ-KLMNO-PQRSU')).not.toEqual(digest);
  });
});

describe('sealed secrets', () => {
  const [older, newer] = [
    'an older key of 32 bytes or longer',
    'a newer key of 32 bytes or longer!',
  ] as const;
  const secret = Buffer.from('12345678901234567890');

  it('open with the key and for the user they were sealed for', () => {
    const secrets = createFactorSecrets([older]);
    const box = secrets.seal('ada', secret);
    expect(Buffer.from(box).includes(secret)).toBe(false);
    expect(secrets.open('ada', box)).toEqual(secret);
    expect(() => secrets.open('eve', box)).toThrow(AppError);
  });

  it('open with the key before until they are sealed again', () => {
    const box = createFactorSecrets([older]).seal('ada', secret);
    const rotated = createFactorSecrets([newer, older]);
    expect(rotated.isCurrent(box)).toBe(false);
    expect(rotated.open('ada', box)).toEqual(secret);
    const again = rotated.seal('ada', secret);
    expect(rotated.isCurrent(again)).toBe(true);
    expect(createFactorSecrets([newer]).open('ada', again)).toEqual(secret);
  });

  it('say what to do when their key is gone', () => {
    const box = createFactorSecrets([older]).seal('ada', secret);
    expect(() => createFactorSecrets([newer]).open('ada', box)).toThrow(/api\.jwt_secret_key was replaced/);
  });
});

describe('passkeys', () => {
  it.each([
    ['https://plimsoll.example.org', 'plimsoll.example.org', 'https://plimsoll.example.org'],
    [
      'https://plimsoll.example.org:8443/patches',
      'plimsoll.example.org',
      'https://plimsoll.example.org:8443',
    ],
    ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
  ])('belong to the name of %s', (url, id, origin) => {
    expect(passkeyPlaceOf(url)).toEqual({ party: { id, origin }, refused: null });
  });

  it.each([
    [null, 'api.public_url is not set'],
    ['http://plimsoll.example.org', 'only over https'],
    ['http://localhost.example.org', 'only over https'],
    ['https://192.0.2.7', 'IP address'],
    ['https://[2001:db8::1]:8443', 'IP address'],
  ])('cannot be used under %s', (url, why) => {
    const { party, refused } = passkeyPlaceOf(url);
    expect([party, refused]).toEqual([null, expect.stringContaining(why)]);
  });
});
