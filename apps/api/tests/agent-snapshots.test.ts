import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import zlib from 'node:zlib';
import type { UploadId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { type ApiUnderTest, type EnrolledHost, enrol, setUp, startApi } from './api-under-test.ts';
import { parseAndMatch } from './pipeline.ts';
import { protobufTime, sampleSnapshot } from './sample-snapshot.ts';

const protobuf = { 'Content-Type': 'application/x-protobuf' };
const mebibyte = 1024 * 1024;

let api: ApiUnderTest;
let token: string;
let host: EnrolledHost;

beforeAll(async () => {
  api = await startApi();
  token = await setUp(api);
});
beforeEach(async () => {
  host = await enrol(api, token);
});
afterAll(() => api.stop());

const upload = (bytes: Uint8Array, headers: Record<string, string> = {}, from = host) =>
  api.post('/api/v1/agent/snapshots', { token: from.token, bytes, headers: { ...protobuf, ...headers } });
const uploadsOf = async (id = host.id) => (await api.get(`/api/v1/hosts/${id}/uploads`, { token })).body;
const hostNow = async () => (await api.get(`/api/v1/hosts/${host.id}`, { token })).body;

describe('a snapshot', () => {
  it('is stored and queued before the answer', async () => {
    const waiting = async () => (await api.context.queue.counts(5_000))['report-parse'].waiting;
    const before = await waiting();
    const answer = await upload(sampleSnapshot());
    expect([answer.status, answer.body.status]).toEqual([202, 'queued']);
    expect(await uploadsOf()).toEqual([
      expect.objectContaining({
        id: answer.body.snapshot_id,
        door: 'agent',
        state: 'received',
        error_code: null,
        errors: [],
        snapshot_id: null,
      }),
    ]);
    await waitFor('the job', async () => (await waiting()) === before + 1); // the answer does not wait for the queue
  });

  it('is unchanged if only fields outside the content hash changed', async () => {
    const first = await upload(sampleSnapshot());
    const observed = {
      bootId: 'other',
      bootedAt: protobufTime(new Date(0)),
      refreshed: [{ repositoryId: 'main', at: protobufTime(new Date()) }],
    };
    const second = await upload(
      sampleSnapshot({
        collectedAt: protobufTime(new Date(Date.now() + 1000)),
        collectorVersion: '2',
        observed,
      }),
    );
    expect([second.status, second.body]).toEqual([
      202,
      { snapshot_id: first.body.snapshot_id, status: 'unchanged' },
    ]);
    expect(await uploadsOf()).toHaveLength(1);
  });

  it('is new if the patch state changed, and again when it changes back', async () => {
    const changed = { moduleStreams: [{ name: 'x', stream: '1', enabled: true }] };
    const answers = [
      await upload(sampleSnapshot()),
      await upload(sampleSnapshot(changed)),
      await upload(sampleSnapshot()),
    ];
    expect(answers.map(({ body }) => body.status)).toEqual(['queued', 'queued', 'queued']);
    expect((await uploadsOf()).map(({ id }: { id: string }) => id)).toEqual(
      answers.map(({ body }) => body.snapshot_id).reverse(),
    );
  });

  it.each([
    ['gzip', zlib.gzipSync],
    ['x-gzip', zlib.gzipSync],
    ['GZIP', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ['identity', (bytes: Uint8Array) => Buffer.from(bytes)],
  ])('is taken with Content-Encoding %s', async (encoding, compress) => {
    const bytes = sampleSnapshot();
    const answer = await upload(compress(bytes), { 'Content-Encoding': encoding });
    expect(answer.status).toBe(202);
    await parseAndMatch(api.database, [answer.body.snapshot_id as UploadId]);
    const stored = await api.get(`/api/v1/hosts/${host.id}/snapshot`, { token });
    expect(Buffer.from(stored.body.payload, 'base64').equals(bytes)).toBe(true);
    expect(stored.body.payload_size).toBe(bytes.length);
  });

  it('sent as gzip is stored as sent', async () => {
    const sent = zlib.gzipSync(sampleSnapshot(), { level: 9 });
    const answer = await upload(sent, { 'Content-Encoding': 'gzip' });
    const row = await api.database.db.prisma.upload.findUnique({ where: { id: answer.body.snapshot_id } });
    expect(Buffer.from(row?.body ?? []).equals(sent)).toBe(true);
  });

  it.each([
    [{ 'Content-Type': 'application/octet-stream' }],
    [{ 'Content-Type': 'application/json' }],
    [{ 'Content-Type': 'text/plain' }],
    [{ 'Content-Type': '' }],
    [{ 'Content-Encoding': 'zstd' }],
    [{ 'Content-Encoding': 'gzip, gzip' }],
    [{ 'Content-Encoding': 'compress' }],
  ])('is refused with %j', async (headers) => {
    expect((await upload(sampleSnapshot(), headers)).body.code).toBe('unsupported_media_type');
  });

  const cut = () => {
    const whole = sampleSnapshot();
    return whole.subarray(0, whole.length - 1);
  };
  it.each<[string, () => Uint8Array, number, string]>([
    ['cut in the middle of a field', cut, 400, 'invalid_protobuf'],
    ['cut between two fields', () => sampleSnapshot({ packageCount: 4 }), 400, 'invalid_protobuf'],
    ['that is JSON', () => Buffer.from('{"packages":[]}'), 400, 'invalid_protobuf'],
    ['that is noise', () => Buffer.alloc(4096, 0xff), 400, 'invalid_protobuf'],
    ['that is empty', () => Buffer.alloc(0), 422, 'snapshot_invalid'],
    ['without packages', () => sampleSnapshot({ packages: [], packageCount: 0 }), 422, 'snapshot_invalid'],
    ['without an os', () => sampleSnapshot({ platform: { architecture: 'amd64' } }), 422, 'snapshot_invalid'],
    [
      'of tomorrow and a bit',
      () => sampleSnapshot({ collectedAt: protobufTime(new Date(Date.now() + 25 * 3_600_000)) }),
      422,
      'snapshot_invalid',
    ],
    [
      'that is a text report as well',
      () => sampleSnapshot({ report: Buffer.from('plimsoll report 1\n') }),
      422,
      'snapshot_invalid',
    ],
  ])('%s is refused', async (_, make, status, code) => {
    const answer = await upload(make());
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (status === 422) expect(answer.body.errors.length).toBeGreaterThan(0);
    expect(await uploadsOf()).toEqual([]);
  });

  it('that is unchanged is still refused if its clock is a day ahead', async () => {
    await upload(sampleSnapshot());
    const ahead = protobufTime(new Date(Date.now() + 25 * 3_600_000));
    expect((await upload(sampleSnapshot({ collectedAt: ahead }))).body.code).toBe('snapshot_invalid');
  });

  it('that is refused counts as contact but does not keep its host fresh', async () => {
    const before = await hostNow();
    await upload(Buffer.from('x'));
    const after = await hostNow();
    expect(Date.parse(after.last_seen_at)).toBeGreaterThan(Date.parse(before.last_seen_at));
    expect(after.status).toBe('new');
  });

  it('that is a text report is accepted and left for the worker to parse', async () => {
    const report = Buffer.from('plimsoll report 1\n');
    const answer = await upload(
      sampleSnapshot({ platform: undefined, packages: [], packageCount: 0, report } as object),
    );
    expect(answer.status).toBe(202);
    const row = await api.database.db.prisma.upload.findUnique({ where: { id: answer.body.snapshot_id } });
    expect(row?.payloadKind).toBe('report');
  });

  it('of a host that was deleted is refused', async () => {
    await api.delete(`/api/v1/hosts/${host.id}`, { token });
    expect((await upload(sampleSnapshot())).status).toBe(401);
  });

  it('of a host that is deleted during the upload is refused and does not restore the host', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => upload(sampleSnapshot({ subscription: { kind: `${n}` } }))),
      api.delete(`/api/v1/hosts/${host.id}`, { token }),
    ]);
    expect(answers.map(({ status }) => status).every((status) => [202, 204, 401].includes(status))).toBe(
      true,
    );
    expect((await api.get(`/api/v1/hosts/${host.id}`, { token })).status).toBe(404);
    expect(await api.database.db.prisma.upload.count({ where: { hostId: host.id } })).toBe(0);
  });

  it('of one host sent ten times at once is stored in one order', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => upload(sampleSnapshot({ subscription: { kind: `${n}` } }))),
    );
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    expect(await uploadsOf()).toHaveLength(10);
  });
});

describe('Prefer: wait', () => {
  const wait = { Prefer: 'wait=20' };

  it('answers 200 when the upload has been matched', async () => {
    const work = waitFor('the upload to be there', async () => {
      const ids = (await uploadsOf()).map(({ id }: { id: UploadId }) => id);
      await parseAndMatch(api.database, ids);
      return ids.length > 0;
    });
    const answer = await upload(sampleSnapshot(), wait);
    await work;
    expect([answer.status, answer.body.status, answer.body.state]).toEqual([200, 'done', 'matched']);
    expect(answer.headers['preference-applied']).toBe('wait=20');
  });

  it('answers 202 when matching takes too long', async () => {
    const answer = await upload(sampleSnapshot(), { Prefer: 'respond-async, wait=0' });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([202, 'wait=0']);
  });

  it('answers with the error when the upload is rejected', async () => {
    const reject = waitFor('the upload to be there', async () => {
      const { count } = await api.database.db.prisma.upload.updateMany({
        where: { hostId: host.id },
        data: {
          state: 'rejected',
          errorCode: 'report_invalid',
          errors: [{ pointer: 'line 3', detail: 'is odd' }],
        },
      });
      return count > 0;
    });
    const answer = await upload(sampleSnapshot(), wait);
    await reject;
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([
      422,
      'report_invalid',
      [{ pointer: 'line 3', detail: 'is odd' }],
    ]);
  });

  it.each(['wait', 'wait=x', 'wait=-1', 'return=minimal', ''])('%j does not wait', async (prefer) => {
    const answer = await upload(sampleSnapshot(), { Prefer: prefer });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([202, undefined]);
  });

  it('waits for at most 30 seconds', async () => {
    await upload(sampleSnapshot());
    const answer = await upload(sampleSnapshot(), { Prefer: 'wait=3600' });
    expect([answer.body.status, answer.headers['preference-applied']]).toEqual(['unchanged', 'wait=30']);
  });
});

describe('snapshots', () => {
  it('can be read back byte for byte, one by one and in pages', async () => {
    const sent = Array.from({ length: 5 }, (_, n) => sampleSnapshot({ subscription: { kind: `${n}` } }));
    const ids: UploadId[] = [];
    for (const bytes of sent) {
      ids.push((await upload(bytes)).body.snapshot_id);
      await parseAndMatch(api.database, ids.slice(-1));
    }
    const latest = await fetch(`${api.url}/api/v1/hosts/${host.id}/snapshot`, {
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/x-protobuf' },
    });
    expect(latest.headers.get('content-type')).toBe('application/x-protobuf');
    expect(Buffer.from(sent[4] ?? []).equals(Buffer.from(await latest.arrayBuffer()))).toBe(true);
    for (const [n, id] of ids.entries()) {
      const one = await api.get(`/api/v1/hosts/${host.id}/snapshots/${id}`, { token });
      expect(one.body).toMatchObject({ id, host_id: host.id, source: 'agent', schema_version: 1 });
      expect(Buffer.from(one.body.payload, 'base64').equals(sent[n] ?? Buffer.alloc(0))).toBe(true);
    }
    const listed: string[] = [];
    for (let path: string | undefined = `/api/v1/hosts/${host.id}/snapshots?limit=2`; path !== undefined; ) {
      const page = await api.get(path, { token });
      expect(page.headers['x-total-count']).toBe('5');
      listed.push(...page.body.map(({ id }: { id: string }) => id));
      path = /<([^>]+)>/.exec(page.headers['link'] ?? '')?.[1]?.replace(api.url, '');
    }
    expect(listed).toEqual([...ids].reverse());
    expect((await uploadsOf()).map(({ state }: { state: string }) => state)).toEqual(
      Array(5).fill('matched'),
    );
  });

  it('of one host are not found under another', async () => {
    const { body } = await upload(sampleSnapshot());
    await parseAndMatch(api.database, [body.snapshot_id]);
    const other = await enrol(api, token, { hostname: 'other' });
    expect((await api.get(`/api/v1/hosts/${other.id}/snapshots/${body.snapshot_id}`, { token })).status).toBe(
      404,
    );
  });
});

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
    const sending = http.request(`${api.url}/api/v1/agent/snapshots`, {
      method: 'POST',
      headers: {
        ...protobuf,
        Authorization: `Bearer ${host.token}`,
        'Content-Length': 100 * mebibyte,
        Expect: '100-continue',
      },
    });
    sending.flushHeaders();
    const [response]: http.IncomingMessage[] = await Promise.race([
      once(sending, 'response'),
      once(sending, 'continue').then(() => Promise.reject(new Error('it was told to send'))),
    ]);
    expect(response?.statusCode).toBe(413);
    response?.resume();
    sending.destroy();
  });

  it('of allowed size is requested with 100 Continue', async () => {
    const bytes = sampleSnapshot();
    const sending = http.request(`${api.url}/api/v1/agent/snapshots`, {
      method: 'POST',
      headers: {
        ...protobuf,
        Authorization: `Bearer ${host.token}`,
        'Content-Length': bytes.length,
        Expect: '100-continue',
      },
    });
    sending.flushHeaders();
    await once(sending, 'continue');
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
