// VEX documents of a whole fleet in each format: bytes, time, and what the service used, through real processes:
// `npm run bench -- vex [HOSTS] [--examples] [--data DIR]`, see fleet.bench.ts.
import { parseArgs } from 'node:util';
import { type BenchService, elapsed, say } from './bench-service.ts';
import { withBenchFleet } from './fleet-setup.ts';
import { apiUsage, measureUsage } from './service-usage.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { examples: { type: 'boolean', default: false }, data: { type: 'string' } },
});
const hosts = Number(positionals[0] ?? '10000');

await withBenchFleet(
  { hosts, examplesOnly: values.examples, keptDir: values.data },
  async (bench, database) => {
    for (const query of [
      'format=openvex',
      'format=csaf',
      'format=cyclonedx',
      'format=openvex&cve=CVE-2024-6387',
    ]) {
      const { result, usage } = await measureUsage(bench, database.pool, () => read(bench, query));
      say(`${query}: ${result}; ${apiUsage(usage)}`);
    }
  },
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
