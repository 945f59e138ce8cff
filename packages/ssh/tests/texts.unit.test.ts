import { execFileSync } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWhere, folderPerFile, sshdPath, sshKeyFile } from '@plimsoll/testing';
import { createIdentity } from '../src/identity.ts';
import {
  authorizedKeysLine,
  collectorCommand,
  fingerprintOf,
  generateKeyPair,
  openSshPublicKey,
  parseFingerprint,
  publicKeyBlob,
} from '../src/index.ts';

const hash = 'a'.repeat(64);

describe('a key pair', () => {
  it('has 32 raw bytes on either side, in memory shared with no other buffer', () => {
    const { publicKey, seed } = generateKeyPair();
    for (const half of [publicKey, seed]) {
      expect(half).toHaveLength(32);
      expect(half.buffer.byteLength).toBe(32);
    }
  });

  it('is different every time', () => {
    expect(generateKeyPair().seed).not.toEqual(generateKeyPair().seed);
  });

  it('signs what its public half verifies', () => {
    const pair = generateKeyPair();
    const signature = createIdentity(pair).sign('text');
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), pair.publicKey]);
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    expect(signature).not.toBeInstanceOf(Error);
    expect(verify(null, Buffer.from('text'), publicKey, signature as unknown as Buffer)).toBe(true);
  });

  it('is used by ssh2 with its public half only', () => {
    const pair = generateKeyPair();
    const identity = createIdentity(pair);
    expect(identity.getPublicSSH()).toEqual(publicKeyBlob(pair.publicKey));
    expect(identity.getPrivatePEM()).toBeNull();
    const { seed } = pair;
    const symbols = Object.getOwnPropertySymbols(identity).map((name) => Reflect.get(identity, name));
    for (const form of ['hex', 'base64', 'latin1'] as const) {
      expect(symbols.map(String).join('\n')).not.toContain(seed.toString(form));
    }
  });
});

describeWhere(sshdPath() === null ? ['OpenSSH'] : [], 'as ssh-keygen sees it', () => {
  const folder = folderPerFile();
  it('public line, fingerprint and key file belong to the same key', () => {
    const pair = generateKeyPair();
    const file = path.join(folder, 'key');
    writeFileSync(file, sshKeyFile(pair), { mode: 0o600 });
    const line = openSshPublicKey(pair.publicKey, '');
    expect(execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' }).trim()).toBe(line);
    writeFileSync(`${file}.pub`, `${openSshPublicKey(pair.publicKey, 'a comment')}\n`);
    const shown = execFileSync('ssh-keygen', ['-lf', `${file}.pub`], { encoding: 'utf8' }).trim();
    expect(shown).toBe(`256 ${fingerprintOf(pair.publicKey)} a comment (ED25519)`);
    expect(fingerprintOf(publicKeyBlob(pair.publicKey))).toBe(fingerprintOf(pair.publicKey));
  });
});

describe('a typed fingerprint', () => {
  const stored = fingerprintOf(Buffer.alloc(32, 7));

  it.each([stored, ` ${stored}\n`, `${stored}=`])('is accepted: %j', (text) => {
    expect(parseFingerprint(text)).toBe(stored);
  });

  it.each([
    '',
    stored.slice(7),
    `${stored}==`,
    stored.slice(0, -1),
    `${stored}A`,
    stored.toLowerCase(),
    `MD5:${'00:'.repeat(15)}00`,
    `${stored} comment`,
    stored.replace('SHA256', 'SHA512'),
    // The same 32 bytes to a lenient decoder, but not what ssh-keygen prints.
    `SHA256:${'A'.repeat(42)}B`,
  ])('is refused: %j', (text) => {
    expect(parseFingerprint(text)).toBeNull();
  });
});

describe('the line', () => {
  const publicLine = openSshPublicKey(Buffer.alloc(32, 1), 'plimsoll');

  it('is one line, with only escaped quotes inside the command', () => {
    const line = authorizedKeysLine(publicLine, hash);
    const [, command = '', rest] = /^restrict,command="((?:[^"\\]|\\")*)" (.*)$/.exec(line) ?? [];
    expect(rest).toBe(publicLine);
    expect(command).not.toMatch(/[\n\r!]/);
    // Two single quotes: those around the sh text, which login shells do not interpret.
    expect(command.split("'")).toHaveLength(3);
  });

  it.each(['', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)};id`, '$(id)'])(
    'is not written for %j, which is no SHA-256',
    (text) => {
      expect(() => authorizedKeysLine(publicLine, text)).toThrow(RangeError);
      expect(() => collectorCommand(text)).toThrow(RangeError);
    },
  );

  it.each([`${publicLine}\nssh-rsa AAAA`, 'command="id" ssh-ed25519 AAAA', ''])(
    'is not written for %j, which is no public key',
    (text) => {
      expect(() => authorizedKeysLine(text, hash)).toThrow(RangeError);
    },
  );

  it('rejects a comment that would start another line', () => {
    expect(() => openSshPublicKey(Buffer.alloc(32), 'a\nb')).toThrow(RangeError);
  });
});
