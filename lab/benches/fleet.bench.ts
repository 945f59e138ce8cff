// The table of what a large fleet needs, on a whole service of real processes: imports until hosts are counted, reports,
// lists and questions, and the peak memory of each process. Prints a table, and writes it with the machine as JSON.
// `npm run bench:fleet -- [HOSTS] [--json FILE] [--parts rematch,nothing,ingest,reads,backup] [--examples]
// [--advisory-workers 1] [--data DIR]`; `--examples`: feeds and inventories of the project only, also if others are
// beside it; `--data`: keeps the fleet in a folder, and uses it again the next time; `--parts ''` only makes it.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Database } from '@plimsoll/db';
import { thisMachine } from '@plimsoll/loadtest';
import { type BenchService, elapsed, say, withBenchService, withDatabase } from './bench-service.ts';
import { type BenchFleet, openBenchFleet } from './fleet-setup.ts';
import { measureBackup } from './measure-backup.ts';
import { ingestSettings, measureIngest } from './measure-ingest.ts';
import { measureReads } from './measure-reads.ts';
import { measureFromNothing, measureRematch } from './measure-rematch.ts';
import { type ResultRow, tableOf } from './result-table.ts';
import { forgetPeak, peakMegabytes, processesOf } from './service-usage.ts';

type Measure = (bench: BenchService, database: Database, seeded: BenchFleet) => Promise<readonly ResultRow[]>;

const parts: Readonly<Record<string, Measure>> = {
  rematch: measureRematch,
  nothing: measureFromNothing,
  // By a thousand of the hosts, and a wave of five reports of each.
  ingest: (bench, database) => measureIngest(bench, database, Math.min(1_000, hosts)),
  reads: measureReads,
  backup: measureBackup,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    parts: { type: 'string', default: Object.keys(parts).join(',') },
    examples: { type: 'boolean', default: false },
    'advisory-workers': { type: 'string', default: '1' },
    data: { type: 'string' },
  },
});
const hosts = Number(positionals[0] ?? '100000');
/** Of every process, in MB. */
const wantedPeak = 400;
const machine = thisMachine();
const startedAt = performance.now();

await withBenchService(
  async (bench) => {
    for (let worker = 2; worker <= Number(values['advisory-workers']); worker += 1)
      bench.service.start('advisory-worker');
    await withDatabase(bench, async (database) => {
      const { rows: versions } = await database.pool.query<{ version: string }>(
        `SELECT current_setting('server_version') AS version`,
      );
      const seeded = await openBenchFleet(bench, database, {
        hosts,
        examplesOnly: values.examples,
        payloads: values.parts.includes('backup'),
        keptDir: values.data,
      });
      // The API loads the fleet once, as after a start: that is not what is measured.
      await bench.client.get('/hosts?limit=1');
      const rows: ResultRow[] = [];
      for (const part of values.parts.split(',').filter((name) => name !== ''))
        rows.push(...(await measured(bench, database, seeded, part)));
      const sizes = await sizesOf(database);
      say(`\n${tableOf(rows)}\n`);
      say(
        `${hosts} hosts, ${sizes.packageSets} sets, ${sizes.packageVersions} versions, database ${sizes.megabytes} MB`,
      );
      say(
        `${machine.cores} cores (${machine.model}), ${machine.memoryGiB} GiB, load ${machine.load} before, Node ${machine.node}, PostgreSQL ${versions[0]?.version}; ${elapsed(startedAt)} s in all`,
      );
      if (values.json === undefined) return;
      const result = { hosts, machine: { ...machine, postgres: versions[0]?.version }, sizes, rows };
      await writeFile(values.json, `${JSON.stringify(result, null, 2)}\n`);
    });
  },
  ingestSettings,
  values.data,
);

/** The rows of a part, and one with the peak memory of each process meanwhile. */
async function measured(
  bench: BenchService,
  database: Database,
  seeded: BenchFleet,
  part: string,
): Promise<readonly ResultRow[]> {
  const measure = parts[part];
  if (measure === undefined) throw new Error(`parts: ${Object.keys(parts).join(', ')}`);
  for (const { pid } of processesOf(bench.service)) await forgetPeak(pid);
  const rows = await measure(bench, database, seeded);
  const peaks: Record<string, number> = {};
  for (const { app, pid } of processesOf(bench.service))
    peaks[app] = Math.max(peaks[app] ?? 0, await peakMegabytes(pid));
  return [
    ...rows,
    {
      what: `peak memory meanwhile: ${part}`,
      wanted: `${wantedPeak} MB`,
      measured: Object.entries(peaks)
        .map(([app, megabytes]) => `${app} ${megabytes}`)
        .join(', '),
      figures: peaks,
      isMet: Object.values(peaks).every((megabytes) => megabytes <= wantedPeak),
    },
  ];
}

async function sizesOf({ pool }: Database) {
  const { rows } = await pool.query<{ packageSets: number; packageVersions: number; megabytes: number }>(
    `SELECT (SELECT count(*)::int FROM package_sets) AS "packageSets",
            (SELECT count(*)::int FROM package_versions) AS "packageVersions",
            (pg_database_size(current_database()) / 1048576)::int AS megabytes`,
  );
  return rows[0] ?? { packageSets: 0, packageVersions: 0, megabytes: 0 };
}
