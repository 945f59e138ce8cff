// Measures imports of changed records with a large fleet: see measure-rematch.ts. `npm run bench -- rematch [HOSTS]`
import { say, withBenchService } from './bench-service.ts';
import { importFeeds, seedBenchFleet, withDatabase } from './fleet-setup.ts';
import { measureRematch } from './measure-rematch.ts';
import { tableOf } from './result-table.ts';

const [hosts = '100000'] = process.argv.slice(2);

await withBenchService(async (bench) => {
  await importFeeds(bench);
  const rows = await withDatabase(bench, async (database) => {
    const seeded = await seedBenchFleet(database, Number(hosts));
    return measureRematch(bench, database, seeded);
  });
  say(tableOf(rows));
});
