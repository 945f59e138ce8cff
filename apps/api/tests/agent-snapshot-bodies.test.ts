import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import zlib from 'node:zlib';
import { announceUpload, protobuf, uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { sampleSnapshot } from './sample-snapshot.ts';

const mebibyte = 1024 * 1024;

const api = apiPerFile();
let host: EnrolledHost;

beforeEach(async () => {
  host = await enrol(api);
});

const upload = (bytes: Uint8Array, headers: Record<string, string> = {}) =>
  uploadBytes(api, host, bytes, headers);
const uploadsOf = async () => (await api.admin.get(`/api/v1/hosts/${host.id}/uploads`)).body;

/** Sends a body in pieces until it is answered; returns the answer and the number of bytes sent. */
async function sendUntilAnswered(
  pieces: Iterable<Buffer>,
  headers: http.OutgoingHttpHeaders,
): Promise<{ status: number | undefined; code: string; sentBytes: number; requestClosed: boolean }> {
  const sending = http.request(`${api.url}/api/v1/agent/snapshots`, {
    method: 'POST',
    headers: { ...protobuf, Authorization: `Bearer ${host.token}`, ...headers },
  });
  let response: http.IncomingMessage | undefined;
  const answered = once(sending, 'response').then(([first]: http.IncomingMessage[]) => {
    response = first;
  });
  let sentBytes = 0;
  for (const piece of pieces) {
    if (response !== undefined) break;
    sentBytes += piece.length;
    if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), answered]);
  }
  if (response === undefined) sending.end();
  await answered;
  let text = '';
  for await (const piece of (response as unknown as http.IncomingMessage).setEncoding('utf8')) text += piece;
  sending.destroy();
  return {
    status: response?.statusCode,
    code: JSON.parse(text).code,
    sentBytes,
    requestClosed: sending.closed,
  };
}

function* zeros(bytes: number): Iterable<Buffer> {
  const piece = Buffer.alloc(mebibyte);
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
}

function gzipOfZeros(bytes: number): Buffer {
  // Concatenated gzip members are one gzip stream.
  const member = zlib.gzipSync(Buffer.alloc(64 * mebibyte), { level: 9 });
  return Buffer.concat(Array.from({ length: bytes / (64 * mebibyte) }, () => member));
}

describe('a body that is too large', () => {
  it('is refused before it is read if its declared length says so', async () => {
    const answer = await sendUntilAnswered(zeros(100 * mebibyte), { 'Content-Length': 100 * mebibyte });
    expect(answer).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('is refused while it arrives if no length is declared', async () => {
    const answer = await sendUntilAnswered(zeros(400 * mebibyte), {});
    expect(answer).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(answer.sentBytes).toBeLessThan(400 * mebibyte);
  });

  it('is refused with an answer that the client can read after sending everything', async () => {
    const answer = await upload(Buffer.alloc(100 * mebibyte));
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('is never sent by a client that waits for 100 Continue', async () => {
    expect((await announceUpload(api, host, 100 * mebibyte)).status).toBe(413);
  });

  it('of allowed size is requested with 100 Continue', async () => {
    const bytes = sampleSnapshot();
    const { upload: sending, status } = await announceUpload(api, host, bytes.length);
    expect(status).toBeNull();
    sending.end(bytes);
    const [response]: http.IncomingMessage[] = await once(sending, 'response');
    expect(response?.statusCode).toBe(202);
    response?.resume();
  });

  it.each(['gzip', 'deflate', 'br'])(
    'of 2 GiB of zeros in %s is refused without much memory',
    async (encoding) => {
      const bombs = {
        gzip: () => gzipOfZeros(2048 * mebibyte),
        deflate: () => zlib.deflateSync(Buffer.alloc(512 * mebibyte), { level: 1 }),
        br: () =>
          zlib.brotliCompressSync(Buffer.alloc(256 * mebibyte), {
            params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 },
          }),
      };
      const bomb = bombs[encoding as keyof typeof bombs](); // one of the three above
      globalThis.gc?.();
      const before = process.memoryUsage.rss();
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => upload(bomb, { 'Content-Encoding': encoding })),
      );
      expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
      // Each may hold its 32 MiB twice for a moment.
      expect(process.memoryUsage.rss() - before).toBeLessThan(600 * mebibyte);
    },
    120_000,
  );

  it('is accepted at exactly the limit', async () => {
    const limit = 32 * mebibyte;
    const small = sampleSnapshot();
    // A field of a later version, skipped by this one: number 100, length-delimited.
    const padding = limit - small.length - 6;
    const head = [
      0xa2,
      0x06,
      (padding & 0x7f) | 0x80,
      ((padding >> 7) & 0x7f) | 0x80,
      ((padding >> 14) & 0x7f) | 0x80,
      padding >> 21,
    ];
    // Half of it is noise: real data never becomes a hundred times smaller.
    const noise = Buffer.concat([randomBytes(padding >> 1), Buffer.alloc(padding - (padding >> 1))]);
    const bytes = Buffer.concat([small, Buffer.from(head), noise]);
    expect(bytes).toHaveLength(limit);
    expect((await upload(zlib.gzipSync(bytes), { 'Content-Encoding': 'gzip' })).status).toBe(202);
    expect(
      (await upload(zlib.gzipSync(Buffer.concat([bytes, Buffer.alloc(1)])), { 'Content-Encoding': 'gzip' }))
        .status,
    ).toBe(413);
  });
});

describe('a compressed body that is broken', () => {
  const whole = zlib.gzipSync(Buffer.concat([sampleSnapshot(), randomBytes(200_000)]));
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(flipped.readUInt8(whole.length - 6) ^ 0xff, whole.length - 6);

  it.each([
    ['cut gzip', 'gzip', whole.subarray(0, whole.length / 2)],
    ['gzip without its end', 'gzip', whole.subarray(0, whole.length - 4)],
    ['gzip with a wrong checksum', 'gzip', flipped],
    ['nothing, as gzip', 'gzip', Buffer.alloc(0)],
    ['no gzip', 'gzip', Buffer.from(sampleSnapshot())],
    ['no deflate', 'deflate', Buffer.from(sampleSnapshot())],
    ['cut deflate', 'deflate', zlib.deflateSync(randomBytes(1000)).subarray(0, 500)],
    ['no brotli', 'br', Buffer.alloc(1000, 0xff)],
    ['cut brotli', 'br', zlib.brotliCompressSync(randomBytes(1000)).subarray(0, 500)],
  ])('is refused: %s', async (_, encoding, bytes) => {
    const answer = await upload(bytes, { 'Content-Encoding': encoding });
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_request']);
    expect(await uploadsOf()).toEqual([]);
  });

  it('whose connection breaks is not stored', async () => {
    const sending = http.request(`${api.url}/api/v1/agent/snapshots`, {
      method: 'POST',
      headers: { ...protobuf, Authorization: `Bearer ${host.token}`, 'Content-Length': 1000 },
    });
    sending.on('error', () => undefined); // the connection is cut here
    await new Promise<void>((resolve) => {
      sending.write(sampleSnapshot().subarray(0, 50), () => resolve());
    });
    sending.destroy();
    await upload(sampleSnapshot());
    expect(await uploadsOf()).toHaveLength(1);
  });
});
