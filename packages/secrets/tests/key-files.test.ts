import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { folderPerFile } from '@plimsoll/testing';
import fc from 'fast-check';
import {
  createKeyFiles,
  generateSealingKey,
  loadRing,
  readSealingPublicKey,
  replaceRing,
  replaceSealingPublicKey,
  type SealingKey,
  SecretsError,
} from '../src/index.ts';
import { decodeKey, encodeKey } from '../src/key-text.ts';
import { rawPrivateKey } from '../src/sealing-key.ts';

const root = folderPerFile();
let folder = '';
let keysFile = '';
let publicKeyFile = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(root, 'secrets-'));
  keysFile = path.join(folder, 'private', 'keys');
  publicKeyFile = path.join(folder, 'public', 'key');
});

const create = () => createKeyFiles({ keysFile, publicKeyFile });

async function errorOf(work: Promise<unknown>): Promise<SecretsError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof SecretsError) return error;
  throw new Error(`no SecretsError, but ${String(error)}`);
}

async function idsOf(file: string): Promise<readonly string[]> {
  return (await loadRing(file)).keys.map(({ publicKey }) => publicKey.keyId);
}

function privateText({ privateKey }: SealingKey): string {
  return rawPrivateKey(privateKey).toString('base64url');
}

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

describe('the text of a key', () => {
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });

  it('is base64url without padding, and decodes to the same bytes', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const text = encodeKey(key);
        expect(text.toString('latin1')).toBe(Buffer.from(key).toString('base64url'));
        expect(decodeKey(text)).toEqual(Buffer.from(key));
      }),
    );
  });

  it('is refused in any other form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 42, maxLength: 44 }), (bytes) => {
        const key = decodeKey(bytes);
        expect(key === null || encodeKey(key).equals(bytes)).toBe(true);
      }),
    );
    expect(decodeKey(Buffer.from(`${'A'.repeat(42)}B`))).toBeNull();
    expect(decodeKey(Buffer.from('A'.repeat(43)))).toEqual(Buffer.alloc(32));
    expect(decodeKey(Buffer.from(`${'A'.repeat(42)}=`))).toBeNull();
  });
});

describe('making the files', () => {
  it('makes both, the ring for its owner only, and nothing the next time', async () => {
    const made = await create();
    expect(made).toEqual({
      keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
      ringMade: true,
      publicKeyMade: true,
    });
    expect(await modeOf(keysFile)).toBe(0o600);
    expect(await modeOf(path.dirname(keysFile))).toBe(0o700);
    expect(await modeOf(publicKeyFile)).toBe(0o644);
    const before = await readFile(keysFile);
    expect(await create()).toEqual({ keyId: made.keyId, ringMade: false, publicKeyMade: false });
    expect(await readFile(keysFile)).toEqual(before);
    expect(await idsOf(keysFile)).toEqual([made.keyId]);
    expect((await readSealingPublicKey(publicKeyFile)).keyId).toBe(made.keyId);
  });

  it('makes one pair for any number of concurrent calls', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, create));
    expect(new Set(made.map(({ keyId }) => keyId)).size).toBe(1);
    expect(made.filter(({ ringMade }) => ringMade)).toHaveLength(1);
    expect(await readdir(path.dirname(keysFile))).toEqual(['keys']);
    expect(await readdir(path.dirname(publicKeyFile))).toEqual(['key']);
  });

  it('makes the public key again from the ring, the key that every reader has', async () => {
    const [newer, older] = [generateSealingKey(), generateSealingKey()];
    await create();
    await replaceRing(keysFile, [newer, older]);
    await rm(publicKeyFile);
    expect(await create()).toEqual({ keyId: older.publicKey.keyId, ringMade: false, publicKeyMade: true });
  });

  it('makes no new ring if records may be sealed to a lost one', async () => {
    await create();
    await rm(keysFile);
    expect(await errorOf(create())).toMatchObject({ code: 'keys_differ' });
    await expect(stat(keysFile)).rejects.toThrow('ENOENT');
  });

  it('refuses files that do not match', async () => {
    await create();
    await replaceRing(keysFile, [generateSealingKey()]);
    expect(await errorOf(create())).toMatchObject({ code: 'keys_differ' });
  });
});

describe('reading', () => {
  const key = generateSealingKey();
  const privateLine = `x25519-private ${privateText(key)}`;
  const publicLine = `x25519-public ${key.publicKey.bytes.toString('base64url')}`;

  async function ringError(text: string | Buffer, mode = 0o600): Promise<SecretsError> {
    await mkdir(path.dirname(keysFile), { recursive: true });
    await writeFile(keysFile, text);
    await chmod(keysFile, mode);
    return errorOf(loadRing(keysFile));
  }

  async function publicError(text: string | Buffer, mode = 0o644): Promise<SecretsError> {
    await mkdir(path.dirname(publicKeyFile), { recursive: true });
    await writeFile(publicKeyFile, text);
    await chmod(publicKeyFile, mode);
    return errorOf(readSealingPublicKey(publicKeyFile));
  }

  it('accepts comments, blank lines, blanks around lines and Windows line ends', async () => {
    const another = generateSealingKey();
    await mkdir(path.dirname(keysFile));
    await writeFile(
      keysFile,
      `# a comment\r\n\r\n \t${privateLine} \r\nx25519-private ${privateText(another)}`,
      {
        mode: 0o600,
      },
    );
    expect(await idsOf(keysFile)).toEqual([key.publicKey.keyId, another.publicKey.keyId]);
    await mkdir(path.dirname(publicKeyFile));
    await writeFile(publicKeyFile, `\n# a comment\n\t${publicLine}\r\n`);
    expect(await readSealingPublicKey(publicKeyFile)).toEqual(key.publicKey);
  });

  it.each([
    ['an empty file', '', 'contains no key'],
    ['comments alone', '# nothing\n', 'contains no key'],
    ['another word', `# x\nx448-private ${privateText(key)}\n`, 'Line 2'],
    ['a public key', `${publicLine}\n`, 'Line 1'],
    ['a key that is cut', `${privateLine.slice(0, -1)}\n`, 'Line 1'],
    ['a key that goes on', `${privateLine}A\n`, 'Line 1'],
    ['padding', `${privateLine}=\n`, 'Line 1'],
    ['two keys in a line', `${privateLine} ${privateText(key)}\n`, 'Line 1'],
    ['the same key twice', `${privateLine}\n${privateLine}\n`, `Line 2 of`],
    ['bytes that are no text', Buffer.alloc(100, 0xff), 'Line 1'],
    ['more than 64 KiB', '#'.repeat(65_537), 'too large'],
  ])('refuses %s for a ring, and says where without the content', async (_, text, said) => {
    const error = await ringError(text);
    expect(error.code).toBe('file_malformed');
    expect(error.message).toContain(said);
    expect(error.message).toContain(keysFile);
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(privateText(key).slice(0, 20));
  });

  it.each([
    ['an empty file', '', 'contains no key'],
    ['a private key', `${publicLine}\n${privateLine}\n`, 'Line 2 of'],
    ['a private key that is cut', `${privateLine.slice(0, -5)}\n`, 'is a private key'],
    ['two keys', `${publicLine}\n${publicLine}\n`, 'second key'],
    ['a key that is cut', `${publicLine.slice(0, -1)}\n`, 'Line 1'],
  ])('refuses %s for a public key, and says where without the content', async (_, text, said) => {
    const error = await publicError(text);
    expect(error.code).toBe('file_malformed');
    expect(error.message).toContain(said);
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(privateText(key).slice(0, 20));
  });

  it.each([0o604, 0o602, 0o601, 0o644])(
    'refuses a ring of mode %o, and says how to correct it',
    async (mode) => {
      const error = await ringError(privateLine, mode);
      expect(error.code).toBe('file_exposed');
      expect(error.message).toContain(`chmod 0${(mode & 0o770).toString(8)} ${keysFile}`);
    },
  );

  it.each([0o600, 0o400, 0o440, 0o640])('accepts a ring of mode %o', async (mode) => {
    await create();
    await chmod(keysFile, mode);
    expect(await idsOf(keysFile)).toHaveLength(1);
  });

  it('refuses a public key that everybody may change', async () => {
    expect((await publicError(publicLine, 0o666)).code).toBe('file_exposed');
  });

  it('names what is missing or cannot be read', async () => {
    expect(await errorOf(loadRing(keysFile))).toMatchObject({ code: 'file_missing' });
    expect(await errorOf(readSealingPublicKey(publicKeyFile))).toMatchObject({ code: 'file_missing' });
    expect(await errorOf(readSealingPublicKey(folder))).toMatchObject({ code: 'file_unreadable' });
  });
});

describe('replacing', () => {
  it('keeps owner, group and mode, and removes the refused permissions of others', async () => {
    await create();
    if (process.getuid?.() === 0) await chown(keysFile, 12_345, 54_321);
    await chmod(keysFile, 0o644);
    const before = await stat(keysFile);
    const key = generateSealingKey();
    await replaceRing(keysFile, [key]);
    const after = await stat(keysFile);
    expect([after.uid, after.gid, after.mode & 0o777]).toEqual([before.uid, before.gid, 0o640]);
    expect(await idsOf(keysFile)).toEqual([key.publicKey.keyId]);
  });

  it('replaces the target of a link', async () => {
    await create();
    const link = path.join(folder, 'link');
    await symlink(publicKeyFile, link);
    const { publicKey } = generateSealingKey();
    await replaceSealingPublicKey(link, publicKey);
    expect(await readSealingPublicKey(publicKeyFile)).toEqual(publicKey);
  });

  it('removes what a killed writer has left, and nothing else', async () => {
    await create();
    const beside = path.join(path.dirname(keysFile), '.keys.old');
    await writeFile(`${path.dirname(keysFile)}/.keys.01890a5d-ac96-774b-bcce-b302099a8057`, 'left');
    await writeFile(beside, 'not ours');
    await replaceRing(keysFile, [generateSealingKey()]);
    expect((await readdir(path.dirname(keysFile))).sort()).toEqual(['.keys.old', 'keys']);
  });

  it('is never seen half done', async () => {
    await create();
    const rings = Array.from({ length: 20 }, (_, length) =>
      Array.from({ length: length + 1 }, generateSealingKey),
    );
    const reading = { goOn: true, reads: 0 };
    const reader = (async () => {
      while (reading.goOn) {
        await loadRing(keysFile);
        reading.reads += 1;
      }
    })();
    for (const ring of rings) await replaceRing(keysFile, ring);
    reading.goOn = false;
    await reader;
    expect(reading.reads).toBeGreaterThan(0);
  });

  it('reports a missing file', async () => {
    expect(await errorOf(replaceRing(keysFile, [generateSealingKey()]))).toMatchObject({
      code: 'file_missing',
    });
  });
});
