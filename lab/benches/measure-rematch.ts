import type { Database } from '@plimsoll/db';
import {
  createFollower,
  createSender,
  createServiceClient,
  openLedger,
  percentilesOf,
  prepareReport,
  signIn,
} from '@plimsoll/loadtest';
import { testAdmin } from '@plimsoll/testing';
import { type BenchService, say } from './bench-service.ts';
import { changedRecords, readFeedFile, someOf } from './changed-records.ts';
import type { BenchFleet } from './fleet-setup.ts';
import { type FileToMeasure, measureImport } from './measure-import.ts';
import type { ResultRow } from './result-table.ts';

const uploadsPerSecond = 5;
const patienceMs = 300_000;
/** Made before the import begins. */
const preparedReports = 50;

/**
 * Measures imports with a large fleet until the counts of all hosts are visible: one changed record three times, beside
 * uploads; 100 records; and a whole feed in which all fixed versions changed.
 */
export async function measureRematch(
  bench: BenchService,
  _database: Database,
  seeded: BenchFleet,
): Promise<readonly ResultRow[]> {
  const all = await readFeedFile(seeded.feed);
  const one = all.toSorted((a, b) => fixesOf(b, 'openssl') - fixesOf(a, 'openssl')).slice(0, 1);
  const beside = createTrickle(bench, seeded);
  const seconds: number[] = [];
  const visible: number[] = [];
  for (const run of ['first', 'second', 'third']) {
    const file = { what: `one record about openssl, ${run} change`, file: changedRecords(one) };
    const measured = await beside(() => measureImport(bench, file));
    seconds.push(measured.result.seconds);
    visible.push(...measured.visibleMs);
  }
  const hundred = await imported(bench, { what: '100 records', file: changedRecords(someOf(all, 100)) });
  const whole = await imported(bench, { what: 'all records', file: changedRecords(all) });
  const meanwhile = percentilesOf(visible);
  return [
    rowOf("one advisory until its hosts' counts are visible", 5, Math.max(...seconds), { runs: seconds }),
    {
      what: 'uploads matched during these imports, 202 to visible',
      wanted: 'most 1 s',
      measured: `p50 ${meanwhile.p50} most ${meanwhile.longest} ms, of ${meanwhile.count}`,
      figures: { p50: meanwhile.p50, longest: meanwhile.longest, count: meanwhile.count },
      isMet: meanwhile.longest === null ? null : meanwhile.longest <= 1_000,
    },
    rowOf('100 records', 8, hundred),
    rowOf('all records of Debian changed', 25, whole),
  ];
}

function rowOf(
  what: string,
  wanted: number,
  seconds: number,
  { runs = [seconds] }: { readonly runs?: readonly number[] } = {},
): ResultRow {
  return {
    what,
    wanted: `${wanted} s`,
    measured: `${runs.map((run) => run.toFixed(1)).join(', ')} s`,
    figures: { seconds },
    isMet: seconds <= wanted,
  };
}

async function imported(bench: BenchService, file: FileToMeasure): Promise<number> {
  const { status, seconds } = await measureImport(bench, file);
  if (status !== 'done') throw new Error(`${file.what}: the import ended as ${status}`);
  return seconds;
}

/** Runs work while changed reports of single hosts arrive, and follows each until it is visible. */
function createTrickle({ service }: BenchService, { fleet, originals, tokenOf }: BenchFleet) {
  let revision = 1;
  let next = 0;
  return async <Result>(work: () => Promise<Result>) => {
    const client = createServiceClient(service.url, 16);
    const session = await signIn(client, testAdmin);
    const follower = createFollower(client, { session, every: 1, patienceMs });
    const sender = createSender(client, openLedger(null));
    let isRunning = true;
    const sent: Promise<void>[] = [];
    const prepareNext = () => {
      const host = next % originals.length;
      if (host === originals.length - 1) revision += 1;
      next += 1;
      return { host, report: prepareReport(fleet, host, { day: 0, at: new Date(), revision }) };
    };
    // Making a report takes as much of the processor as matching it.
    const prepared = Array.from({ length: preparedReports }, prepareNext);
    const sendOne = async ({ host, report }: ReturnType<typeof prepareNext>): Promise<void> => {
      const hostId = originals[host] ?? '';
      const answer = await sender.send({ member: { host, hostId, token: tokenOf(host) }, round: 0, report });
      if (answer.uploadId !== null && answer.answer === 'queued') follower.follow(hostId, answer.uploadId);
    };
    const lane = (async () => {
      while (isRunning) {
        sent.push(sendOne(prepared.shift() ?? prepareNext()));
        await new Promise((resolve) => setTimeout(resolve, 1_000 / uploadsPerSecond));
      }
    })();
    const result = await work();
    isRunning = false;
    await lane;
    await Promise.all(sent);
    const visibleMs = await follower.finish();
    client.close();
    return { result, visibleMs };
  };
}

/** Measures matching and counting everything again, as after an upgrade with other rules. */
export async function measureFromNothing(
  { service }: BenchService,
  { pool }: Database,
): Promise<readonly ResultRow[]> {
  const [worker] = service.processes('advisory-worker');
  const ended = new Promise((resolve) => worker?.once('exit', resolve));
  worker?.kill('SIGTERM');
  await ended;
  // Releases without a feed are parsed again instead, for which copied hosts lack the bytes.
  await pool.query('UPDATE releases SET rules = 0 WHERE feed_id IS NOT NULL');
  await pool.query(
    'UPDATE package_versions v SET rules = 0 FROM releases r WHERE r.id = v.release_id AND r.rules = 0',
  );
  const startedAt = performance.now();
  service.start('advisory-worker');
  for (;;) {
    const { rows } = await pool.query<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM package_versions WHERE rules = 0) OR EXISTS (SELECT FROM releases WHERE rules = 0) AS open`,
    );
    if (rows[0]?.open === false) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`everything from nothing: ${seconds.toFixed(1)} s`);
  return [rowOf('everything from nothing', 15, seconds)];
}

/** The number of releases for which an OSV record states a fix of a package. */
function fixesOf(record: object, name: string): number {
  const { affected = [] } = record as {
    readonly affected?: readonly { readonly package?: { readonly name?: string } }[];
  }; // The file is of this format.
  return affected.filter((entry) => entry.package?.name === name && JSON.stringify(entry).includes('"fixed"'))
    .length;
}
