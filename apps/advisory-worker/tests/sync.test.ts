import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFeedStore, createImportStore, type FeedStore, newId, systemActor } from '@plimsoll/db';
import type { ImportId } from '@plimsoll/model';
import { databasePerTest } from '@plimsoll/testing';
import { createSyncHandler } from '../src/feeds/sync-handler.ts';
import { type Answer, contextOf, delivery, withMirror } from './worker-under-test.ts';

const records = path.resolve(__dirname, '../../../packages/advisories/testdata/debian-osv');
const feedId = 'debian-osv';

const database = databasePerTest();
let feeds: FeedStore;
beforeEach(async () => {
  feeds = createFeedStore(database.db);
  await feeds.ensure([feedId]);
});

async function sync(baseUrl: string): Promise<void> {
  await createSyncHandler(contextOf(database, baseUrl))({ kind: 'sync', feedId }, delivery);
}

const stored = async () =>
  (await database.db.prisma.advisory.findMany({ orderBy: { externalId: 'asc' } })).map(
    ({ externalId }) => externalId,
  );

async function feedFile(leaveOut?: string): Promise<string> {
  const names = (await readdir(records)).filter((name) => name !== leaveOut).sort();
  const lines = await Promise.all(
    names.map(async (name) => JSON.stringify(JSON.parse(await readFile(path.join(records, name), 'utf8')))),
  );
  return lines.join('\n');
}

describe('a feed sync', () => {
  it('fetches what is new, requests nothing twice, and removes what the feed no longer has', async () => {
    let body = await feedFile();
    let etag = '"1"';
    const answer: Answer = (request, response) => {
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(body);
    };
    await withMirror(answer, async (url, asked) => {
      await sync(url);
      expect(asked[0]?.url).toBe('/mirror/Debian/all.zip');
      expect(await stored()).toHaveLength(12);
      const first = await feeds.find(feedId);
      expect(first).toMatchObject({ state: 'ok', records: 12, lastError: null });
      expect(await feeds.files(feedId)).toMatchObject([{ etag: '"1"' }]);
      await sync(url);
      expect(asked[1]?.headers['if-none-match']).toBe('"1"');
      expect((await feeds.find(feedId))?.lastSyncAt?.getTime()).toBeGreaterThan(
        first?.lastSyncAt?.getTime() ?? 0,
      );
      body = await feedFile('CVE-2024-6387.json');
      etag = '"2"';
      await sync(url);
      expect(await stored()).not.toContain('CVE-2024-6387');
      expect(await feeds.find(feedId)).toMatchObject({ state: 'ok', records: 11 });
    });
  });

  it('refuses a file that lacks most stored records, and keeps them', async () => {
    const recordOf = (n: number) =>
      `{"id":"CVE-2026-${1000 + n}","affected":[{"package":{"ecosystem":"Debian:12","name":"xz"},"ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"}]}]}]}`;
    let body = Array.from({ length: 120 }, (_, n) => recordOf(n)).join('\n');
    await withMirror(
      (_request, response) => response.writeHead(200).end(body),
      async (url) => {
        await sync(url);
        body = recordOf(1);
        await sync(url);
        const lastError = expect.stringMatching(/^(?!.*"complete").*lacks 119 of 120 stored records/);
        expect(await feeds.find(feedId)).toMatchObject({ state: 'failed', records: 120, lastError });
        expect(await stored()).toHaveLength(120);
      },
    );
  });

  it('does not treat a broken record as a removed one', async () => {
    let body = await feedFile();
    await withMirror(
      (_request, response) => response.writeHead(200).end(body),
      async (url) => {
        await sync(url);
        const broken = JSON.stringify({ id: 'CVE-2024-6387', affected: 'all of them' });
        body = `${await feedFile('CVE-2024-6387.json')}\n${broken}`;
        await sync(url);
        expect(await stored()).toContain('CVE-2024-6387');
      },
    );
  });

  it.each<[string, Answer]>([
    ['an error', (_request, response) => response.writeHead(500).end()],
    ['a page instead of the file', (_request, response) => response.writeHead(200).end('<html>login</html>')],
    [
      'half a file',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"id"', () => response.destroy());
      },
    ],
    [
      'a redirect to a private address',
      (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    ],
    ['a redirect to itself', (request, response) => response.writeHead(302, { location: request.url }).end()],
    [
      'a redirect to a file',
      (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
  ])('keeps stored records and shows the reason if the mirror answers with %s', async (_name, answer) => {
    await withMirror(
      async (_request, response) => response.writeHead(200).end(await feedFile()),
      (url) => sync(url),
    );
    await withMirror(answer, (url) => sync(url));
    const feed = await feeds.find(feedId);
    expect(feed).toMatchObject({ state: 'failed', records: 12 });
    expect(feed?.lastError).toMatch(/./);
    expect(await stored()).toHaveLength(12);
  });

  it('reads a folder like a mirror', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-mirror-'));
    try {
      await sync(pathToFileURL(folder).href);
      expect(await feeds.find(feedId)).toMatchObject({ state: 'failed' });
      await mkdir(path.join(folder, 'Debian'));
      await writeFile(path.join(folder, 'Debian', 'all.zip'), await feedFile());
      await sync(pathToFileURL(folder).href);
      expect(await feeds.find(feedId)).toMatchObject({ state: 'ok', records: 12 });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('an import', () => {
  async function importing(content: string, complete = false) {
    const imports = createImportStore(database.db);
    const id = newId<ImportId>();
    await imports.create({ id, format: 'osv', origin: 'upload', complete, release: '' });
    await imports.appendChunk(id, 0, Buffer.from(content));
    await imports.seal(id, content.length, systemActor('test'));
    await createSyncHandler(contextOf(database, 'http://127.0.0.1:1/'))(
      { kind: 'import', importId: id },
      delivery,
    );
    return imports.find(id);
  }

  it('adds and changes records, and removes them only if the file is the whole feed', async () => {
    expect(await importing(await feedFile())).toMatchObject({
      state: 'done',
      recordsRead: 12,
      recordsChanged: 12,
    });
    expect(await importing(await feedFile('CVE-2024-6387.json'))).toMatchObject({ recordsChanged: 0 });
    expect(await stored()).toContain('CVE-2024-6387');
    expect(await importing(await feedFile('CVE-2024-6387.json'), true)).toMatchObject({ recordsChanged: 1 });
    expect(await stored()).not.toContain('CVE-2024-6387');
  });

  it('skips a record older than the stored one, and replaces a renamed one', async () => {
    const newer =
      '{"id":"CVE-2026-1001","modified":"2026-02-01T00:00:00Z","affected":[{"package":{"ecosystem":"Debian:12","name":"xz"},"ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"},{"fixed":"2.0-1"}]}]}]}';
    const older = newer.replace('2026-02-01', '2026-01-01').replace('2.0-1', '9.0-1');
    await importing(newer);
    expect(await importing(older)).toMatchObject({ state: 'done', recordsChanged: 0, recordsRejected: 0 });
    const renamed = newer.replace('"CVE-2026-1001"', '"DEBIAN-CVE-2026-1001","upstream":["CVE-2026-1001"]');
    expect(await importing(renamed)).toMatchObject({ state: 'done' });
    expect(await stored()).toEqual(['DEBIAN-CVE-2026-1001']);
  });

  it("with a few records of a feed does not set the feed's age", async () => {
    await importing(await feedFile());
    const before = (await feeds.find(feedId))?.updatedAt;
    const today = new Date().toISOString();
    const record = `{"id":"CVE-2026-1001","modified":"${today}","affected":[{"package":{"ecosystem":"Debian:12","name":"xz"},"ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"}]}]}]}`;
    await importing(record);
    expect((await feeds.find(feedId))?.updatedAt).toEqual(before);
  });

  it('counts two records with one id as one and a rejected one', async () => {
    const line = (await feedFile()).split('\n')[0];
    const result = await importing(`${line}\n${line}`);
    expect(result).toMatchObject({ state: 'done', recordsRead: 2, recordsChanged: 1, recordsRejected: 1 });
    expect(result?.errors[0]?.detail).toContain('twice');
  });

  it.each([
    ['records of another ecosystem', '{"id":"X-1","affected":[{"package":{"ecosystem":"npm","name":"x"}}]}'],
    ['nothing but broken records', '{"id":"CVE-1-1","affected":7}\n{"id":"CVE-1-2","affected":7}'],
    ['no records', '[]'],
    ['no JSON', 'hello'],
  ])('of %s fails with a sentence and changes nothing', async (_name, content) => {
    const result = await importing(content);
    expect(result).toMatchObject({ state: 'failed' });
    expect(result?.errors[0]?.detail).toMatch(/\w+ \w+/);
    expect(await stored()).toEqual([]);
    expect(await database.db.prisma.feedImportChunk.count()).toBe(0);
  });
});
