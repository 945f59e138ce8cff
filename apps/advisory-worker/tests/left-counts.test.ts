import { createHash } from 'node:crypto';
import { databasePerTest } from '@plimsoll/testing';
import { contextOf, sync, withMirror } from './worker-under-test.ts';

const feedId = 'cisa-kev';
const catalog = Buffer.from(
  JSON.stringify({ vulnerabilities: [{ cveID: 'CVE-2026-10000', dateAdded: '2026-11-01' }] }),
);
const etag = `"${createHash('sha256').update(catalog).digest('hex')}"`;

const database = databasePerTest();

/** A change that another process stored, and died before it counted the hosts. */
const leaveUncounted = () =>
  database.db.pool.query("INSERT INTO version_changes (ids, releases, counted) VALUES ('', $1, false)", [
    ['debian:12'],
  ]);

async function uncounted(): Promise<number> {
  const { rowCount } = await database.db.pool.query('SELECT FROM version_changes WHERE NOT counted');
  return rowCount ?? 0;
}

it.each([
  ['finds its feed unchanged', 200, 'ok'],
  ['cannot fetch its feed', 503, 'failed'],
])('a sync that %s counts the hosts that another process left uncounted', async (_name, status, state) => {
  let answered = 200;
  await withMirror(
    (request, response) => {
      const isKnown = answered === 200 && request.headers['if-none-match'] === etag;
      response.writeHead(isKnown ? 304 : answered, { etag });
      response.end(isKnown ? undefined : catalog);
    },
    async (url) => {
      const context = contextOf(database, url);
      await sync(context, feedId);
      expect(await context.feeds.find(feedId)).toMatchObject({ state: 'ok', records: 1 });
      await leaveUncounted();
      answered = status;
      await sync(context, feedId);
      expect(await context.feeds.find(feedId)).toMatchObject({ state });
      expect(await uncounted()).toBe(0);
    },
  );
});
