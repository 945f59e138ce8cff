import { once } from 'node:events';
import http from 'node:http';
import zlib from 'node:zlib';
import type { Feed } from '@plimsoll/contract';
import type { ImportId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { type ApiUnderTest, setUp, startApi } from './api-under-test.ts';

const octets = { 'Content-Type': 'application/octet-stream' };
const osv = Buffer.from('{"id":"DEBIAN-CVE-2024-6387","affected":[]}\n');
const mebibyte = 1024 * 1024;

let api: ApiUnderTest;
let token: string;

beforeAll(async () => {
  api = await startApi();
  token = await setUp(api);
  await api.context.stores.feeds.ensure(['debian-osv']);
});
afterAll(() => api.stop());

const send = (bytes: Uint8Array, query = '', headers: Record<string, string> = {}) =>
  api.post(`/api/v1/feeds/import${query}`, { token, bytes, headers: { ...octets, ...headers } });

async function storedFile(id: ImportId): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of api.context.stores.imports.chunks(id)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const importRows = () => api.database.db.prisma.feedImport.count();

describe('feeds', () => {
  it('are listed with their state', async () => {
    const answer = await api.get('/api/v1/feeds', { token });
    expect(answer.body).toEqual([
      {
        id: 'debian-osv',
        state: 'never_synced',
        records: 0,
        updated_at: null,
        last_sync_at: null,
        next_sync_at: null,
        last_error: null,
        last_error_cause: null,
        consecutive_failures: 0,
        ways_out: [],
        import_only: false,
      },
    ]);
  });

  it('say whether they can be fetched at all', async () => {
    await api.context.stores.feeds.ensure(['redhat-updateinfo']);
    const { body } = await api.get('/api/v1/feeds', { token });
    expect(Object.fromEntries(body.map(({ id, import_only }: Feed) => [id, import_only]))).toEqual({
      'debian-osv': false,
      'redhat-updateinfo': true,
    });
  });

  it('are not synced where they have no public address, and say what to do instead', async () => {
    await api.context.stores.feeds.ensure(['redhat-updateinfo']);
    const answer = await api.post('/api/v1/feeds/redhat-updateinfo/sync', { token });
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    expect(answer.body.detail).toMatch(/feeds\.urls/);
    expect((await api.context.queue.counts(5_000))['advisory-sync'].waiting).toBe(0);
  });

  it('are synced, too, from the one address that an operator gave', async () => {
    const own = await startApi({
      ownFeedFiles: new Map([['redhat-updateinfo', 'https://m.example/u.xml.gz']]),
    });
    try {
      const ownToken = await setUp(own);
      await own.context.stores.feeds.ensure(['redhat-updateinfo']);
      expect((await own.post('/api/v1/feeds/redhat-updateinfo/sync', { token: ownToken })).status).toBe(202);
      expect((await own.get('/api/v1/feeds', { token: ownToken })).body).toMatchObject([
        { state: 'never_synced' },
      ]);
    } finally {
      await own.stop();
    }
  });

  it('are synced on request', async () => {
    const answer = await api.post('/api/v1/feeds/debian-osv/sync', { token });
    expect([answer.status, answer.body]).toEqual([202, { feed_id: 'debian-osv', status: 'queued' }]);
    const waiting = async () => (await api.context.queue.counts(5_000))['advisory-sync'].waiting;
    await waitFor('the job', async () => (await waiting()) === 1); // the answer does not wait for the queue
  });

  it('answer when the sync is done, for who waits', async () => {
    let answered = false;
    const fail = waitFor('the answer', async () => {
      await api.context.stores.feeds.fail('debian-osv', {
        cause: 'dns',
        sentence: 'not reachable',
        retryAfterMs: null,
      });
      return answered;
    });
    const answer = await api.post('/api/v1/feeds/debian-osv/sync', {
      token,
      headers: { Prefer: 'wait=20' },
    });
    answered = true;
    await fail;
    expect([answer.status, answer.body.state, answer.body.last_error]).toEqual([
      200,
      'failed',
      'not reachable',
    ]);
  });

  it.each(['nothing', 'a'.repeat(101), '..', 'A'])('that do not exist cannot be synced: %s', async (id) => {
    expect((await api.post(`/api/v1/feeds/${id}/sync`, { token })).status).toBe(404);
  });
});

describe('an import', () => {
  it('is stored to the byte and queued', async () => {
    const file = Buffer.concat([osv, Buffer.alloc(3 * mebibyte + 17, 0x20)]);
    const answer = await send(file, '?format=osv');
    expect([answer.status, answer.body.status]).toEqual([202, 'queued']);
    expect(answer.headers['location']).toBe(`/api/v1/feeds/imports/${answer.body.import_id}`);
    expect((await storedFile(answer.body.import_id)).equals(file)).toBe(true);
    const found = await api.get(answer.headers['location'] ?? '', { token });
    expect(found.body).toEqual({
      import_id: answer.body.import_id,
      status: 'queued',
      records_read: 0,
      records_changed: 0,
      records_rejected: 0,
      errors: [],
      started_at: null,
      finished_at: null,
    });
  });

  it.each([
    ['JSON', Buffer.from(' \n[{"id":"x"}]')],
    ['JSON with a byte order mark', Buffer.from('\ufeff{"id":"x"}')],
    ['gzip', zlib.gzipSync(osv)],
    ['zip', Buffer.from('PK\x03\x04 and so on')],
    ['XML', Buffer.from('<?xml version="1.0"?><updates/>')],
    ['lifecycles', Buffer.from('version,codename,series,created,release,eol\n')],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0])],
    ['scores', Buffer.from('#model_version:v1\ncve,epss,percentile\n')],
  ])('takes %s as it is, to be told by its records', async (_, bytes) => {
    const { body } = await send(bytes);
    const row = await api.context.stores.imports.find(body.import_id);
    expect([row?.format, row?.complete, row?.release]).toEqual(['auto', false, '']);
  });

  it('is the whole feed, or of a release, where that is said', async () => {
    const { body } = await send(osv, '?complete=true&release=debian:12&format=updateinfo');
    const row = await api.context.stores.imports.find(body.import_id);
    expect([row?.format, row?.complete, row?.release]).toEqual(['updateinfo', true, 'debian:12']);
  });

  it('that is sent compressed is stored decompressed', async () => {
    const { body } = await send(zlib.gzipSync(osv), '', { 'Content-Encoding': 'gzip' });
    expect((await storedFile(body.import_id)).equals(osv)).toBe(true);
  });

  it.each([
    ['an empty file', Buffer.alloc(0), '', ''],
    ['what nobody knows', Buffer.from('hello'), '', ''],
    ['xz', Buffer.from('\xfd7zXZ\x00', 'latin1'), '', ''],
    ['a format that there is none of', osv, '?format=pdf', '/format'],
    ['a release that is none', osv, '?release=almalinux', '/release'],
    ['a release that nobody knows', osv, '?release=gentoo:1', '/release'],
    ['a yes that is none', osv, '?complete=yes', '/complete'],
    ['a parameter nobody knows', osv, '?dry_run=true', '/dry_run'],
  ])('is refused: %s', async (_, bytes, query, pointer) => {
    const before = await importRows();
    const answer = await send(bytes, query);
    expect([answer.status, answer.body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      422,
      [pointer],
    ]);
    expect(await importRows()).toBe(before);
  });

  it.each(['application/json', 'application/zip', 'multipart/form-data; boundary=x'])(
    'is refused as %s',
    async (type) => {
      expect((await send(osv, '', { 'Content-Type': type })).body.code).toBe('unsupported_media_type');
    },
  );

  it('that is larger than 2 GiB by its own word is refused before it is read', async () => {
    const sending = http.request(`${api.url}/api/v1/feeds/import`, {
      method: 'POST',
      headers: { ...octets, Authorization: `Bearer ${token}`, 'Content-Length': 2 * 1024 * mebibyte + 1 },
    });
    sending.flushHeaders();
    const [response]: http.IncomingMessage[] = await once(sending, 'response');
    expect(response?.statusCode).toBe(413);
    sending.destroy();
  });

  it('that breaks off leaves nothing', async () => {
    const before = await importRows();
    const sending = http.request(`${api.url}/api/v1/feeds/import?format=osv`, {
      method: 'POST',
      headers: { ...octets, Authorization: `Bearer ${token}`, 'Content-Length': 8 * mebibyte },
    });
    sending.on('error', () => undefined); // the connection is cut here
    sending.write(Buffer.alloc(3 * mebibyte, 0x7b));
    await waitFor('a part of the file to be stored', async () => (await importRows()) === before + 1);
    sending.destroy();
    await waitFor('the part to be gone', async () => (await importRows()) === before);
    expect(
      await api.database.db.prisma.feedImportChunk.count({ where: { import: { state: 'receiving' } } }),
    ).toBe(0);
  });

  it('that is broken gzip by its Content-Encoding leaves nothing', async () => {
    const before = await importRows();
    const whole = zlib.gzipSync(Buffer.alloc(5 * mebibyte, 0x7b));
    const answer = await send(whole.subarray(0, whole.length - 9), '', { 'Content-Encoding': 'gzip' });
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_request']);
    expect(await importRows()).toBe(before);
  });

  it('answers when it is done, for who waits', async () => {
    const problems = [{ pointer: 'line 1', detail: 'is odd' }];
    const work = waitFor('the import to be there', async () => {
      const waiting = await api.database.db.prisma.feedImport.findFirst({
        where: { state: 'queued', release: 'debian:99' },
      });
      if (waiting === null) return false;
      await api.context.stores.imports.begin(waiting.id as ImportId);
      await api.context.stores.imports.fail(waiting.id as ImportId, {
        recordsRead: 3,
        recordsRejected: 1,
        errors: problems,
      });
      return true;
    });
    const answer = await send(osv, '?release=debian:99', { Prefer: 'wait=20' });
    await work;
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, 'wait=20']);
    expect(answer.body).toMatchObject({
      status: 'failed',
      records_read: 3,
      records_rejected: 1,
      errors: problems,
    });
    expect(answer.body.finished_at).not.toBeNull();
  });
});
