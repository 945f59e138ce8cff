// Compares the counts of a large fleet with the lists that they belong to, through a whole service of real processes:
// `npm run bench -- counts [HOSTS] [--examples] [--data DIR] [--rows 6]`, see fleet.bench.ts; `--rows`: of each list so many
// rows are compared, spread over all of it. Each takes seconds with 100,000 hosts. Ends with 1 if any differ.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Database } from '@plimsoll/db';
import {
  type CountedHost,
  compareCounts,
  comparePlan,
  comparePreviews,
  compareSearches,
  compareVex,
  createCountReader,
} from '@plimsoll/testing';
import { type BenchService, elapsed, say } from './bench-service.ts';
import { withBenchFleet } from './fleet-setup.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    examples: { type: 'boolean', default: false },
    data: { type: 'string' },
    rows: { type: 'string', default: '6' },
  },
});
const hosts = Number(positionals[0] ?? '100000');
const extent = { rows: Number(values.rows), hosts: 40 };
if (!Number.isInteger(extent.rows) || extent.rows < 1) throw new Error('--rows: a positive integer');
/** A comparison of a large fleet takes many minutes: it says that often how far it is. */
const progressEvery = 100;

await withBenchFleet(
  { hosts, examplesOnly: values.examples, keptDir: values.data },
  async (bench, database) => {
    await decide(bench, database);
    const reader = createCountReader(bench.service.url, bench.client.authorization.replace('Bearer ', ''));
    const [tag] = await reader.body<readonly { tag: string }[]>('/tags?limit=1');
    const startedAt = performance.now();
    let compared = 0;
    let different = 0;
    const all = await reader.body<readonly CountedHost[]>('/hosts');
    const approved = all.filter((host) => host.approval_status === 'approved');
    const [row] = await reader.body<readonly { key: string }[]>('/findings?group_by=cve&limit=1');
    for (const checks of [
      compareCounts(reader, extent),
      compareSearches(reader, ['db-00', 'openssl', 'lib']),
      comparePreviews(reader, all, extent),
      // Without a CVE a document of a large fleet is too large to be parsed.
      ...(approved.length <= 100 ? [compareVex(reader, approved, { extent })] : []),
      compareVex(reader, approved, { cve: row?.key ?? null, extent }),
      comparePlan(reader, { q: '0001', ...(tag !== undefined && { tag: tag.tag }) }),
    ])
      for await (const { what, counted, listed } of checks) {
        compared += 1;
        if (compared % progressEvery === 0)
          say(`${compared} compared in ${elapsed(startedAt)} s, up to: ${what}`);
        if (counted === listed) continue;
        different += 1;
        say(`${what}: counted ${counted}, listed ${listed}`);
      }
    say(`${compared} counts of ${hosts} hosts compared in ${elapsed(startedAt)} s: ${different} differ`);
    if (different > 0) process.exitCode = 1;
  },
);

/** Due dates, and a waiver of what most hosts have; ends when all hosts are counted by them. */
async function decide({ client }: BenchService, database: Database): Promise<void> {
  await client.send('PUT', '/policies/due-dates', { preset: 'by-severity' });
  // Not from GET /findings, whose answers about a large fleet are kept for some time: those from before would be compared.
  const { body } = await client.get('/advisories?affected=true&limit=1');
  const [first] = body as readonly { readonly id: string }[];
  if (first === undefined) throw new Error('the fleet has no findings');
  const { status } = await client.send('POST', '/waivers', {
    kind: 'risk_accepted',
    advisories: [first.id],
    all_hosts: true,
    reason: 'compared',
    expires_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  });
  if (status !== 201) throw new Error(`the waiver was answered ${status}`);
  // Two thirds of the hosts have a rhythm, which half of them kept until a day ago. Learned like this: only updates tell the API.
  await database.pool.query(
    `INSERT INTO patch_rhythms (host_id, due) SELECT id, false FROM hosts ON CONFLICT (host_id) DO NOTHING`,
  );
  await database.pool.query(
    `UPDATE patch_rhythms r SET due = false, rounds = 12, last_at = now() - interval '40 days', median_days = 30, longest_days = 31,
       overdue_at = now() + CASE WHEN n % 3 = 0 THEN -1 ELSE 30 END * interval '1 day'
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM hosts) h WHERE h.id = r.host_id AND n % 3 < 2`,
  );
  await client.send('POST', '/groups', { name: 'Critical', filter: { finding_severity: 'critical' } });
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await database.pool.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM recount_pieces',
    );
    if (rows[0]?.left === 0) break;
    await delay(500);
  }
  say(`counted by due dates and waivers in ${elapsed(startedAt)} s`);
}
