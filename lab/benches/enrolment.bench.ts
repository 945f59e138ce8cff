// A fleet enrols with one registration token that approves, against the service as `npm start` runs it: each
// host enrols within the given minutes, waits as requested if it is refused, and sends its first report. A
// tenth of the hosts report again with an additional package, as after an installation. `npm run bench --
// enrolment [HOSTS] [MINUTES] [DIRECTORY OF INVENTORIES] [IDS OF DISTRIBUTIONS]`
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import { type Client, textOf } from '@plimsoll/testing';
import { fleetModels, likeModel, waitingHosts } from './bench-fleet.ts';
import { type BenchService, elapsed, say, withBenchService, withDatabase } from './bench-service.ts';
import { headersOf } from './hostile-host.ts';

const [hostCount = '2000', minutes = '5', inventories = '', ids = ''] = process.argv.slice(2);

/** The time after which a request without an answer is repeated. */
const unansweredMs = 5_000;

/** The answers of the API by path and status, and the requests that one host needed to enrol. */
interface Outcome {
  readonly answers: Map<string, number>;
  readonly tries: number[];
  bytes: number;
}

await withBenchService(async (bench) => {
  const { service, client } = bench;
  const models = await fleetModels(inventories, new Set(ids.split(',')));
  const token = await issueToken(client);
  const outcome: Outcome = { answers: new Map(), tries: [], bytes: 0 };
  const loads: number[] = [];
  const watch = setInterval(() => loads.push(loadavg()[0] ?? 0), 5_000);
  const startedAt = performance.now();
  const stepMs = (Number(minutes) * 60_000) / Number(hostCount);
  await Promise.all(
    Array.from({ length: Number(hostCount) }, async (_, number) => {
      await delay(number * stepMs);
      const model = models[number % models.length];
      if (model === undefined) throw new Error('fleetModels returned no host');
      await beHost(service.url, token, model, number, outcome);
    }),
  );
  const sent = elapsed(startedAt);
  while ((await waitingHosts(client)) > 0) await delay(500);
  clearInterval(watch);
  const answered = [...outcome.answers].sort().map(([what, times]) => `${what} ${times}`);
  say(`${hostCount} hosts like ${models.length} machines within ${minutes} minutes: ${answered.join(', ')}`);
  say(
    `all sent after ${sent} s, matched after ${elapsed(startedAt)} s; tries to enrol at most ${Math.max(...outcome.tries)}; ${Math.round(outcome.bytes / Number(hostCount) / 1_000)} kB of reports each; load average ${Math.min(...loads)} to ${Math.max(...loads)}`,
  );
  say(await used(bench));
});

async function issueToken(client: Client): Promise<string> {
  const issued = { name: 'fleet', auto_approve: true, max_uses: Number(hostCount) };
  return textOf((await client.send('POST', '/registration-tokens', issued)).body, 'token');
}

async function beHost(
  url: string,
  token: string,
  model: Snapshot,
  number: number,
  outcome: Outcome,
): Promise<void> {
  const hostname = `bench-${number}`;
  const enrolment = { registration_token: token, hostname, machine_id: randomBytes(16).toString('hex') };
  const json = { 'Content-Type': 'application/json' };
  const enrolled = await insist(`${url}/api/v1/agent/register`, json, JSON.stringify(enrolment), outcome);
  const headers = headersOf(textOf(enrolled, 'host_access_token'));
  const report = likeModel(model, number, hostname);
  const own = report.packages.slice(0, 1).map((first) => ({ ...first, name: 'own', version: `1.${number}` }));
  const changed = { ...report, packages: [...report.packages, ...own] };
  for (const snapshot of number % 10 === 0 ? [report, changed] : [report]) {
    const body = gzipSync(encodeSnapshot(snapshot));
    outcome.bytes += body.length;
    await insist(`${url}/api/v1/agent/snapshots`, headers, body, outcome);
  }
}

/** Sends a request until it is not refused for a time; returns the body of the answer. */
async function insist(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer>,
  { answers, tries }: Outcome,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const operation = new URL(url).pathname.split('/').at(-1);
    // Agents also retry without an answer.
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    const what = `${operation} ${response?.status ?? 'unanswered'}`;
    answers.set(what, (answers.get(what) ?? 0) + 1);
    if (response === null) {
      await delay(unansweredMs);
      continue;
    }
    const answer: unknown = await response.json();
    if (response.ok) {
      tries.push(attempt);
      return answer;
    }
    const seconds = Number(response.headers.get('retry-after'));
    if (seconds === 0) throw new Error(`${what}: ${JSON.stringify(answer)}`);
    await delay(seconds * 1_000);
  }
}

/** The used part of the shared allowances of a day. */
async function used(bench: BenchService): Promise<string> {
  const { rows } = await withDatabase(bench, ({ pool }) =>
    pool.query<{ bytes: string; entries: string; versions: number; waiting: number }>(
      `SELECT round(extract(epoch FROM bytes_whole_at - now()) / 864, 1) AS bytes,
              round(extract(epoch FROM entries_whole_at - now()) / 864, 1) AS entries,
              (SELECT count(*)::int FROM package_versions) AS versions,
              (SELECT count(*)::int FROM uploads WHERE parse_after IS NOT NULL) AS waiting
       FROM shared_allowances`,
    ),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the hosts share no allowance');
  return `of the shared allowance ${row.bytes} % of the bytes and ${row.entries} % of the new entries are used; ${row.versions} package versions; ${row.waiting} uploads had to wait`;
}
