// Measures lists and questions of a large fleet by four clients at once: see measure-reads.ts. `npm run bench -- lists
// [HOSTS]`
import { say, withBenchService } from './bench-service.ts';
import { importFeeds, seedBenchFleet, withDatabase } from './fleet-setup.ts';
import { measureReads } from './measure-reads.ts';
import { tableOf } from './result-table.ts';

const [hosts = '100000'] = process.argv.slice(2);

await withBenchService(async (bench) => {
  await importFeeds(bench);
  const rows = await withDatabase(bench, async (database) => {
    await seedBenchFleet(database, Number(hosts));
    return measureReads(bench, database);
  });
  say(tableOf(rows));
});
