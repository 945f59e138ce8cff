import zlib from 'node:zlib';
import type { UploadId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { readPages, totalsOf } from './checked-client.ts';
import { parseAndMatch } from './pipeline.ts';
import { protobufTime, sampleSnapshot } from './sample-snapshot.ts';

const api = apiPerFile();
let host: EnrolledHost;

beforeEach(async () => {
  host = await enrol(api);
});

const upload = (bytes: Uint8Array, headers: Record<string, string> = {}, from = host) =>
  uploadBytes(api, from, bytes, headers);
const uploadsOf = async (id = host.id) => (await api.admin.get(`/api/v1/hosts/${id}/uploads`)).body;
const hostNow = async () => (await api.admin.get(`/api/v1/hosts/${host.id}`)).body;

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
    const stored = await api.admin.get(`/api/v1/hosts/${host.id}/snapshot`);
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
    await api.admin.delete(`/api/v1/hosts/${host.id}`);
    expect((await upload(sampleSnapshot())).status).toBe(401);
  });

  it('of a host that is deleted during the upload is refused and does not restore the host', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => upload(sampleSnapshot({ subscription: { kind: `${n}` } }))),
      api.admin.delete(`/api/v1/hosts/${host.id}`),
    ]);
    expect(answers.map(({ status }) => status).every((status) => [202, 204, 401].includes(status))).toBe(
      true,
    );
    expect((await api.admin.get(`/api/v1/hosts/${host.id}`)).status).toBe(404);
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
      headers: { Authorization: `Bearer ${api.admin.token}`, Accept: 'application/x-protobuf' },
    });
    expect(latest.headers.get('content-type')).toBe('application/x-protobuf');
    expect(Buffer.from(sent[4] ?? []).equals(Buffer.from(await latest.arrayBuffer()))).toBe(true);
    for (const [n, id] of ids.entries()) {
      const one = await api.admin.get(`/api/v1/hosts/${host.id}/snapshots/${id}`);
      expect(one.body).toMatchObject({ id, host_id: host.id, source: 'agent', schema_version: 1 });
      expect(Buffer.from(one.body.payload, 'base64').equals(sent[n] ?? Buffer.alloc(0))).toBe(true);
    }
    const pages = await readPages(api.admin, `/api/v1/hosts/${host.id}/snapshots?limit=2`);
    expect(totalsOf(pages)).toEqual(['5']);
    const listed = pages.flatMap(({ body }) => body.map(({ id }: { id: string }) => id));
    expect(listed).toEqual([...ids].reverse());
    expect((await uploadsOf()).map(({ state }: { state: string }) => state)).toEqual(
      Array(5).fill('matched'),
    );
  });

  it('of one host are not found under another', async () => {
    const { body } = await upload(sampleSnapshot());
    await parseAndMatch(api.database, [body.snapshot_id]);
    const other = await enrol(api, { hostname: 'other' });
    expect((await api.admin.get(`/api/v1/hosts/${other.id}/snapshots/${body.snapshot_id}`)).status).toBe(404);
  });
});
