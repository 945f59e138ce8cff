import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { gunzipAtOnce } from '../../src/intake/store-upload.ts';

const mostBytes = 1024 * 1024;

/** Bytes that compress about as packages do. */
function content(length: number): Buffer {
  return Buffer.from(
    randomBytes(Math.ceil(length / 4))
      .toString('hex')
      .padEnd(length, 'package')
      .slice(0, length),
  );
}

it.each([0, 1, 1_024, 90_000, mostBytes])('returns a content of %d bytes', (length) => {
  const bytes = content(length);
  expect(gunzipAtOnce(gzipSync(bytes), mostBytes).equals(bytes)).toBe(true);
});

it('decompresses into one buffer, so that nothing is copied', () => {
  const bytes = content(300_000);
  expect(gunzipAtOnce(gzipSync(bytes), mostBytes).buffer.byteLength).toBe(bytes.length + 1);
});

it('returns all of several members, of which only the last states its size at the end', () => {
  const [long, short] = [content(200_000), content(10)];
  const whole = Buffer.concat([gzipSync(long), gzipSync(short)]);
  expect(gunzipAtOnce(whole, mostBytes).equals(Buffer.concat([long, short]))).toBe(true);
});

it('refuses more than it may return', () => {
  const gzipped = gzipSync(Buffer.alloc(mostBytes + 1));
  expect(() => gunzipAtOnce(gzipped, mostBytes)).toThrow(
    expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }),
  );
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['three bytes', Buffer.from([0x1f, 0x8b, 8])],
  ['a part', gzipSync(content(1_000)).subarray(0, -9)],
  ['text', Buffer.from('no gzip at all')],
])('throws for %s', (_what, bytes) => {
  expect(() => gunzipAtOnce(bytes, mostBytes)).toThrow();
});

it('takes no more memory for a false size than the bytes can become', () => {
  const bytes = content(1_000);
  const gzipped = gzipSync(bytes);
  gzipped.writeUInt32LE(0xffff_ffff, gzipped.length - 4);
  const before = process.memoryUsage().arrayBuffers;
  expect(() => gunzipAtOnce(gzipped, 2 ** 30)).toThrow('incorrect length check');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * 1_032 * gzipped.length);
});

it.each([10, 1_000])(
  'keeps no more memory than a content of %d bytes needs, whatever follows it',
  (length) => {
    const bytes = content(length);
    const gzipped = Buffer.concat([gzipSync(bytes), Buffer.alloc(1), Buffer.alloc(40_000, 0xff)]);
    const unpacked = gunzipAtOnce(gzipped, mostBytes);
    expect(unpacked.equals(bytes)).toBe(true);
    expect(unpacked.buffer.byteLength).toBeLessThan(mostBytes / 10);
  },
);
