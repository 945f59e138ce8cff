/**
 * `npm run cases -- DIR`: sends the report of every case in a folder to a service of its own and compares the answers with what
 * is right (docs/accuracy.md). `npm run cases -- --clean FILE` prints a report without what must not be sent.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Client, type HostCase, judgeCase, readCases, textOf } from '@plimsoll/testing';
import { say, withBenchService } from '../../benches/bench-service.ts';
import { cleanReport } from './clean-report.ts';

const usage = `npm run cases -- DIR [--only TEXT]    what is right, wrong, and what differs
npm run cases -- --clean FILE         prints a report without names, addresses and machine ids
`;

/** The answers that are printed of a case whose `expected.json` has only prose. */
const shown = ['', '/kernel-posture', '/packages/upgradable', '/packages/vulnerable', '/plan'];

const { values, positionals } = readArguments();
if (values.help) process.stdout.write(usage);
else if (values.clean !== undefined) process.stdout.write(cleanReport(await readFile(values.clean, 'utf8')));
else await judgeAll(readCases(positionals[0] ?? '').filter(({ name }) => name.includes(values.only)));

/** Cases share a service, and each host is deleted after its case; a case with advisories has a service of its own. */
async function judgeAll(cases: readonly HostCase[]): Promise<void> {
  const counts = { right: 0, wrong: 0, 'for a person': 0 };
  const judge = async (client: Client, one: HostCase) => {
    for (const { file, format } of one.advisories) await client.importFeed(await readFile(file), '', format);
    counts[await judgeOne(client, one)] += 1;
  };
  const [plain, others] = [
    cases.filter(({ advisories }) => advisories.length === 0),
    cases.filter(({ advisories }) => advisories.length > 0),
  ];
  if (plain.length > 0)
    await withBenchService(async ({ client }) => {
      for (const one of plain) await judge(client, one);
    });
  for (const one of others) await withBenchService(({ client }) => judge(client, one));
  say(
    `\n${Object.entries(counts)
      .flatMap(([word, count]) => (count > 0 ? `${count} ${word}` : []))
      .join(', ')}`,
  );
  process.exitCode = counts.wrong === 0 ? 0 : 1;
}

async function judgeOne(client: Client, one: HostCase): Promise<'right' | 'wrong' | 'for a person'> {
  const read = async (path: string) => (await client.get(path)).body;
  const send = async (report: string) => {
    const made = { display_name: one.name.slice(0, 200), hostname: 'case.example.org' };
    const hostId = textOf((await client.send('POST', '/hosts/manual', made)).body, 'id');
    const { status, body } = await client.sendText(`/hosts/${hostId}/report`, report, { prefer: 'wait=30' });
    return { hostId, status, body };
  };
  const { hostId, differences } = await judgeCase(one, { send, read });
  const isProse = Object.keys(one.answers).length === 0 && one.prose !== '';
  const word = differences.length > 0 ? 'wrong' : isProse ? 'for a person' : 'right';
  say(`${word}: ${one.name}`);
  for (const line of differences) say(`  ${line}`);
  if (one.prose !== '' && word !== 'right') say(`  what is right: ${one.prose}`);
  if (isProse)
    for (const path of shown)
      say(`  GET /hosts/{id}${path}\n    ${JSON.stringify(await read(`/hosts/${hostId}${path}`))}`);
  await client.send('DELETE', `/hosts/${hostId}`);
  return word;
}

function readArguments() {
  const options = {
    clean: { type: 'string' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    const read = parseArgs({ options, allowPositionals: true });
    if (!read.values.help && (read.values.clean !== undefined) === (read.positionals.length === 1))
      throw new Error('Give one folder of cases, or --clean with one report.');
    return read;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return process.exit(64);
  }
}
