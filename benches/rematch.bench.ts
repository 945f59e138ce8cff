// Measures imports of changed records with a large fleet: one record, 100 records, and a whole feed in which all fixed
// versions change. Each import runs in the whole service; the time ends when the counts of all hosts are visible. Some
// hosts report through the API; the others are copies of them in the database. Without the data beside the project, the
// hosts and the feed are those of examples/. `npm run bench -- rematch [HOSTS]`
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '@plimsoll/db';
import { fleetModels, makeFleet } from './bench-fleet.ts';
import { elapsed, projectDir, say, withBenchService } from './bench-service.ts';
import { changedRecords, readFeedFile, someOf } from './changed-records.ts';
import { cloneHosts } from './large-fleet.ts';
import { measureImport } from './measure-import.ts';

const dataDir = path.join(projectDir, '../shared/data');
const wholeFeed = path.join(dataDir, 'advisories/osv/Debian/all.zip');
const file = existsSync(wholeFeed) ? wholeFeed : path.join(projectDir, 'examples/debian-advisories.jsonl.gz');
const [hosts = '100000'] = process.argv.slice(2);
const systems = new Set(['debian', 'ubuntu', 'almalinux', 'rhel', 'rocky']);

await withBenchService(async (bench) => {
  const models = await fleetModels(path.join(dataDir, 'inventories'), systems);
  await makeFleet(bench.client, models, models.length);
  await measureImport(bench, { what: 'the whole feed, with the models only', file: await readFile(file) });
  const database = openDatabase({
    databaseUrl: bench.databaseUrl,
    poolSize: 1,
    applicationName: 'bench',
    onIdleError: (error) => say(String(error)),
  });
  const startedAt = performance.now();
  await cloneHosts(database, Number(hosts));
  await database.close();
  say(`${hosts} hosts copied in ${elapsed(startedAt)} s`);
  const all = await readFeedFile(file);
  const one = all.toSorted((a, b) => fixesOf(b, 'openssl') - fixesOf(a, 'openssl')).slice(0, 1);
  for (const run of ['first', 'second', 'third'])
    await measureImport(bench, {
      what: `one record about openssl, ${run} change`,
      file: changedRecords(one),
    });
  await measureImport(bench, { what: '100 records', file: changedRecords(someOf(all, 100)) });
  await measureImport(bench, { what: 'all records', file: changedRecords(all) });
});

/** The number of releases for which an OSV record states a fix of a package. */
function fixesOf(record: object, name: string): number {
  const { affected = [] } = record as {
    readonly affected?: readonly { readonly package?: { readonly name?: string } }[];
  }; // The file is of this format.
  return affected.filter((entry) => entry.package?.name === name && JSON.stringify(entry).includes('"fixed"'))
    .length;
}
