// VEX documents of a whole fleet in each format: bytes, time, and what the service used, through real processes:
// `npm run bench -- vex [HOSTS] [--examples] [--data DIR]`, see fleet.bench.ts.
import { parseArgs } from 'node:util';
import { type BenchService, elapsed, say, withBenchService } from './bench-service.ts';
import { openBenchFleet, withDatabase } from './fleet-setup.ts';
import { measureUsage } from './service-usage.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { examples: { type: 'boolean', default: false }, data: { type: 'string' } },
});
const hosts = Number(positionals[0] ?? '10000');

await withBenchService(
  async (bench) => {
    await withDatabase(bench, async (database) => {
      await openBenchFleet(bench, database, { hosts, examplesOnly: values.examples, keptDir: values.data });
      for (const query of [
        'format=openvex',
        'format=csaf',
        'format=cyclonedx',
        'format=openvex&cve=CVE-2024-6387',
      ]) {
        const { result, usage } = await measureUsage(bench, database.pool, () => read(bench, query));
        const seconds = (app: string) => ((usage.cpuMs[app] ?? 0) / 1_000).toFixed(1);
        say(
          `${query}: ${result}; processor: API ${seconds('api')} s, PostgreSQL ${seconds('postgres')} s; API at most ${usage.peakMegabytes['api']} MB; load ${usage.load}`,
        );
      }
    });
  },
  {},
  values.data,
);

/** Reads a whole document without keeping it. */
async function read({ service, client }: BenchService, query: string): Promise<string> {
  const startedAt = performance.now();
  const response = await fetch(`${service.url}/api/v1/vex?${query}`, {
    headers: { authorization: client.authorization },
  });
  let first = '';
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    if (first === '') first = elapsed(startedAt);
    bytes += piece.length;
  }
  const size = (bytes / 2 ** 20).toFixed(1);
  return `${response.status}, ${size} MB, first byte after ${first} s, last after ${elapsed(startedAt)} s`;
}
