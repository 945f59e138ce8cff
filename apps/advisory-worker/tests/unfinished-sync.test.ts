import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { databasePerTest } from '@plimsoll/testing';
import { fetchPages } from '../src/feeds/fetch-pages.ts';
import { type Answer, contextOf, sync, withAccessTo, withMirror } from './worker-under-test.ts';

const feedId = 'cisa-kev';
const etag = '"1"';
const vulnerabilities = Array.from({ length: 400 }, (_, n) => ({
  cveID: `CVE-2026-${10_000 + n}`,
  dateAdded: '2026-11-01',
  notes: 'x'.repeat(500),
}));
const catalog = Buffer.from(JSON.stringify({ vulnerabilities }));
const limits = { stalledMs: 60_000, longestMs: 60_000, reportMs: 20 };

const database = databasePerTest();

/** Sends a file from where the request asks for it; `bytes` of it, and then nothing, if given. */
function send(file: Buffer, range: string | undefined, response: ServerResponse, bytes?: number): void {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? '0');
  response.writeHead(from > 0 ? 206 : 200, {
    etag,
    'content-length': String(file.length - from),
    ...(from > 0 ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {}),
  });
  if (bytes === undefined) response.end(file.subarray(from));
  else response.write(file.subarray(from, from + bytes));
}

describe('a sync that does not end', () => {
  it.each([
    ['does not advance', { ...limits, stalledMs: 2_000 }, /did not advance for 2 seconds/],
    ['takes too long', { ...limits, longestMs: 2_000 }, /ended after 2 seconds, unfinished/],
  ])('is ended if it %s, keeps what it has, and the next one goes on', async (_name, short, sentence) => {
    let isStuck = true;
    const answer: Answer = (request, response) =>
      send(catalog, request.headers.range, response, isStuck ? 50_000 : undefined);
    await withMirror(answer, async (url, asked) => {
      const context = contextOf(database, url);
      await sync({ ...context, limits: short }, feedId);
      expect(await context.feeds.find(feedId)).toMatchObject({
        state: 'failed',
        lastErrorCause: 'timeout',
        lastError: expect.stringMatching(sentence),
      });
      expect(await context.feeds.unfinishedSyncs()).toEqual([]);
      isStuck = false;
      await sync(context, feedId);
      expect(await context.feeds.find(feedId)).toMatchObject({ state: 'ok', records: 400 });
      expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=50000-']);
    });
  });

  it('is begun again if what it fetched cannot be read', async () => {
    let file = Buffer.from('<html>'.repeat(1_000));
    const answer: Answer = (request, response) => send(file, request.headers.range, response);
    await withMirror(answer, async (url, asked) => {
      const context = contextOf(database, url);
      await sync(context, feedId);
      expect(await context.feeds.find(feedId)).toMatchObject({ lastErrorCause: 'not_readable' });
      // With the same validator: the broken file must not be taken for the current one.
      file = catalog;
      await sync(context, feedId);
      expect(await context.feeds.find(feedId)).toMatchObject({ state: 'ok', records: 400 });
      expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
    });
  });
});

describe('a sync with a release that cannot be fetched', () => {
  const errata = (number: string) =>
    Buffer.from(
      JSON.stringify({
        data: [
          {
            id: `ALSA-2026:100${number}`,
            type: 'security',
            severity: 'Important',
            title: 'binary0 security update',
            description: 'x'.repeat(100_000),
            issued_date: 1_767_300_000,
            updated_date: 1_767_400_000,
            references: [],
            packages: [
              {
                name: 'binary0',
                version: '1.0',
                release: `3.el${number}_6`,
                epoch: '0',
                arch: 'x86_64',
                src: '',
              },
            ],
            modules: [],
          },
        ],
      }),
    );

  it('keeps the part of that release alone', async () => {
    let isBroken = true;
    const answer: Answer = (request, response) => {
      const number = /(8|9|10)\/errata/.exec(request.url ?? '')?.[1] ?? '';
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else if (number !== '9' || !isBroken) send(errata(number), request.headers.range, response);
      else {
        send(errata(number), request.headers.range, response, 1_000);
        setImmediate(() => response.socket?.end());
      }
    };
    await withMirror(answer, async (url, asked) => {
      const context = contextOf(database, url);
      await sync(context, 'almalinux-errata');
      const { state, releases } = (await context.feeds.find('almalinux-errata')) ?? { releases: [] };
      expect(state).toBe('failed');
      expect(releases.map(({ lastErrorCause }) => lastErrorCause)).toEqual([null, null, 'cut_off']);
      const kept = path.join(context.downloadSettings.folder, 'plimsoll-feed-almalinux-errata');
      expect((await readdir(kept)).length).toBe(2);

      isBroken = false;
      const before = asked.length;
      await sync(context, 'almalinux-errata');
      expect(await context.feeds.find('almalinux-errata')).toMatchObject({ state: 'ok' });
      const again = asked.slice(before).map(({ headers }) => headers['if-none-match'] ?? headers.range);
      expect(again).toContainEqual(expect.stringMatching(/^bytes=[1-9]\d*-$/));
      expect(again.filter((value) => value === etag).length).toBe(2);
      expect(await readdir(context.downloadSettings.folder)).toEqual([]);
    });
  });

  it('says of each release that it was not synced if the publisher has none of the files', async () => {
    let isGone = false;
    const answer: Answer = (request, response) => {
      const number = /(8|9|10)\/errata/.exec(request.url ?? '')?.[1] ?? '';
      if (isGone) response.writeHead(404).end();
      else send(errata(number), request.headers.range, response);
    };
    await withMirror(answer, async (url) => {
      const context = contextOf(database, url);
      const releases = async () => (await context.feeds.find('almalinux-errata'))?.releases ?? [];
      await sync(context, 'almalinux-errata');
      const before = await releases();
      expect(before.map(({ lastErrorCause }) => lastErrorCause)).toEqual([null, null, null]);
      isGone = true;
      await sync(context, 'almalinux-errata');
      const failed = { lastErrorCause: 'not_found', lastError: expect.stringMatching(/404/) };
      expect(await releases()).toEqual(before.map((release) => ({ ...release, ...failed })));
      isGone = false;
      await sync(context, 'almalinux-errata');
      expect((await releases()).map(({ lastError }) => lastError)).toEqual([null, null, null]);
    });
  });
});

describe('a list of pages that was not read to its end', () => {
  it('is read on from the pages that are still current', async () => {
    let isBroken = true;
    const answer: Answer = (request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page'));
      if (page === 3 && isBroken) response.writeHead(503).end();
      else if (request.headers['if-none-match'] === `"${page}"`) response.writeHead(304).end();
      else {
        const next = page < 3 ? `/?page=${page + 1}` : null;
        const body = { advisories: [{ name: `RLSA-2026:${page}` }], total: 3, links: { next } };
        response.writeHead(200, { etag: `"${page}"` }).end(JSON.stringify(body));
      }
    };
    await withAccessTo(answer, async ({ url, asked, access, folder }) => {
      const source = {
        url: new URL(`${url}?page=1`),
        known: { etag: null, lastModified: null },
        path: path.join(folder, 'list'),
        signal: new AbortController().signal,
      };
      await expect(fetchPages(source, access)).rejects.toMatchObject({ failure: 'server_error' });
      isBroken = false;
      const before = asked.length;
      await expect(fetchPages(source, access)).resolves.toMatchObject({ kind: 'fetched' });
      const again = asked.slice(before).map(({ headers }) => headers['if-none-match']);
      expect(again).toEqual(['"1"', '"2"', undefined]);
    });
  });
});
