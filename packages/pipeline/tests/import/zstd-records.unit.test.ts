import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readRecords } from '../../src/import/records/read-records.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-zstd-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** 40 lines of JSON, packed by zstd with the sum of the content. */
const packed = Buffer.from(
  'KLUv/WRAFEUEAEIFERGgb1S8EPiVCnPHbenk614XK0sldEx54sWXSuiY8sR/qYSOKU+cLJXQMeUJyB3slbZZVzqhlbFFuzsZ5v2He61Zx9k4KagRkLP97/CVORH8zxD8/w7DD5FAICQQEAgEIShIIBAICQQEAhMMCAkJhAQCgZAJBgRCAiEBgUBYmRcJfDMCqQY5itlY',
  'base64',
);
const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

async function read(bytes: Buffer): Promise<readonly string[]> {
  const file = path.join(folder, 'file.zst');
  await writeFile(file, bytes);
  const kinds: string[] = [];
  for await (const { kind } of readRecords(file)) kinds.push(kind);
  return kinds;
}

const corrupt = { code: 'corrupt_archive' };

it('reads frames one after the other, without what is to be skipped between them', async () => {
  const kinds = await read(Buffer.concat([packed, skippable, packed]));
  expect(kinds).toEqual(Array.from({ length: 80 }, () => 'record'));
});

it('refuses a file that is cut off anywhere', async () => {
  for (let length = 5; length < packed.length; length++)
    await expect(read(packed.subarray(0, length))).rejects.toMatchObject(corrupt);
});

it('refuses what follows a frame and is none', async () => {
  await expect(read(Buffer.concat([packed, Buffer.from('no frame')]))).rejects.toMatchObject(corrupt);
});

it('ends for every damaged byte, with records or with a refusal', async () => {
  for (let at = 4; at < packed.length; at++) {
    const damaged = Buffer.from(packed);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at);
    const end = await read(damaged).catch((error: { readonly code?: unknown }) => error.code);
    expect(['object', 'string']).toContain(typeof end);
  }
});

it('refuses a window that takes too much memory, before it takes it', async () => {
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00]);
  await expect(read(frame)).rejects.toMatchObject({ code: 'too_large' });
});

it('refuses a file that unpacks to a thousand times its size', async () => {
  // One block of 128 KiB of the same byte, 1,000 times.
  const block = Buffer.from([0x02, 0x00, 0x10, 0x20]);
  const frame = Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]),
    ...Array(1_000).fill(block),
    Buffer.from([0x03, 0x00, 0x10, 0x20]),
  ]);
  await expect(read(frame)).rejects.toMatchObject({ code: 'too_large' });
});
