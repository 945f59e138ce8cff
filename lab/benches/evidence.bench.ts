// An evidence pack of a part of a fleet, and its check: bytes, time, and the memory of both, through real processes:
// `npm run bench -- evidence [HOSTS] [--fleet HOSTS] [--examples] [--data DIR]`, see fleet.bench.ts. Ends with 1 if the check fails.
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { Database } from '@plimsoll/db';
import { type BenchService, elapsed, projectDir, say } from './bench-service.ts';
import { withBenchFleet } from './fleet-setup.ts';
import { apiUsage, measureUsage } from './service-usage.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fleet: { type: 'string' },
    examples: { type: 'boolean', default: false },
    data: { type: 'string' },
  },
});
const hosts = Number(positionals[0] ?? '20000');
const tag = 'evidence';

const fleet = Number(values.fleet ?? hosts);
await withBenchFleet(
  { hosts: fleet, examplesOnly: values.examples, keptDir: values.data },
  async (bench, database) => {
    await tagHosts(database);
    // A kept database has a key that another service sealed.
    await bench.client.send('POST', '/evidence/keys', {});
    const pack = path.join(tmpdir(), `plimsoll-evidence-${process.pid}.zip`);
    try {
      const { result, usage } = await measureUsage(bench, database.pool, () => download(bench, pack));
      say(`pack of ${hosts} of ${fleet} hosts: ${result}; ${apiUsage(usage)}`);
      await verify(pack);
    } finally {
      await rm(pack, { force: true });
    }
  },
);

/** Gives the tag to so many hosts, spread over the fleet, and to no others. */
async function tagHosts({ pool }: Database): Promise<void> {
  await pool.query(
    `UPDATE hosts h SET tags = CASE WHEN n <= $2 THEN array_append(array_remove(tags, $1), $1) ELSE array_remove(tags, $1) END
     FROM (SELECT id, row_number() OVER (ORDER BY md5(id::text)) AS n FROM hosts) o
     WHERE o.id = h.id AND (n <= $2 OR $1 = ANY(tags))`,
    [tag, hosts],
  );
}

async function download({ service, client }: BenchService, file: string): Promise<string> {
  const startedAt = performance.now();
  const from = new Date(Date.now() - 90 * 86_400_000).toISOString();
  const response = await fetch(`${service.url}/api/v1/evidence?tag=${tag}&from=${from}`, {
    headers: { authorization: client.authorization },
  });
  if (response.body === null || !response.ok)
    throw new Error(`the pack was answered ${response.status}: ${await response.text()}`);
  let first = '';
  let bytes = 0;
  await pipeline(
    response.body,
    async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        if (first === '') first = elapsed(startedAt);
        bytes += piece.length;
        yield piece;
      }
    },
    createWriteStream(file),
  );
  return `${(bytes / 2 ** 20).toFixed(1)} MB, first byte after ${first} s, last after ${elapsed(startedAt)} s`;
}

/** Checks the pack as an auditor does, who does not know the key. */
async function verify(file: string): Promise<void> {
  const startedAt = performance.now();
  const report = `process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))`;
  const cli = path.join(projectDir, 'apps/cli/dist/main.js');
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(report)}`,
    cli,
    'verify-evidence',
    file,
  ];
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [...args, '--json'], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
  const peak = Math.round(Number(/peak (\d+)/.exec(output)?.[1]) / 1_024);
  say(`verify-evidence: exit code ${code} in ${elapsed(startedAt)} s, at most ${peak} MB`);
  // 3: as it was signed, but by a key that is not known.
  if (code !== 3) {
    say(output.slice(0, 2_000));
    process.exitCode = 1;
  }
}
