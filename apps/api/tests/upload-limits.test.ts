import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import type { AppError } from '@plimsoll/model';
import { loweredPriority } from '@plimsoll/process/lower-priority';
import { SnapshotSchema } from '@plimsoll/proto';
import { waitFor } from '@plimsoll/testing';
import { readSentBody, readWholeBody } from '../src/http/request-body.ts';
import { announceUpload, uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol, setUp, startApi } from './api-under-test.ts';
import { connectRaw } from './raw-client.ts';
import { sampleReport } from './sample-report.ts';
import { sampleSnapshot } from './sample-snapshot.ts';

const mebibyte = 1024 * 1024;

const api = apiPerFile();
let host: EnrolledHost;

beforeEach(async () => {
  host = await enrol(api);
});

const upload = (bytes: Uint8Array, headers: Record<string, string> = {}, from = host) =>
  uploadBytes(api, from, bytes, headers);
const uploadsOf = async ({ id } = host) => (await api.admin.get(`/api/v1/hosts/${id}/uploads`)).body;
const changed = (number: number) =>
  sampleSnapshot({ moduleStreams: [{ name: 'x', stream: String(number), enabled: true }] });

/** A snapshot of the given size, in a field of a later version that is skipped. */
function large(
  mebibytes: number,
  snapshot = sampleSnapshot(),
  noise = randomBytes(mebibytes * mebibyte),
): Buffer {
  const length = noise.length;
  const head = [0xa2, 0x06, (length & 127) | 128, ((length >> 7) & 127) | 128, ((length >> 14) & 127) | 128];
  return Buffer.concat([snapshot, Buffer.from([...head, length >> 21]), noise]);
}

describe('a host that sends more than its share', () => {
  it('is told when to come back, and its uploads list that in one row; other hosts are not affected', async () => {
    const statuses: number[] = [];
    for (let number = 0; number < 30; number++) statuses.push((await upload(changed(number))).status);
    expect(new Set(statuses)).toEqual(new Set([202]));
    const refused = await Promise.all([31, 32, 33].map((number) => upload(changed(number))));
    for (const { status, body, headers } of refused) {
      expect([status, body.code]).toEqual([429, 'rate_limited']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(80);
    }
    await waitFor('the note', async () => (await uploadsOf())[0]?.refusals === 3);
    const uploads = await uploadsOf();
    expect(uploads).toHaveLength(31);
    expect(uploads[0]).toMatchObject({
      door: 'agent',
      state: 'rejected',
      error_code: 'rate_limited',
      errors: [{ pointer: '', detail: 'The host has sent too many uploads. Send the newest report later.' }],
      snapshot_id: null,
    });
    const other = await enrol(api, { hostname: 'other.example.org' });
    expect((await upload(changed(1), {}, other)).status).toBe(202);
    const report = await api.admin.post(`/api/v1/hosts/${host.id}/report?force=true`, {
      bytes: Buffer.from(sampleReport()),
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(report.status).toBe(202);
  });

  it('may repeat an unchanged upload ten times as often', async () => {
    expect((await upload(changed(0))).status).toBe(202);
    for (let repeat = 0; repeat < 100; repeat++) {
      const { status, body } = await upload(changed(0));
      expect([status, body.status]).toEqual([202, 'unchanged']);
    }
    expect(await uploadsOf()).toHaveLength(1);
  });

  it('is refused before its body is read, also while pending', async () => {
    const pending = await enrol(api, { hostname: 'pending.example.org', autoApprove: false });
    for (let faulty = 0; faulty < 30; faulty++) {
      expect((await upload(Buffer.from([0xff]), {}, pending)).status).toBe(400);
    }
    expect((await announceUpload(api, pending, mebibyte)).status).toBe(429);
  });
});

describe('a refused host that returns too early', () => {
  it('is refused without a database query, and its uploads list that', async () => {
    for (let faulty = 0; faulty < 30; faulty++) expect((await upload(Buffer.from([0xff]))).status).toBe(400);
    expect((await upload(changed(1))).status).toBe(429);
    const asked = jest.spyOn(api.context.stores.enrolments, 'authenticateHost');
    try {
      const again = await upload(changed(1));
      expect([again.status, again.body.code]).toEqual([429, 'rate_limited']);
      expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
      expect(asked).not.toHaveBeenCalled();
      const other = await enrol(api, { hostname: 'other.example.org' });
      expect((await upload(changed(1), {}, other)).status).toBe(202);
      expect(asked).toHaveBeenCalled();
    } finally {
      asked.mockRestore();
    }
    await waitFor('the note', async () => (await uploadsOf())[0]?.refusals === 2);
    const { text } = await api.context.metrics.render();
    expect(text).toMatch(/^plimsoll_uploads_refused_total{door="agent",reason="early"} [1-9]/m);
    expect(text).toMatch(/^plimsoll_uploads_refused_total{door="agent",reason="host"} [1-9]/m);
  });

  it('is not read to the end of an endless body, and gets its answer', async () => {
    for (let faulty = 0; faulty < 30; faulty++) await upload(Buffer.from([0xff]));
    expect((await upload(changed(1))).status).toBe(429);
    const client = await connectRaw(
      api.url,
      `POST /api/v1/agent/snapshots HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${host.token}\r\n` +
        'Content-Type: application/x-protobuf\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
    let taken = 0;
    const send = () => {
      while (client.socket.write(chunk)) taken += chunk.length;
      taken += chunk.length;
    };
    client.socket.on('drain', send);
    send();
    await waitFor('the answer', () => client.received().includes('rate_limited'));
    expect(client.received()).toContain('Connection: close');
    await waitFor('the end', () => client.isClosed());
    // The bytes that the server drains, and those that the buffers of both sockets hold.
    expect(taken).toBeLessThan(24 * mebibyte);
  });
});

describe('a body that grows out of proportion', () => {
  it.each([
    ['gzip', () => zlib.gzipSync(Buffer.alloc(32 * mebibyte))],
    ['deflate', () => zlib.deflateSync(Buffer.alloc(32 * mebibyte))],
    ['br', () => zlib.brotliCompressSync(Buffer.alloc(32 * mebibyte))],
  ])('is refused in %s before it ends', async (encoding, make) => {
    const beginning = make().subarray(0, -8);
    const sending = http.request(`${api.url}/api/v1/agent/snapshots`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${host.token}`,
        'Content-Type': 'application/x-protobuf',
        'Content-Encoding': encoding,
        'Transfer-Encoding': 'chunked',
      },
    });
    sending.on('error', () => undefined); // the expected end
    sending.write(beginning);
    const [response]: http.IncomingMessage[] = await once(sending, 'response');
    expect(response?.statusCode).toBe(413);
    sending.destroy();
  });

  it('is refused after it was read as a whole, if it is short', async () => {
    const sent = zlib.gzipSync(Buffer.alloc(8 * mebibyte));
    const answer = await upload(sent, { 'Content-Encoding': 'gzip' });
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('is accepted if it stays short', async () => {
    const spaces = sampleSnapshot({ failures: [{ section: 'x', detail: ' '.repeat(500_000) }] });
    const sent = zlib.gzipSync(spaces);
    expect(spaces.length / sent.length).toBeGreaterThan(100);
    expect((await upload(sent, { 'Content-Encoding': 'gzip' })).status).toBe(202);
  });
});

describe('a large upload', () => {
  it('is parsed in a thread for every compression, and recognised when it is repeated', async () => {
    const bytes = large(2);
    const first = await upload(zlib.gzipSync(bytes), { 'Content-Encoding': 'gzip' });
    expect([first.status, first.body.status]).toEqual([202, 'queued']);
    for (const [encoding, sent] of [
      ['identity', bytes],
      ['deflate', zlib.deflateSync(bytes)],
      ['br', zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ] as const) {
      const again = await upload(sent, encoding === 'identity' ? {} : { 'Content-Encoding': encoding });
      expect([again.status, again.body]).toEqual([
        202,
        { snapshot_id: first.body.snapshot_id, status: 'unchanged' },
      ]);
    }
    const { rows } = await api.database.db.pool.query('SELECT body, size FROM uploads WHERE host_id = $1', [
      host.id,
    ]);
    expect(rows.map(({ body, size }) => [zlib.gunzipSync(body).equals(bytes), size])).toEqual([
      [true, bytes.length],
    ]);
  });

  it('is parsed in a thread although few bytes are sent', async () => {
    const sparse = Buffer.alloc(2 * mebibyte);
    for (let at = 0; at < sparse.length; at += 1024) randomBytes(32).copy(sparse, at);
    const bytes = large(2, sampleSnapshot(), sparse);
    const sent = zlib.gzipSync(bytes);
    expect(sent.length).toBeLessThan(128 * 1024);
    const first = await upload(sent, { 'Content-Encoding': 'gzip' });
    expect([first.status, first.body.status]).toEqual([202, 'queued']);
    const { body: again } = await upload(bytes);
    expect(again).toEqual({ snapshot_id: first.body.snapshot_id, status: 'unchanged' });
  });

  it.each([
    ['invalid_protobuf', 400, () => Buffer.concat([large(2), Buffer.from([0x0f])])],
    ['snapshot_invalid', 422, () => large(2, toBinary(SnapshotSchema, create(SnapshotSchema, {})))],
  ])('is refused in the words of the contract: %s', async (code, status, make) => {
    const answer = await upload(zlib.gzipSync(make()), { 'Content-Encoding': 'gzip' });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await uploadsOf()).toEqual([]);
  });

  it('is parsed by a thread with a lower priority than the event loop', async () => {
    expect((await upload(large(2))).status).toBe(202);
    const niceness = async (task: string) => {
      const stat = await readFile(`/proc/self/task/${task}/stat`, 'utf8');
      // Counted after the name, which may contain blanks: field 19 of proc(5).
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    };
    const own = await niceness(String(process.pid));
    const all = await Promise.all((await readdir('/proc/self/task')).map(niceness));
    expect(all).toContain(loweredPriority);
    expect(own).toBeLessThan(loweredPriority);
  });

  it('needs the thread, a small one does not', async () => {
    const without = await startApi({ uploadThreadFile: '/nonexistent/upload-thread.js' });
    try {
      await setUp(without);
      const host = await enrol(without);
      const send = (bytes: Uint8Array) => uploadBytes(without, host, bytes);
      expect((await send(large(2))).status).toBe(500);
      expect((await send(sampleSnapshot())).status).toBe(202);
    } finally {
      await without.stop();
    }
  });
});

describe.each([
  ['decompressed as it arrives', readWholeBody],
  ['as sent', readSentBody],
] as const)('a body with a required pace, read %s', (_how, readBody) => {
  /** Reads the body of one request with a required pace; returns the result. */
  async function read(send: (request: http.ClientRequest) => void): Promise<Buffer | AppError> {
    const pace = { windowBytes: 100, windowMs: 60, maxRatio: 100, freeBytes: mebibyte };
    const server = http.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // listens on TCP
    const request = http.request({ port, host: '127.0.0.1', method: 'POST' });
    request.on('error', () => undefined); // the expected end
    request.flushHeaders();
    const [incoming, response] = await once(server, 'request');
    const limits = { encoding: null, limitBytes: mebibyte, timeoutMs: 20_000, pace };
    const reading = readBody(incoming, response, limits, () => undefined);
    send(request);
    const ended = await reading.catch((error: AppError) => error);
    server.closeAllConnections();
    server.close();
    return ended;
  }

  it('is read no further once it is too slow, with an error after which an agent retries', async () => {
    const ended = await read((request) => {
      const dribble = setInterval(() => request.destroyed || request.write('x'), 20);
      request.once('close', () => clearInterval(dribble));
    });
    expect(ended).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
  });

  it('is read to its end if it keeps the pace', async () => {
    const ended = await read((request) => {
      let pieces = 0;
      const steadily = setInterval(() => {
        pieces += 1;
        request.write(Buffer.alloc(1_000));
        if (pieces < 20) return;
        clearInterval(steadily);
        request.end();
      }, 10);
    });
    expect(ended).toHaveLength(20_000);
  });
});
