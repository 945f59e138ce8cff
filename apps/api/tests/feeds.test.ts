import { once } from 'node:events';
import http from 'node:http';
import zlib from 'node:zlib';
import type { Feed } from '@plimsoll/contract';
import { createFeedStore, createImportStore, newId } from '@plimsoll/db';
import type { HostId, ImportId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { apiPerFile, setUp, startApi } from './api-under-test.ts';

const octets = { 'Content-Type': 'application/octet-stream' };
const osv = Buffer.from('{"id":"DEBIAN-CVE-2024-6387","affected":[]}\n');
const mebibyte = 1024 * 1024;

const api = apiPerFile();

beforeAll(async () => {
  await api.context.stores.feeds.ensure(['debian-osv']);
});

const send = (bytes: Uint8Array, query = '', headers: Record<string, string> = {}) =>
  api.admin.post(`/api/v1/feeds/import${query}`, { bytes, headers: { ...octets, ...headers } });

async function storedFile(id: ImportId): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of api.context.stores.imports.chunks(id)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const importRows = () => api.database.db.prisma.feedImport.count();

describe('feeds', () => {
  it('are listed with their state', async () => {
    const answer = await api.admin.get('/api/v1/feeds');
    expect(answer.body).toEqual([
      {
        id: 'debian-osv',
        title: 'Debian',
        kind: 'advisories',
        state: 'never_synced',
        freshness: 'never_synced',
        stale_after_seconds: 259_200,
        needed_by_hosts: 0,
        records: 0,
        updated_at: null,
        last_sync_at: null,
        next_sync_at: null,
        sync: null,
        last_error: null,
        last_error_cause: null,
        releases: [],
        consecutive_failures: 0,
        ways_out: [],
        import_only: false,
        alternatives: ['debian-tracker'],
        limits: [],
        overrides: [],
      },
    ]);
  });

  describe('in use', () => {
    const insertHost = async (release: string, feedId: string) => {
      const { prisma } = api.database.db;
      await api.context.stores.feeds.ensure([feedId]);
      const { id: releaseId } = await prisma.release.create({ data: { name: release, feedId } });
      await prisma.host.create({
        data: {
          id: newId<HostId>(),
          onboardingMode: 'agent',
          approvalStatus: 'approved',
          displayName: release,
          hostname: release,
          contact: { create: { lastSeenAt: new Date(), staleAfterSeconds: 3_600 } },
          state: { create: { releaseId } },
        },
      });
    };
    const feed = async (id: string): Promise<Feed> =>
      (await api.admin.get('/api/v1/feeds')).body.find((row: Feed) => row.id === id);
    const codes = ({ ways_out }: Feed) => ways_out.map(({ code }) => code);

    beforeAll(async () => {
      await insertHost('almalinux:9', 'almalinux-osv');
      await api.context.stores.feeds.ensure(['almalinux-updateinfo', 'redhat-cve', 'cisa-kev']);
    });
    afterAll(async () => {
      await api.database.db.prisma.host.deleteMany();
      await api.database.db.prisma.release.deleteMany();
      await api.database.db.prisma.feed.deleteMany({ where: { id: { not: 'debian-osv' } } });
    });

    it('count the hosts that need them: hosts they cover, and hosts only they know something about', async () => {
      const needed = async (id: string) => (await feed(id)).needed_by_hosts;
      expect(await needed('almalinux-osv')).toBe(1);
      expect(await needed('almalinux-updateinfo')).toBe(0);
      expect(await needed('redhat-cve')).toBe(1);
      expect(await needed('cisa-kev')).toBe(1);
      expect(await needed('debian-osv')).toBe(0);
    });

    it('without data say what to do if hosts need them, and which other feeds could cover the hosts', async () => {
      const fetched = await feed('almalinux-osv');
      expect([fetched.freshness, codes(fetched)]).toEqual(['never_synced', ['sync', 'import', 'other_feed']]);
      expect(fetched.ways_out.at(-1)?.text).toContain('almalinux-updateinfo');
      expect(codes(await feed('redhat-cve'))).toEqual(['import', 'mirror']);
      expect(codes(await feed('almalinux-updateinfo'))).toEqual([]);
    });

    it("are outdated by the feed's threshold, whatever the last sync did", async () => {
      const { prisma } = api.database.db;
      const data = { state: 'ok', updatedAt: new Date(Date.now() - 5 * 86_400_000) };
      await prisma.feed.update({ where: { id: 'almalinux-osv' }, data });
      const outdated = await feed('almalinux-osv');
      expect([outdated.state, outdated.freshness, codes(outdated)[0]]).toEqual(['ok', 'outdated', 'sync']);
      await createFeedStore(api.database.as('advisory-worker')).setThresholds(
        new Map([['almalinux-osv', 8 * 86_400]]),
      );
      const current = await feed('almalinux-osv');
      expect([current.freshness, codes(current)]).toEqual(['current', []]);
    });

    it('say why a sync failed and what to do, and nothing about waiting if no sync is planned', async () => {
      await createFeedStore(api.database.as('advisory-worker')).fail('cisa-kev', {
        cause: 'rate_limited',
        sentence: 'Asked too often.',
        retryAfterMs: null,
      });
      expect(codes(await feed('cisa-kev'))).toEqual(['sync', 'mirror', 'import']);
      await api.database.db.prisma.feed.update({
        where: { id: 'cisa-kev' },
        data: { nextSyncAt: new Date() },
      });
      const failed = await feed('cisa-kev');
      expect(failed).toMatchObject({ last_error: 'Asked too often.', last_error_cause: 'rate_limited' });
      expect(codes(failed)).toEqual(['wait', 'mirror', 'import']);
    });

    it('have metrics in the same terms', async () => {
      const { text } = await api.get('/metrics');
      for (const line of [
        'plimsoll_feed_freshness{feed="almalinux-osv",freshness="current"} 1',
        'plimsoll_feed_freshness{feed="almalinux-osv",freshness="outdated"} 0',
        'plimsoll_feed_freshness{feed="redhat-cve",freshness="never_synced"} 1',
        'plimsoll_feed_stale_after_seconds{feed="almalinux-osv"} 691200',
        'plimsoll_feed_consecutive_failures{feed="cisa-kev"} 1',
        'plimsoll_feed_hosts{feed="almalinux-osv"} 1',
      ])
        expect(text).toContain(line);
      expect(text).toMatch(/plimsoll_feed_age_seconds\{feed="almalinux-osv"\} 43\d{4}/);
      expect(text).not.toContain('plimsoll_feed_age_seconds{feed="redhat-cve"}');
    });
  });

  it('say whether they can be fetched', async () => {
    await api.context.stores.feeds.ensure(['redhat-updateinfo']);
    const { body } = await api.admin.get('/api/v1/feeds');
    expect(Object.fromEntries(body.map(({ id, import_only }: Feed) => [id, import_only]))).toEqual({
      'debian-osv': false,
      'redhat-updateinfo': true,
    });
  });

  it('without a public address are not synced, and say what to do instead', async () => {
    await api.context.stores.feeds.ensure(['redhat-updateinfo']);
    const answer = await api.admin.post('/api/v1/feeds/redhat-updateinfo/sync');
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    expect(answer.body.detail).toMatch(/feeds\.urls/);
    expect((await api.context.queue.counts(5_000))['advisory-sync'].waiting).toBe(0);
  });

  it('are synced from the single address that an operator set, which the API does not know', async () => {
    const own = await startApi();
    try {
      const ownToken = await setUp(own);
      await own.context.stores.feeds.ensure(['redhat-updateinfo']);
      await createFeedStore(own.database.as('advisory-worker')).setOwnFiles(['redhat-updateinfo']);
      expect((await own.post('/api/v1/feeds/redhat-updateinfo/sync', { token: ownToken })).status).toBe(202);
      expect((await own.get('/api/v1/feeds', { token: ownToken })).body).toMatchObject([
        { state: 'never_synced', import_only: false },
      ]);
    } finally {
      await own.stop();
    }
  });

  it('are synced on request', async () => {
    const answer = await api.admin.post('/api/v1/feeds/debian-osv/sync');
    expect([answer.status, answer.body]).toEqual([202, { feed_id: 'debian-osv', status: 'queued' }]);
    const waiting = async () => (await api.context.queue.counts(5_000))['advisory-sync'].waiting;
    await waitFor('the job', async () => (await waiting()) === 1); // the answer does not wait for the queue
  });

  it('answer when the sync is done, if the client waits', async () => {
    let answered = false;
    const fail = waitFor('the answer', async () => {
      await createFeedStore(api.database.as('advisory-worker')).fail('debian-osv', {
        cause: 'dns',
        sentence: 'not reachable',
        retryAfterMs: null,
      });
      return answered;
    });
    const answer = await api.admin.post('/api/v1/feeds/debian-osv/sync', { headers: { Prefer: 'wait=20' } });
    answered = true;
    await fail;
    expect([answer.status, answer.body.state, answer.body.last_error]).toEqual([
      200,
      'failed',
      'not reachable',
    ]);
  });

  it.each(['nothing', 'a'.repeat(101), '..', 'A'])('that do not exist cannot be synced: %s', async (id) => {
    expect((await api.admin.post(`/api/v1/feeds/${id}/sync`)).status).toBe(404);
  });
});

describe('an import', () => {
  it('is stored byte for byte and queued', async () => {
    const file = Buffer.concat([osv, Buffer.alloc(3 * mebibyte + 17, 0x20)]);
    const answer = await send(file, '?format=osv');
    expect([answer.status, answer.body.status]).toEqual([202, 'queued']);
    expect(answer.headers['location']).toBe(`/api/v1/feeds/imports/${answer.body.import_id}`);
    expect((await storedFile(answer.body.import_id)).equals(file)).toBe(true);
    const found = await api.admin.get(answer.headers['location'] ?? '');
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
  ])('accepts %s, to be identified by its records', async (_, bytes) => {
    const { body } = await send(bytes);
    const row = await api.context.stores.imports.find(body.import_id);
    expect([row?.format, row?.complete, row?.release]).toEqual(['auto', false, '']);
  });

  it('is a whole feed, or of a release, if the request says so', async () => {
    const { body } = await send(osv, '?complete=true&release=debian:12&format=updateinfo');
    const row = await api.context.stores.imports.find(body.import_id);
    expect([row?.format, row?.complete, row?.release]).toEqual(['updateinfo', true, 'debian:12']);
  });

  it('has the age of its data if it is the whole feed', async () => {
    const { body } = await send(osv, '?complete=true&as_of=2026-01-02T03:04:05%2B01:00');
    const row = await api.context.stores.imports.find(body.import_id);
    expect(row?.asOf).toEqual(new Date('2026-01-02T02:04:05Z'));
    const events = (await api.admin.get('/api/v1/audit-events?action=feed.import_requested')).body;
    expect(JSON.stringify(events)).toContain('"as_of":"2026-01-02T02:04:05Z"');
  });

  it('sent compressed is stored decompressed', async () => {
    const { body } = await send(zlib.gzipSync(osv), '', { 'Content-Encoding': 'gzip' });
    expect((await storedFile(body.import_id)).equals(osv)).toBe(true);
  });

  it.each([
    ['an empty file', Buffer.alloc(0), '', ''],
    ['an unknown value', Buffer.from('hello'), '', ''],
    ['lzip', Buffer.from('LZIP\x01\x0c', 'latin1'), '', ''],
    ['an unknown format', osv, '?format=pdf', '/format'],
    ['an invalid release', osv, '?release=almalinux', '/release'],
    ['an unknown release', osv, '?release=gentoo:1', '/release'],
    ['an invalid boolean', osv, '?complete=yes', '/complete'],
    ['an age of a part', osv, '?as_of=2026-01-02T03:04:05Z', '/as_of'],
    ['an age in the future', osv, '?complete=true&as_of=2999-01-02T03:04:05Z', '/as_of'],
    ['an age that is no time', osv, '?complete=true&as_of=yesterday', '/as_of'],
    ['an unknown parameter', osv, '?dry_run=true', '/dry_run'],
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

  it('with a declared length above 2 GiB is refused before it is read', async () => {
    const sending = http.request(`${api.url}/api/v1/feeds/import`, {
      method: 'POST',
      headers: {
        ...octets,
        Authorization: `Bearer ${api.admin.token}`,
        'Content-Length': 2 * 1024 * mebibyte + 1,
      },
    });
    sending.flushHeaders();
    const [response]: http.IncomingMessage[] = await once(sending, 'response');
    expect(response?.statusCode).toBe(413);
    sending.destroy();
  });

  it('whose connection breaks is not stored', async () => {
    const before = await importRows();
    const sending = http.request(`${api.url}/api/v1/feeds/import?format=osv`, {
      method: 'POST',
      headers: { ...octets, Authorization: `Bearer ${api.admin.token}`, 'Content-Length': 8 * mebibyte },
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

  it('with broken gzip as its Content-Encoding is not stored', async () => {
    const before = await importRows();
    const whole = zlib.gzipSync(Buffer.alloc(5 * mebibyte, 0x7b));
    const answer = await send(whole.subarray(0, whole.length - 9), '', { 'Content-Encoding': 'gzip' });
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_request']);
    expect(await importRows()).toBe(before);
  });

  it('answers when it is done, if the client waits', async () => {
    const problems = [{ pointer: 'line 1', detail: 'is odd' }];
    const work = waitFor('the import to be there', async () => {
      const waiting = await api.database.db.prisma.feedImport.findFirst({
        where: { state: 'queued', release: 'debian:99' },
      });
      if (waiting === null) return false;
      await createImportStore(api.database.as('advisory-worker')).begin(waiting.id as ImportId);
      await createImportStore(api.database.as('advisory-worker')).fail(waiting.id as ImportId, {
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
