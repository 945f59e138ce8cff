// The first sync of every feed by the whole service, from a mirror of their publishers on this machine, and a
// second one. `npm run bench -- first-sync [RECORDS [FEED…]]`: RECORDS of each archive, a hundredth of it in
// each repository.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { feedLayouts, startMirror } from '../feed-mirror/src/index.ts';
import { type BenchService, elapsed, say, withBenchService } from './bench-service.ts';
import { forgetPeak, peakMegabytes } from './service-usage.ts';

const [recordsText = '20000', ...named] = process.argv.slice(2);
const records = Number(recordsText);
const layouts = feedLayouts.filter(({ feedId }) => named.length === 0 || named.includes(feedId));
const proseCharacters = 2_000;

/** A feed of many repositories has the records of each of them; packing by bzip2 is slow here. */
function volumeOf(feedId: string) {
  const share = feedId.endsWith('-updateinfo') ? 100 : feedId === 'suse-csaf' ? 20 : 1;
  return { records: Math.ceil(records / share), proseCharacters };
}

interface Feed {
  readonly id: string;
  readonly state: string;
  readonly records: number;
  readonly last_sync_at: string | null;
  readonly last_error: string | null;
}

async function feedOf({ client }: BenchService, id: string): Promise<Feed> {
  const { body } = await client.get('/feeds');
  const found = (body as readonly Feed[]).find((feed) => feed.id === id);
  if (found === undefined) throw new Error(`no feed ${id}`);
  return found;
}

async function measureSync(bench: BenchService, id: string, what: string): Promise<void> {
  const pid = bench.service.processes('advisory-worker')[0]?.pid;
  await forgetPeak(pid);
  const before = (await feedOf(bench, id)).last_sync_at;
  const startedAt = performance.now();
  let feed = await feedOf(bench, id);
  while (feed.last_sync_at === before) {
    // Repeated, because a request has no effect while the job of an earlier one ends.
    await bench.client.send('POST', `/feeds/${id}/sync`);
    await delay(200);
    feed = await feedOf(bench, id);
  }
  const peak = `${await peakMegabytes(pid)} MB`;
  say(
    `${id}, ${what}: ${feed.state}, ${feed.records} records, ${elapsed(startedAt)} s, ${peak}` +
      (feed.last_error === null ? '' : `\n  ${feed.last_error}`),
  );
}

const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-first-sync-'));
const startedAt = performance.now();
const mirror = await startMirror({ layouts, volume: volumeOf });
try {
  say(`the mirror of ${layouts.length} feeds is ready after ${elapsed(startedAt)} s`);
  const authority = path.join(folder, 'authority.pem');
  await writeFile(authority, mirror.authority);
  await withBenchService(
    async (bench) => {
      for (const { feedId } of layouts) await measureSync(bench, feedId, 'first sync');
      for (const { feedId } of layouts) await measureSync(bench, feedId, 'again');
    },
    { NODE_EXTRA_CA_CERTS: authority, PLIMSOLL_FEEDS_PROXY: mirror.proxyUrl },
  );
} finally {
  await mirror.stop();
  await rm(folder, { recursive: true, force: true });
}
