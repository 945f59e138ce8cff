import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import {
  type Database,
  type DecodedPackages,
  type HistoryDifference,
  type StateDifference,
  verifyHistory,
  verifyState,
} from '@plimsoll/db';
import { type HostId, maxUploadBytes } from '@plimsoll/model';
import { decodeSnapshot } from '@plimsoll/reports';
import { Command, InvalidArgumentError, Option } from 'commander';
import { StartError } from '../service/start-error.ts';
import { withDatabase } from '../service/with-database.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

interface VerifyFlags extends ConfigFlags {
  readonly hosts?: number;
  readonly host?: string;
  readonly json?: boolean;
}

/** What to verify. `onBusy` is called while hosts are being counted; default: waits for at most ten minutes. */
type VerifyOptions = Omit<VerifyFlags, 'config'> & { readonly onBusy?: () => Promise<void> };

/** What `plimsoll verify` found. */
export interface VerifyResult {
  readonly hosts: number;
  readonly differences: number;
}

/** `plimsoll verify`: computes what is stored anew and lists differences; exit code 1 if there are any. */
export function verifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description('compute the state of hosts anew from their stored reports, and list what differs')
    .addOption(new Option('--hosts <n>', 'only so many hosts, chosen at random').argParser(toCount))
    .addOption(new Option('--host <id>', 'only this host').conflicts('hosts'))
    .option('--json', 'one JSON object per line')
    .addOption(configOption())
    .action((flags: VerifyFlags) =>
      withDatabase(context, flags, 'plimsoll verify', async (db) => {
        const { differences } = await verify(db, flags, context.say);
        if (differences > 0) process.exitCode = 1;
      }),
    );
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('a number from 1 on');
  return count;
}

/** Verifies all hosts, or some, and the history of all matches unless hosts are chosen; says what differs. */
export async function verify(
  db: Database,
  { hosts, host, json = false, onBusy = patience() }: VerifyOptions,
  say: (line: string) => void,
): Promise<VerifyResult> {
  const chosen = host === undefined && hosts === undefined ? null : await choose(db, { hosts, host });
  const result = { hosts: 0, differences: 0 };
  const tell = (difference: StateDifference | HistoryDifference): void => {
    result.differences += 1;
    say(json ? JSON.stringify(difference) : lineOf(difference));
  };
  const asked = { hosts: chosen, decode: packagesOf, onBusy };
  for await (const piece of verifyState(db, asked)) {
    result.hosts += piece.hosts;
    piece.differences.forEach(tell);
  }
  if (chosen === null) for await (const piece of verifyHistory(db)) piece.forEach(tell);
  say(json ? JSON.stringify(result) : `${result.hosts} hosts verified, ${result.differences} differences`);
  return result;
}

async function choose(
  { pool }: Database,
  { hosts, host }: { readonly hosts: number | undefined; readonly host: string | undefined },
): Promise<readonly HostId[]> {
  const { rows } = await pool.query<{ id: HostId }>(
    `SELECT host_id AS id FROM host_state WHERE snapshot_id IS NOT NULL AND ($1::text IS NULL OR host_id::text = lower($1))
     ORDER BY random() LIMIT $2`,
    [host ?? null, hosts ?? null],
  );
  if (host !== undefined && rows.length === 0)
    throw new StartError(`No host with the id ${host} has a matched report.`);
  return rows.map(({ id }) => id);
}

const pauseMs = 1_000;
const longestBusyMs = 10 * 60_000;

/** Waits while hosts are being counted, up to ten minutes in a row. */
function patience(): () => Promise<void> {
  let busySince: number | null = null;
  let last = 0;
  return async () => {
    const now = performance.now();
    if (busySince === null || now - last > 2 * pauseMs) busySince = now;
    if (now - busySince > longestBusyMs)
      throw new StartError('Hosts are being counted for more than ten minutes. Does an advisory-worker run?');
    await delay(pauseMs);
    last = performance.now();
  };
}

const gunzip = promisify(zlib.gunzip);

async function packagesOf(payloadGzip: Uint8Array, receivedAt: Date): Promise<DecodedPackages | null> {
  try {
    const decoded = decodeSnapshot(await gunzip(payloadGzip, { maxOutputLength: maxUploadBytes }), {
      receivedAt,
    });
    return decoded.kind === 'snapshot' ? decoded.snapshot.packages : null;
  } catch {
    return null;
  }
}

function lineOf(difference: StateDifference | HistoryDifference): string {
  const text =
    'what' in difference
      ? `${difference.hostId === null ? '' : `host ${difference.hostId} `}${difference.what}: ${difference.detail}`
      : `history of package version ${difference.versionId}${difference.at === null ? '' : ` at ${difference.at.toISOString()}`}: ${difference.detail}`;
  // Text from hosts and feeds may contain terminal control characters.
  return text.replace(/[\p{Cc}\p{Cs}]/gu, '?');
}
