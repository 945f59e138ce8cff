import path from 'node:path';
import type { FeedFailureCause } from '@plimsoll/model';
import { databasePerTest } from '@plimsoll/testing';
import { request } from 'undici';
import { connectionFailure } from '../src/feeds/connection-failure.ts';
import { feedMirrorsOf } from '../src/feeds/feed-sources.ts';
import { retryAfterMs } from '../src/feeds/status-failure.ts';
import { closedPort, withTcpServer, withTlsServer } from './loopback-servers.ts';
import { type Answer, contextOf, sync, withFolder, withMirror } from './worker-under-test.ts';

const feedId = 'debian-osv';
const record = (n: number) =>
  `{"id":"CVE-2026-${1000 + n}","affected":[{"package":{"ecosystem":"Debian:12","name":"xz"},"ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"}]}]}]}`;

const database = databasePerTest();

/** The failure in the feed's row after a sync from an address. */
async function failureOf(url: string) {
  const context = contextOf(database, url);
  await sync(context, feedId);
  const row = await context.feeds.find(feedId);
  return { state: row?.state, cause: row?.lastErrorCause, sentence: row?.lastError ?? '' };
}

async function expectCause(url: string, cause: FeedFailureCause, words: RegExp): Promise<void> {
  const failure = await failureOf(url);
  expect(failure).toMatchObject({ state: 'failed', cause, sentence: expect.stringMatching(words) });
  expect(failure.sentence).toMatch(/\.$/);
}

const answering =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end();

describe('the cause of a failed sync', () => {
  it.each<[FeedFailureCause, Answer, RegExp]>([
    ['not_found', answering(404), /answered 404/],
    ['not_found', answering(410), /answered 410/],
    ['access_denied', answering(403), /answered 403/],
    ['access_denied', answering(401), /answered 401/],
    ['rate_limited', answering(429), /answered 429/],
    ['server_error', answering(500), /answered 500/],
    ['server_error', answering(503, { 'retry-after': '7200' }), /answered 503/],
    ['unexpected_status', answering(418), /answered 418/],
    ['unexpected_status', answering(206), /part that was not asked for/],
    ['redirect_refused', answering(302, { location: 'file:///etc/passwd' }), /redirects to file:/],
    ['redirect_refused', answering(302, { location: 'http://[' }), /an invalid URL/],
    ['address_refused', answering(302, { location: 'http://10.0.0.1/' }), /allowed_private_networks/],
    ['not_readable', (_request, response) => response.writeHead(200).end('<html>login</html>'), /\w+/],
    [
      'cut_off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"id"', () => response.destroy());
      },
      /broke off/,
    ],
  ])('is %s', async (cause, answer, words) => {
    await withMirror(answer, (url) => expectCause(url, cause, words));
  });

  it('is dns if the name does not exist', () =>
    expectCause('http://feeds.invalid', 'dns', /name feeds\.invalid cannot be resolved/));

  it('is refused if no server listens', async () =>
    expectCause(
      `http://127.0.0.1:${await closedPort()}`,
      'refused',
      /cannot be connected to \(ECONNREFUSED\)/,
    ));

  it('is cut_off if a server hangs up or uses another protocol', async () => {
    await withTcpServer(
      (socket) => socket.destroy(),
      (url) => expectCause(url, 'cut_off', /broke off/),
    );
    await withTcpServer(
      (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
      (url) => expectCause(url, 'cut_off', /broke off/),
    );
  });

  it('is tls if a certificate is not trusted', () =>
    withTlsServer('untrusted', (url) => expectCause(url, 'tls', /cannot be secured \(DEPTH_ZERO/)));

  it('is certificate_expired if a certificate has expired', () =>
    withTlsServer('expired', (url) => expectCause(url, 'certificate_expired', /has expired/)));

  it('is timeout if a server does not answer', async () => {
    await withTcpServer(
      () => undefined,
      async (url) => {
        const error = await request(url, { headersTimeout: 50 }).catch((thrown: unknown) => thrown);
        expect(connectionFailure(error, { url: new URL(url), proxy: null })).toMatchObject({
          failure: 'timeout',
        });
      },
    );
  });

  it('is not_found for a folder without the file', () =>
    withFolder((folder) => expectCause(`file://${path.join(folder, 'none')}`, 'not_found', /no such file/)));

  it('is incomplete if most stored records are missing', async () => {
    let body = Array.from({ length: 120 }, (_, n) => record(n)).join('\n');
    await withMirror(
      (_request, response) => response.writeHead(200).end(body),
      async (url) => {
        expect(await failureOf(url)).toMatchObject({ state: 'ok', cause: null, sentence: '' });
        body = record(1);
        await expectCause(url, 'incomplete', /lacks/);
      },
    );
  });
});

describe('a failure', () => {
  it('shows no user name, password or query of an address in its row or in the log', async () => {
    const lines: string[] = [];
    const log = { info: () => undefined, warn: (fields: object) => lines.push(JSON.stringify(fields)) };
    const single = (url: string) => feedMirrorsOf(null, [`${feedId}=${url}`]);
    await withMirror(answering(500), async (url) => {
      const guarded = url.replace('http://', 'http://mirroruser:S3cretPw@');
      for (const mirrors of [
        feedMirrorsOf(guarded, []),
        single(`${guarded}/all.zip?sig=PRESIGNED`),
        single(`http://mirroruser:S3cretPw@127.0.0.1:${await closedPort()}/all.zip?sig=PRESIGNED`),
      ]) {
        const context = { ...contextOf(database, null), mirrors };
        await sync({ ...context, log: Object.assign(Object.create(context.log), log) }, feedId);
        const { lastError } = (await context.feeds.find(feedId)) ?? {};
        expect(lastError).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\S+ was not fetched: /);
        expect(`${lastError} ${lines.join()}`).not.toMatch(/S3cretPw|mirroruser|PRESIGNED/);
      }
      expect(lines).toHaveLength(3);
    });
  });

  it('leaves no credentials in the database if the sync works, and the next sync knows the file', async () => {
    const asked: (string | undefined)[] = [];
    await withMirror(
      (request, response) => {
        asked.push(request.headers['if-none-match']);
        response
          .writeHead(asked.length === 1 ? 200 : 304, { etag: '"1"' })
          .end(asked.length === 1 ? record(1) : '');
      },
      async (url) => {
        const guarded = url.replace('http://', 'http://mirroruser:S3cretPw@');
        const mirrors = feedMirrorsOf(null, [`${feedId}=${guarded}/all.json?sig=PRESIGNED`]);
        const context = { ...contextOf(database, null), mirrors };
        await sync(context, feedId);
        await sync(context, feedId);
        expect(asked).toEqual([undefined, '"1"']);
        const { rows } = await database.db.pool.query('SELECT url FROM feed_files WHERE feed_id = $1', [
          feedId,
        ]);
        expect(rows).toHaveLength(1);
        expect(rows[0].url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mirror\/all\.json#[\w-]{22}$/);
      },
    );
  });

  it('is removed by the next successful sync', async () => {
    let answer = answering(500);
    await withMirror(
      (incoming, response) => answer(incoming, response),
      async (url) => {
        await failureOf(url);
        await failureOf(url);
        const { feeds } = contextOf(database, url);
        expect((await feeds.find(feedId))?.consecutiveFailures).toBe(2);
        answer = (_request, response) => response.writeHead(200).end(record(1));
        await failureOf(url);
        expect(await feeds.find(feedId)).toMatchObject({
          state: 'ok',
          lastError: null,
          lastErrorCause: null,
          consecutiveFailures: 0,
        });
      },
    );
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-22T00:00:00Z');
  it.each([
    [null, null],
    ['120', 120_000],
    ['Sun, 22 Nov 2026 00:10:00 GMT', 600_000],
    ['Sat, 21 Nov 2026 00:10:00 GMT', 0],
    ['999999999', 86_400_000],
    ['soon', null],
    ['', null],
  ])('%s', (header, waitMs) => {
    expect(retryAfterMs(header, now)).toBe(waitMs);
  });
});
