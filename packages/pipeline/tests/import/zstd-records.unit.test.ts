import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { idsIn } from './read-content.ts';

const packed = path.join(import.meta.dirname, '../../testdata/many-records.jsonl.zst');

const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** A raw block, or one byte repeated. */
function block(kind: 'raw' | 'repeated', content: Buffer, size: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((size << 3) | (kind === 'raw' ? 0 : 2) | (isLast ? 1 : 0), 0, 3);
  return Buffer.concat([header, content]);
}

/** A frame of one block with a window of 128 KiB. */
function frame(text: string): Buffer {
  const content = Buffer.from(text);
  return Buffer.concat([magic, Buffer.from([0x00, 0x38]), block('raw', content, content.length, true)]);
}

/** A text of spaces, of any length. */
function spaces(blocks: number, size = 128 * 1024): Buffer {
  const one = block('repeated', Buffer.from(' '), size, false);
  const all = Buffer.alloc(blocks * one.length, one);
  return Buffer.concat([
    magic,
    Buffer.from([0x00, 0x38]),
    all,
    block('raw', Buffer.from('{"id":"A"}'), 10, true),
  ]);
}

describe('records packed by zstd', () => {
  it('are those that were packed', async () => {
    const ids = await idsIn(await readFile(packed));
    expect(ids).toHaveLength(12_000);
    expect(ids).toEqual(ids.map((_, n) => `A${n}`));
  });

  it('may consist of several frames, with skippable frames between them', async () => {
    const skippable = Buffer.concat([Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0]), Buffer.from('abc')]);
    expect(
      await idsIn(Buffer.concat([frame('{"id":"A"}\n'), skippable, frame('{"id":"B"}\n'), skippable])),
    ).toEqual(['A', 'B']);
  });

  it('may have an empty frame before them', async () => {
    expect(await idsIn(Buffer.concat([frame(''), frame('{"id":"A"}')]))).toEqual(['A']);
  });

  const withByte = (bytes: Buffer, at: number, value: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = value;
    return copy;
  };
  it.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['a window of terabytes', 'too_large', () => withByte(frame('{}'), 5, 0xf8)],
    ['a window of 128 MiB', 'too_large', () => withByte(frame('{}'), 5, 0x88)],
    [
      'one block of gigabytes',
      'too_large',
      () =>
        Buffer.concat([magic, Buffer.from([0xa0, 0, 0, 0, 0xff]), block('raw', Buffer.from('{}'), 2, true)]),
    ],
    ['65,000 blocks of one byte each', 'too_large', () => spaces(65_000)],
    ['a block that is longer than a block may be', 'corrupt_archive', () => spaces(1, 2 ** 21 - 1)],
    ['a dictionary', 'corrupt_archive', () => withByte(frame('{}'), 4, 0x01)],
    ['a frame cut off', 'corrupt_archive', async () => (await readFile(packed)).subarray(0, 5_000)],
    [
      'something else behind the frame',
      'corrupt_archive',
      () => Buffer.concat([frame('{}'), Buffer.from('more')]),
    ],
    ['a block of a kind that does not exist', 'corrupt_archive', () => withByte(frame('{}'), 6, 0x17)],
    [
      'less content than the frame says',
      'corrupt_archive',
      () => Buffer.concat([magic, Buffer.from([0x20, 9]), block('raw', Buffer.from('{}'), 2, true)]),
    ],
    ['nothing', 'no_records', () => frame('')],
  ])('are refused with %s as %s', async (_name, code, content) => {
    await expect(idsIn(await content())).rejects.toMatchObject({ name: 'ImportError', code });
  });

  it('are refused wherever the file is cut off', async () => {
    const whole = frame('{"id":"A"}');
    for (let length = 5; length < whole.length; length++)
      await expect(idsIn(whole.subarray(0, length))).rejects.toMatchObject({ code: 'corrupt_archive' });
  });

  it('are either read or refused, whichever byte of the file is changed', async () => {
    const whole = await readFile(packed);
    for (let n = 0; n < 4; n++) {
      const damaged = withByte(whole, (n * 104_729) % whole.length, (n * 37) % 256);
      const outcome = await idsIn(damaged).catch((error: unknown) => error);
      if (!Array.isArray(outcome)) expect(outcome).toMatchObject({ name: 'ImportError' });
    }
  });
});
