// Views of a large fleet: the summary counted again, lists by status, gap and action, and the hosts under a CVE. `npm
// run bench -- overview [HOSTS]`
import { insertManyHosts } from '@plimsoll/testing';
import { elapsed, say, withBenchService, withDatabase } from './bench-service.ts';

const [hosts = '100000'] = process.argv.slice(2);
const runs = 5;
const paths = [
  '/fleet/summary',
  '/hosts?limit=100&status=stale',
  '/hosts?limit=100&gap=package_lists_unknown',
  '/hosts?limit=100&overall_action=none',
  '/hosts?limit=100&sort=-overall_action',
  '/cves/CVE-2024-6387/hosts?limit=100',
];

await withBenchService((bench) =>
  withDatabase(bench, async (database) => {
    await insertManyHosts(database, Number(hosts));
    for (const path of paths) {
      const times: string[] = [];
      for (let run = 0; run < runs; run += 1) {
        // Invalidates the last count.
        await database.pool.query(`UPDATE hosts SET tags = tags WHERE display_name = 'host-000001'`);
        const startedAt = performance.now();
        const { status } = await bench.client.get(path);
        if (status !== 200) throw new Error(`${path} was answered ${status}`);
        times.push(elapsed(startedAt));
      }
      say(`${path}: ${times.join(', ')} s`);
    }
  }),
);
