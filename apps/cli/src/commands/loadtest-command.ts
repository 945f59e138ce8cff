import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  createFleet,
  createServiceClient,
  type LoadtestReport,
  type Percentiles,
  readModels,
  runLoadtest,
} from '@plimsoll/loadtest';
import { Command, InvalidArgumentError } from 'commander';
import { StartError } from '../service/start-error.ts';
import { type CommandContext, configOption } from './command-context.ts';
import { type DirectFlags, seedDirectly } from './loadtest-direct.ts';

type PasswordInput = NonNullable<CommandContext['input']>;

interface LoadtestFlags extends DirectFlags {
  readonly url?: string;
  readonly email?: string;
  readonly passwordFile: string;
  readonly ca?: string;
  readonly direct: boolean;
  readonly rounds?: number;
  readonly changed?: number;
  readonly newVersions: number;
  readonly unchanged: number;
  readonly rate?: number;
  readonly clients: number;
  readonly json?: string;
  readonly ledger?: string;
  readonly patience: number;
}

/**
 * `plimsoll loadtest`: adds a fleet of invented hosts to a service through its API, sends their reports, and checks that
 * none was lost. Fails if a report was refused for good or anything differs from what was sent.
 */
export function loadtestCommand(context: CommandContext): Command {
  const { projectDir, say, input = process.stdin } = context;
  return new Command('loadtest')
    .description('sends the reports of an invented fleet to a service and checks that none is lost')
    .option('--url <url>', 'the service, like https://plimsoll.example', readUrl)
    .option('--email <email>', 'an operator of the service, who adds the hosts')
    .option('--password-file <file>', 'the first line is the password; - is standard input', '-')
    .option('--ca <file>', 'a certificate authority to trust, PEM')
    .option('--add', 'also if the service already has hosts: the invented ones mix with them', false)
    .option('--hosts <n>', 'hosts to add', wholeFrom(1), 100)
    .option(
      '--days, --rounds <n>',
      'rounds, each a report per host, a day apart (2; with --direct 1)',
      wholeFrom(1),
    )
    .option(
      '--changed <share>',
      'share of hosts that change per round; without it the fleet drifts',
      readShare,
    )
    .option(
      '--new-versions <share>',
      'with --changed: share of its packages new to the service',
      readShare,
      0,
    )
    .option('--unchanged <rate>', 'unchanged reports a second, beside the others', readRate, 0)
    .option('--rate <rate>', 'reports a second at most', readRate)
    .option('--clients <n>', 'concurrent requests', wholeFrom(1), 8)
    .option('--seed <n>', 'another fleet; equal seeds give equal fleets', wholeFrom(0), 1)
    .option('--models <place...>', 'inventories: .tsv, .snapshot.pb.gz or folders', defaultModels(projectDir))
    .option('--json <file>', 'write the result as JSON')
    .option('--ledger <file>', 'write every attempt and its answer, one JSON object per line')
    .option('--patience <seconds>', 'how long to wait for the end of the last upload', wholeFrom(1), 600)
    .option('--direct', 'no service: write the fleet and --days of its past into the database', false)
    .option('--database-url <url>', 'with --direct: of the owner of the database')
    .addOption(configOption())
    .action(async (flags: LoadtestFlags) => {
      if (flags.direct) return seedDirectly({ ...flags, days: flags.rounds ?? 1 }, context);
      if (flags.newVersions > 0 && flags.changed === undefined)
        throw new StartError('--new-versions says something of changed reports: give --changed with it.');
      const { url, email } = flags;
      if (url === undefined || email === undefined)
        throw new StartError('Give the service with --url and its operator with --email, or --direct.');
      const report = await run({ ...flags, url, email }, { say, input });
      if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(report, null, 2)}\n`);
      for (const line of linesOf(report)) say(line);
      const { problems } = report.verification;
      if (problems.length > 0)
        throw new StartError(`${problems.length} differences between what was sent and what is stored.`);
    });
}

async function run(
  flags: LoadtestFlags & { readonly url: string; readonly email: string },
  { say, input }: Pick<CommandContext, 'say'> & { readonly input: PasswordInput },
): Promise<LoadtestReport> {
  const models = await readModels(flags.models);
  const fleet = createFleet({ models, hosts: flags.hosts, seed: flags.seed });
  const password = await readPasswordLine(flags.passwordFile, input);
  const ca = flags.ca === undefined ? undefined : await readFile(flags.ca, 'utf8');
  const client = createServiceClient(flags.url, flags.clients * 2, ca);
  try {
    return await runLoadtest(
      {
        fleet,
        seed: flags.seed,
        rounds: flags.rounds ?? 2,
        changed: flags.changed ?? null,
        newVersions: flags.newVersions,
        unchangedRate: flags.unchanged,
        rate: flags.rate ?? null,
        clients: flags.clients,
        ledgerFile: flags.ledger ?? null,
        patienceMs: flags.patience * 1_000,
        mayAdd: flags.add,
      },
      { client, credentials: { email: flags.email, password }, say },
    );
  } finally {
    client.close();
  }
}

/** The inventories of a checkout. */
function defaultModels(projectDir: string): string[] {
  return ['examples/debian-12.snapshot.pb.gz', 'packages/loadtest/models'].map((place) =>
    path.join(projectDir, place),
  );
}

async function readPasswordLine(file: string, input: PasswordInput): Promise<string> {
  if (file !== '-') return firstLine(await readFile(file, 'utf8'));
  if (input.isTTY === true) throw new StartError('A terminal would show the password: give --password-file.');
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > 4_096) break;
  }
  return firstLine(text);
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** What a load test found, as lines of text. */
function linesOf(report: LoadtestReport): readonly string[] {
  const { machine, verification } = report;
  const refused = Object.entries(report.refusals).map(([answer, count]) => `${count} × ${answer}`);
  return [
    `${machine.cores} cores (${machine.model}), ${machine.memoryGiB} GiB, load ${machine.load} before, Node ${machine.node}`,
    `accepted: ${report.accepted} reports, ${report.acceptedPerSecond} a second; ${report.queued} new, ${report.unchanged} unchanged`,
    `answer: new ${msOf(report.answerMs.queued)}; unchanged ${msOf(report.answerMs.unchanged)}`,
    `visible after the answer: ${msOf(report.visibleMs)}, of ${report.visibleMs.count} reports`,
    `refused or unanswered attempts: ${refused.length === 0 ? 'none' : refused.join(', ')}`,
    `verified in ${report.verifySeconds} s: ${verification.uploads} uploads of ${verification.hosts} hosts, ${verification.problems.length} differences`,
    ...verification.problems.slice(0, 20).map(({ kind, hostId, detail }) => `  ${kind} ${hostId}: ${detail}`),
  ];
}

function msOf({ count, p50, p99, longest }: Percentiles): string {
  return count === 0 ? 'no figure' : `p50 ${p50} p99 ${p99} most ${longest} ms`;
}

function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < least)
      throw new InvalidArgumentError(`Give a whole number of at least ${least}.`);
    return value;
  };
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new InvalidArgumentError('Give a URL like https://plimsoll.example.');
}

function readShare(text: string): number {
  const value = Number(text);
  if (!/^(0|1|0?\.\d{1,6}|1\.0+|0\.0+)$/.test(text))
    throw new InvalidArgumentError('Give a share between 0 and 1.');
  return value;
}

function readRate(text: string): number {
  const value = Number(text);
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || value <= 0)
    throw new InvalidArgumentError('Give a number above 0.');
  return value;
}
