import {
  checkManifest,
  type EvidenceManifest,
  generateSigningKey,
  isSignedBy,
  signBytes,
  signingFingerprint,
  signingKeyOf,
  signManifest,
} from '../src/index.ts';

const manifest: EvidenceManifest = {
  format: 'plimsoll-evidence-1',
  made_at: '2026-11-23T09:00:00.000Z',
  made_by: 'a@example.org',
  subject: 'host alpha',
  from: '2026-07-01T00:00:00.000Z',
  to: '2026-10-01T00:00:00.000Z',
  complete: true,
  files: [{ name: 'a.csv', bytes: 3, sha256: 'a'.repeat(64) }],
};
const { secret, publicBytes } = generateSigningKey();
const key = signingKeyOf(secret);

it('a key has the public half that it was made with', () => {
  expect(key.publicBytes).toEqual(publicBytes);
  expect(signingFingerprint(publicBytes)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
});

it('signs as RFC 8032, section 7.1, test 2', () => {
  const known = signingKeyOf(
    Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex'),
  );
  expect(known.publicBytes.toString('hex')).toBe(
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  );
  expect(signBytes(known, Buffer.from('72', 'hex')).toString('hex')).toBe(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );
});

it('a signature holds for its bytes and key only', () => {
  const bytes = Buffer.from('bytes');
  const signature = signBytes(key, bytes);
  expect(isSignedBy(publicBytes, bytes, signature)).toBe(true);
  expect(isSignedBy(publicBytes, Buffer.from('bytez'), signature)).toBe(false);
  expect(isSignedBy(generateSigningKey().publicBytes, bytes, signature)).toBe(false);
  expect(isSignedBy(publicBytes.subarray(1), bytes, signature)).toBe(false);
  expect(isSignedBy(publicBytes, bytes, signature.subarray(1))).toBe(false);
});

it('a signed manifest is read again; another byte of it is not authentic', () => {
  const signed = signManifest(manifest, key);
  expect(checkManifest(signed.manifest, signed.signature)).toEqual({
    kind: 'signed',
    manifest,
    fingerprint: signingFingerprint(publicBytes),
  });
  const changed = Buffer.from(signed.manifest.toString().replace('alpha', 'omega'));
  expect(checkManifest(changed, signed.signature).kind).toBe('not_authentic');
});

it.each([
  ['a signature that is no JSON', signManifest(manifest, key).manifest, Buffer.from('x')],
  ['a signature of another kind', signManifest(manifest, key).manifest, Buffer.from('{"algorithm":"RSA"}')],
])('%s is malformed', (_what, bytes, signature) => {
  expect(checkManifest(bytes, signature).kind).toBe('malformed');
});

it('a signed manifest of another format is malformed', () => {
  const other = { ...manifest, format: 'other' } as unknown as EvidenceManifest;
  const signed = signManifest(other, key);
  expect(checkManifest(signed.manifest, signed.signature).kind).toBe('malformed');
});
