import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderPerFile } from '@plimsoll/testing';
import {
  createKeyFiles,
  createKeyRing,
  generateSealingKey,
  replaceRing,
  type SealingKey,
  seal,
} from '../src/index.ts';
import { rawPrivateKey } from '../src/sealing-key.ts';

const root = folderPerFile();
let folder = '';
let keysFile = '';
const [older, newer] = [generateSealingKey(), generateSealingKey()];

beforeEach(async () => {
  folder = await mkdtemp(path.join(root, 'secrets-'));
  keysFile = path.join(folder, 'keys');
});

async function write(keys: readonly SealingKey[]): Promise<void> {
  await stat(keysFile).catch(() => createKeyFiles({ keysFile, publicKeyFile: path.join(folder, 'public') }));
  await replaceRing(keysFile, keys);
}

function privateText({ privateKey }: SealingKey): string {
  return rawPrivateKey(privateKey).toString('base64url');
}

it('opens boxes of a rotation that came after it was read', async () => {
  await write([older]);
  const ring = createKeyRing(keysFile);
  expect(await ring.open(seal(older.publicKey, Buffer.of(1), 'id'), 'id')).toEqual(Buffer.of(1));
  await write([newer, older]);
  expect(await ring.open(seal(newer.publicKey, Buffer.of(2), 'id'), 'id')).toEqual(Buffer.of(2));
  expect(await ring.open(seal(older.publicKey, Buffer.of(1), 'id'), 'id')).toEqual(Buffer.of(1));
});

it('drops keys that the file has dropped', async () => {
  await write([newer, older]);
  const ring = createKeyRing(keysFile);
  const box = seal(older.publicKey, Buffer.of(1), 'id');
  await ring.open(box, 'id');
  await write([newer]);
  await expect(ring.open(box, 'id')).rejects.toMatchObject({ code: 'unknown_key' });
});

it('finds a new key even if the file seems unchanged', async () => {
  await write([older]);
  const ring = createKeyRing(keysFile);
  await ring.open(seal(older.publicKey, Buffer.of(1), 'id'), 'id');
  const before = await stat(keysFile);
  const text = await readFile(keysFile, 'latin1');
  const changed = text
    .replace(privateText(older), privateText(newer))
    .replace(older.publicKey.keyId, newer.publicKey.keyId);
  await writeFile(keysFile, changed);
  await utimes(keysFile, before.atime, before.mtime);
  expect(await ring.open(seal(newer.publicKey, Buffer.of(2), 'id'), 'id')).toEqual(Buffer.of(2));
});

it('opens many boxes at once while keys change', async () => {
  await write([older]);
  const ring = createKeyRing(keysFile);
  const boxes = Array.from({ length: 100 }, (_, n) => seal(older.publicKey, Buffer.of(n), `${n}`));
  const opening = Promise.all(boxes.map((box, n) => ring.open(box, `${n}`)));
  await write([newer, older]);
  expect((await opening).map((bytes) => bytes[0])).toEqual(boxes.map((_, n) => n));
});

it('reports what is wrong with its file, and recovers with it', async () => {
  const ring = createKeyRing(keysFile);
  const box = seal(older.publicKey, Buffer.of(1), 'id');
  await expect(ring.open(box, 'id')).rejects.toMatchObject({ code: 'file_missing' });
  await write([older]);
  expect(await ring.open(box, 'id')).toEqual(Buffer.of(1));
  await rm(keysFile);
  await expect(ring.open(box, 'id')).rejects.toMatchObject({ code: 'file_missing' });
});
