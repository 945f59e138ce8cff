import { createCipheriv, createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { openSealed, seal, sealedKeyId } from '../src/index.ts';
import { generateSealingKey, rawPrivateKey, sealingKeyOf, sealingPublicKey } from '../src/sealing-key.ts';
import { SecretsError } from '../src/secrets-error.ts';
import { x25519 } from './x25519.ts';

const basePoint = Buffer.from('09'.padEnd(64, '0'), 'hex');
const headerBytes = 41;
const key = generateSealingKey();
const other = generateSealingKey();

/** The code of the SecretsError that `run` throws. */
function codeOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof SecretsError) return error.code;
    throw error;
  }
}

/** A box according to the format, made from primitives: HMAC for HKDF (RFC 5869), x25519 in numbers. */
function sealByHand(
  recipientPrivate: Buffer,
  ephemeralPrivate: Buffer,
  plaintext: Buffer,
  data: string,
): Buffer {
  const recipient = x25519(recipientPrivate, basePoint);
  const ephemeral = x25519(ephemeralPrivate, basePoint);
  const secret = x25519(ephemeralPrivate, recipient);
  const hmac = (hmacKey: Buffer, ...parts: Buffer[]): Buffer =>
    createHmac('sha256', hmacKey).update(Buffer.concat(parts)).digest();
  const extracted = hmac(Buffer.alloc(32), secret);
  const info = Buffer.concat([Buffer.from('plimsoll sealed record 1'), ephemeral, recipient]);
  const first = hmac(extracted, info, Buffer.of(1));
  const nonce = hmac(extracted, first, info, Buffer.of(2)).subarray(0, 12);
  const keyId = createHash('sha256').update(recipient).digest().subarray(0, 8);
  const header = Buffer.concat([Buffer.of(1), keyId, ephemeral]);
  const cipher = createCipheriv('aes-256-gcm', first, nonce);
  cipher.setAAD(Buffer.concat([header, Buffer.from(data)]));
  return Buffer.concat([header, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

describe('a known box', () => {
  // The pairs of RFC 7748, section 6.1.
  const alice = Buffer.from('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a', 'hex');
  const bob = Buffer.from('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb', 'hex');
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const plaintext = Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex');
  const box = Buffer.from(
    '01f35e5616160a30bf8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6aaa678b4ee5832cc2c74f0c63009bfc5badfc10c6c4dd49e8e2c2ea3fdc01ef7447724b78c126c3d33e50da22acdda406',
    'hex',
  );

  it('is what the primitives produce', () => {
    expect(x25519(alice, x25519(bob, basePoint)).toString('hex')).toBe(
      '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742',
    );
    expect(sealByHand(bob, alice, plaintext, id).toString('hex')).toBe(box.toString('hex'));
  });

  it('is opened, now and by every later version', () => {
    expect(openSealed([sealingKeyOf(bob)], box, id)).toEqual(plaintext);
    expect(sealedKeyId(box)).toBe(sealingKeyOf(bob).publicKey.keyId);
  });

  it('is what seal makes, except for its ephemeral key', () => {
    const made = seal(sealingKeyOf(bob).publicKey, plaintext, id);
    expect(made).toHaveLength(box.length);
    expect(made.subarray(0, 9)).toEqual(box.subarray(0, 9));
  });
});

const texts = fc.string({ unit: 'grapheme' });
const plaintexts = fc.uint8Array({ maxLength: 200 });

it('opens what was sealed, with any ring that has the key', () => {
  fc.assert(
    fc.property(plaintexts, texts, fc.boolean(), (plaintext, data, first) => {
      const box = seal(key.publicKey, plaintext, data);
      const ring = first ? [key, other] : [other, key];
      expect(openSealed(ring, box, data)).toEqual(Buffer.from(plaintext));
      expect(sealedKeyId(box)).toBe(key.publicKey.keyId);
      expect(box).toHaveLength(headerBytes + plaintext.length + 16);
    }),
  );
});

it('opens a box within a larger buffer', () => {
  const box = seal(key.publicKey, Buffer.from('secret'), 'id');
  const within = Buffer.concat([Buffer.from('before'), box, Buffer.from('after')]);
  const view = new Uint8Array(within.buffer, within.byteOffset + 6, box.length);
  expect(openSealed([key], view, 'id').toString()).toBe('secret');
});

it('agrees with the primitives for every pair', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((each) => Buffer.from(each));
  fc.assert(
    fc.property(bytes, bytes, plaintexts, texts, (recipient, ephemeral, plaintext, data) => {
      const box = sealByHand(recipient, ephemeral, Buffer.from(plaintext), data);
      expect(openSealed([sealingKeyOf(recipient)], box, data)).toEqual(Buffer.from(plaintext));
    }),
    { numRuns: 10 },
  );
});

it('makes a different box of the same plaintext every time, and never shows it', () => {
  const plaintext = Buffer.alloc(32, 'plaintext');
  const boxes = Array.from({ length: 50 }, () => seal(key.publicKey, plaintext, 'id'));
  expect(new Set(boxes.map((box) => box.toString('hex'))).size).toBe(50);
  expect(boxes.filter((box) => box.includes('plaintext'))).toEqual([]);
});

it('refuses a box with any bit flipped', () => {
  const box = seal(key.publicKey, Buffer.alloc(32, 7), 'id');
  const codes = new Map<string | null, number>();
  for (let bit = 0; bit < box.length * 8; bit += 1) {
    const changed = Buffer.from(box);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const code = codeOf(() => openSealed([key], changed, 'id'));
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  expect(Object.fromEntries(codes)).toEqual({
    unknown_version: 8,
    unknown_key: 64,
    not_authentic: (box.length - 9) * 8,
  });
});

it('refuses a box that is truncated or extended', () => {
  const box = seal(key.publicKey, Buffer.alloc(32, 7), 'id');
  for (let length = 0; length < box.length; length += 1) {
    expect(codeOf(() => openSealed([key], box.subarray(0, length), 'id'))).toBe(
      length < headerBytes + 16 ? 'box_malformed' : 'not_authentic',
    );
  }
  expect(codeOf(() => openSealed([key], Buffer.concat([box, Buffer.of(0)]), 'id'))).toBe('not_authentic');
});

it('refuses other associated data', () => {
  fc.assert(
    fc.property(texts, texts, (data, another) => {
      fc.pre(data !== another);
      const box = seal(key.publicKey, Buffer.from('secret'), data);
      expect(codeOf(() => openSealed([key], box, another))).toBe('not_authentic');
    }),
  );
});

it('refuses associated data without a unique UTF-8 form', () => {
  expect(() => seal(key.publicKey, Buffer.of(1), '\ud800')).toThrow(TypeError);
});

it('refuses arbitrary bytes without any other error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(codeOf(() => openSealed([key], bytes, ''))).not.toBeNull();
      const ours = Buffer.concat([Buffer.of(1), Buffer.from(key.publicKey.keyId, 'hex'), bytes]);
      expect(codeOf(() => openSealed([key], ours, ''))).not.toBeNull();
    }),
  );
});

it('reports if no key of the ring is the one that a box names', () => {
  const box = seal(key.publicKey, Buffer.from('secret'), 'id');
  expect(codeOf(() => openSealed([other], box, 'id'))).toBe('unknown_key');
  expect(codeOf(() => openSealed([], box, 'id'))).toBe('unknown_key');
});

// Points of order 1, 2, 4 and 8, and their equals modulo 2^255 - 19 (RFC 7748, section 7).
it.each([
  ['0000000000000000000000000000000000000000000000000000000000000000'],
  ['0100000000000000000000000000000000000000000000000000000000000000'],
  ['e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'],
  ['5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157'],
  ['ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'],
  ['edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'],
  ['eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'],
  ['0000000000000000000000000000000000000000000000000000000000000080'],
])('neither seals to nor opens with the low-order point %s', (hex) => {
  const point = Buffer.from(hex, 'hex');
  expect(codeOf(() => seal(sealingPublicKey(point), Buffer.of(1), 'id'))).toBe('weak_key');
  const box = seal(key.publicKey, Buffer.of(1), 'id');
  point.copy(box, 9);
  expect(codeOf(() => openSealed([key], box, 'id'))).toBe('weak_key');
});

it('makes a key again from its private half', () => {
  const again = sealingKeyOf(rawPrivateKey(key.privateKey));
  expect(again.publicKey).toEqual(key.publicKey);
  expect(openSealed([again], seal(key.publicKey, Buffer.of(1), ''), '')).toEqual(Buffer.of(1));
});

it('shows nothing of a box that it could not open', () => {
  const box = seal(key.publicKey, Buffer.from('secret'), 'id');
  try {
    openSealed([key], box, 'another');
  } catch (error) {
    const said = `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}`; // a SecretsError
    expect(said).not.toMatch(/secret[^s]|another/i);
  }
  expect.assertions(1);
});
