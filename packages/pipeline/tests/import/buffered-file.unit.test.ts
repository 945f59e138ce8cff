import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BufferedFile } from '../../src/import/records/buffered-file.ts';

const mebibyte = 1024 * 1024;

describe('a file read in windows', () => {
  let folder = '';
  const content = Buffer.alloc(5 * mebibyte + 123);
  for (let at = 0; at + 4 <= content.length; at += 4) content.writeUInt32LE(at, at);

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-buffered-'));
    await writeFile(path.join(folder, 'file'), content);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has the bytes of the file wherever it is read, though the memory of earlier windows is used again', async () => {
    const file = await open(path.join(folder, 'file'));
    try {
      const reader = new BufferedFile(file);
      const end = content.length - 50;
      // Back and forth, as between the list of entries and the entries; across windows, and larger than one.
      for (const [position, length] of [
        [0, 100],
        [end, 50],
        [3 * mebibyte - 10, 20],
        [0, 100],
        [mebibyte, 2 * mebibyte],
        [end, 50],
        [2 * mebibyte, 64],
        [4 * mebibyte, 64],
      ] as const) {
        const bytes = await reader.bytesAt(position, length);
        expect(bytes.equals(content.subarray(position, position + length))).toBe(true);
      }
    } finally {
      await file.close();
    }
  });

  it('is cut off where it ends, and not continued by what an earlier window held', async () => {
    const file = await open(path.join(folder, 'file'));
    try {
      const reader = new BufferedFile(file);
      for (const position of [0, mebibyte, 2 * mebibyte]) await reader.bytesAt(position, 10);
      await reader.bytesAt(content.length - 50, 50);
      await expect(reader.bytesAt(content.length - 10, 20)).rejects.toThrow('cut off');
    } finally {
      await file.close();
    }
  });
});
