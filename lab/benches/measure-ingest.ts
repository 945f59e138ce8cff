import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createEnrolmentStore, type Database } from '@plimsoll/db';
import { longestOf } from '@plimsoll/loadtest';
import { enrolmentOf, issueToken } from '@plimsoll/testing';
import { fleetModels } from './bench-fleet.ts';
import { type BenchService, say } from './bench-service.ts';
import { ReportMaker } from './ingest-bodies.ts';
import type { ResultRow } from './result-table.ts';
import { type ReportToSend, type SentReports, sendReports } from './send-reports.ts';
import { measureUsage, type UsageOf } from './service-usage.ts';

/** One phase's figures. */
export interface IngestFigures {
  readonly phase: string;
  readonly uploads: number;
  readonly sent: SentReports;
  readonly drainedSeconds: number;
  readonly visibleMs: readonly [number, number] | null;
  readonly usage: UsageOf;
}

/** The settings of a service whose ingest is measured. */
export const ingestSettings = {
  // One host of the bench stands for many: the limits of one host must not end a phase.
  PLIMSOLL_UPLOADS_BURST: '1000',
  PLIMSOLL_UPLOADS_EVERY_SECONDS: '1',
  PLIMSOLL_UPLOADS_MEBIBYTES_PER_DAY: '10000',
  PLIMSOLL_UPLOADS_NEW_PACKAGES_PER_DAY: '10000000',
};

/** What is measured. */
export interface IngestPlan {
  /** Hosts that report; they are enrolled before. */
  readonly hosts: number;
  /** Uploads of the wave. */
  readonly wave: number;
  /** Of `known`, `new`, `paced`, `beside`, `wave` and `unchanged`. */
  readonly phases: ReadonlySet<string>;
  /** What the uploads of `beside`, at the pace of `paced`, go on with. */
  readonly beside?: () => Promise<void>;
}

/** Uploads a second in the phase `paced`: half of what is wanted of changed ones. */
const pace = 125;
/** Uploads a second that send a wave of 100,000 in eight minutes. */
const wavePace = 210;

/** Enrols hosts, warms the service up, and measures each phase until its uploads have ended. Prints a line per phase. */
export async function measurePhases(
  bench: BenchService,
  database: Database,
  { hosts, wave, phases, beside = async () => undefined }: IngestPlan,
): Promise<readonly IngestFigures[]> {
  const tokens = await enrolHosts(database, hosts);
  const [model] = await fleetModels('', new Set());
  if (model === undefined) throw new Error('the example is empty');
  const maker = new ReportMaker(model);
  const report = (host: number, round: number, kind: 'known' | 'new'): ReportToSend => ({
    token: tokens[host % tokens.length] ?? '',
    body: maker.report(host % tokens.length, round, kind),
  });
  const round = (number: number, kind: 'known' | 'new', count = hosts) =>
    Array.from({ length: count }, (_, index) => report(index, number + Math.floor(index / hosts), kind));
  const vocabulary = maker.vocabulary().map((body, index) => ({ token: tokens[index] ?? '', body }));
  const all: IngestFigures[] = [];
  const measure = async (
    phase: string,
    reports: readonly ReportToSend[],
    connections = 16,
    perSecond?: number,
  ) => {
    const pacing = { connections, ...(perSecond === undefined ? {} : { perSecond }) };
    all.push(await measurePhase(bench, database, phase, reports, pacing));
  };
  await measure('versions', vocabulary);
  await measure('first', round(1, 'known'));
  await measure('warm', round(2, 'known'));
  if (phases.has('known')) await measure('known', round(3, 'known', 2 * hosts));
  if (phases.has('new')) {
    await measure('new', round(10, 'new'));
    // Back to known versions: more changes than the measured phases have.
    await measure('after new', round(19, 'known'));
  }
  if (phases.has('paced')) await measure('paced', round(20, 'known'), 64, pace);
  if (phases.has('beside'))
    await Promise.all([measure('beside', round(60, 'known', 4 * hosts), 64, pace), beside()]);
  if (phases.has('wave')) {
    await measure('wave', round(30, 'known', wave), 64);
    await measure('paced wave', round(40, 'known', wave), 64, wavePace);
  }
  if (phases.has('unchanged')) {
    const same = round(50, 'known');
    await measure('before unchanged', same);
    await measure('unchanged', Array.from({ length: 5 }, () => same).flat(), 32);
  }
  return all;
}

/** Measures all phases with so many reporting hosts beside a large fleet, as rows of its table. */
export async function measureIngest(
  bench: BenchService,
  database: Database,
  hosts: number,
): Promise<readonly ResultRow[]> {
  const phases = new Set(['known', 'new', 'paced', 'wave', 'unchanged']);
  const figures = await measurePhases(bench, database, { hosts, wave: 5 * hosts, phases });
  return figures.flatMap((one) => rowsOf(one));
}

/** Uploads of the wave that the table is about. */
const wholeWave = 100_000;

function rowsOf(one: IngestFigures): readonly ResultRow[] {
  const { phase, uploads, sent, drainedSeconds, visibleMs: visible, usage } = one;
  const accepted = Math.round(uploads / sent.seconds);
  const ended = Math.round(uploads / drainedSeconds);
  const p99 = longestOf(sent.durations, 0.99);
  const refused = [...sent.refused.values()].reduce((sum, count) => sum + count, 0);
  const minutes = wholeWave / ended / 60;
  const visibleP99 = visible?.[1] ?? null;
  const walKilobytes = Math.round(usage.walBytes / uploads / 102.4) / 10;
  const cpuMs =
    Math.round(Object.values(usage.cpuMs).reduce((sum, ms) => sum + ms, 0) / uploads / 0.01) / 100;
  const figures = { accepted, ended, p99, refused, visibleP99, walKilobytes, cpuMs };
  const row = (what: string, wanted: string, measured: string, isMet: boolean): ResultRow[] => [
    {
      what,
      wanted,
      measured: `${measured}; ${cpuMs} ms CPU, ${walKilobytes} kB WAL each${refused === 0 ? '' : `, ${refused} refused`}`,
      figures,
      isMet: isMet && refused === 0,
    },
  ];
  switch (phase) {
    case 'known':
      return row('changed uploads, versions known', '250 a second', `${ended} a second`, ended >= 250);
    case 'new':
      return row(
        'changed uploads, 10 % of the versions new',
        '120 a second',
        `${ended} a second`,
        ended >= 120,
      );
    case 'paced':
      return row(
        `202 to visible at ${pace} changed uploads a second`,
        'p99 2 s',
        `p99 ${visibleP99} ms`,
        visibleP99 !== null && visibleP99 < 2_000,
      );
    case 'wave':
      return row(
        'a wave of 100,000 changed uploads, 64 at a time without a pause',
        '8 min',
        `${minutes.toFixed(1)} min by one of ${uploads}, accepted in p99 ${p99} ms`,
        minutes <= 8,
      );
    case 'paced wave':
      return row(
        `a wave that sends ${wavePace} changed uploads a second`,
        'accepted in p99 200 ms',
        `p99 ${p99} ms, ${ended} a second ended`,
        p99 <= 200,
      );
    case 'unchanged':
      return row(
        'unchanged uploads',
        '1,500 a second, p99 50 ms',
        `${accepted} a second, p99 ${p99} ms`,
        accepted >= 1_500 && p99 <= 50,
      );
    default:
      return [];
  }
}

async function measurePhase(
  bench: BenchService,
  database: Database,
  phase: string,
  reports: readonly ReportToSend[],
  pacing: Parameters<typeof sendReports>[2],
): Promise<IngestFigures> {
  const from = new Date();
  const startedAt = performance.now();
  const { result, usage } = await measureUsage(bench, database.pool, async () => {
    const sent = await sendReports(bench.service.url, reports, pacing);
    while ((await pendingUploads(database)) > 0) await delay(100);
    return { sent, drainedSeconds: (performance.now() - startedAt) / 1_000 };
  });
  const figures = {
    phase,
    uploads: reports.length,
    ...result,
    usage,
    visibleMs: await visibleMs(database, from),
  };
  print(figures);
  return figures;
}

function print({ phase, uploads, sent, drainedSeconds, visibleMs, usage }: IngestFigures): void {
  const per = (ms: number) => (ms / uploads).toFixed(2);
  const cpu = Object.entries(usage.cpuMs)
    .filter(([, ms]) => ms / uploads >= 0.005)
    .map(([name, ms]) => `${name} ${per(ms)}`);
  const peaks = Object.entries(usage.peakMegabytes).map(([name, megabytes]) => `${name} ${megabytes}`);
  const total = Object.values(usage.cpuMs).reduce((sum, ms) => sum + ms, 0);
  say(
    [
      `${phase}: ${uploads} uploads, accepted ${Math.round(uploads / sent.seconds)} a second`,
      `p50 ${longestOf(sent.durations, 0.5)} p99 ${longestOf(sent.durations, 0.99)} ms`,
      `ended ${Math.round(uploads / drainedSeconds)} a second`,
      visibleMs === null ? 'none matched' : `202 to visible p50 ${visibleMs[0]} p99 ${visibleMs[1]} ms`,
      `refused ${[...sent.refused].map(([status, count]) => `${status}: ${count}`).join(' ') || 'none'}`,
      `CPU ms an upload ${per(total)}: ${cpu.join(', ')}`,
      `${(usage.commits / uploads).toFixed(1)} commits, ${(usage.walBytes / uploads / 1024).toFixed(1)} kB WAL an upload`,
      `peak MB ${peaks.join(', ')}`,
      `load ${usage.load}`,
    ].join('; '),
  );
}

async function enrolHosts(database: Database, count: number): Promise<readonly string[]> {
  const { secret } = await issueToken(database, { autoApprove: true });
  const store = createEnrolmentStore(database, { burst: count, perMinute: count });
  const tokens: string[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const lane = async () => {
    for (const number of numbers) {
      const token = `plh_${randomBytes(32).toString('base64url')}`;
      tokens[number] = token;
      const machineId = number.toString(16).padStart(32, '0');
      const hostname = `bench-${number}`;
      await store.enrol(
        enrolmentOf(secret, {
          accessTokenHash: new Uint8Array(createHash('sha256').update(token).digest()),
          machineId,
          hostname,
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  // As for a fleet that enrolled days ago.
  await database.pool.query('UPDATE hosts SET shares_allowance_until = NULL');
  await database.pool.query('ANALYZE');
  return tokens;
}

async function pendingUploads({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM uploads WHERE state IN ('received', 'parsed')`,
  );
  return rows[0]?.n ?? 0;
}

/** The p50 and p99 from an upload's acceptance to the transaction that matched it. */
async function visibleMs({ pool }: Database, from: Date): Promise<readonly [number, number] | null> {
  const { rows } = await pool.query<{ p50: number | null; p99: number | null }>(
    `SELECT round(percentile_disc(0.5) WITHIN GROUP (ORDER BY ms))::int AS p50, round(percentile_disc(0.99) WITHIN GROUP (ORDER BY ms))::int AS p99
     FROM (SELECT extract(epoch FROM ended_at - received_at) * 1000 AS ms FROM uploads WHERE state = 'matched' AND received_at >= $1) m`,
    [from],
  );
  const [{ p50 = null, p99 = null } = {}] = rows;
  return p50 === null || p99 === null ? null : [p50, p99];
}
