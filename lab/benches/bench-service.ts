import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import type { Database } from '@plimsoll/db';
import { startPostgres, startRedis } from '@plimsoll/embedded';
import {
  type Client,
  migrateTestDatabase,
  setUpClient,
  signInClient,
  startService,
  type TestService,
  testAdmin,
} from '@plimsoll/testing';
import { openBenchDatabase } from './bench-database.ts';

/** Root of the checkout. */
export const projectDir = process.env['PLIMSOLL_ROOT'] ?? process.cwd();

/** A service to measure, and its first admin. */
export interface BenchService {
  readonly service: TestService;
  readonly databaseUrl: string;
  readonly client: Client;
}

/**
 * Runs the whole service on this machine as `npm start` does, with its own PostgreSQL and, if available, Redis; prints
 * what it runs on, and removes everything when `work` has ended. `env` has settings that differ from the presets.
 * `keptDir`: a folder for the data that is not removed; with the data of an earlier run, the service has its content.
 */
export async function withBenchService(
  work: (bench: BenchService) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
  keptDir?: string,
): Promise<void> {
  const dataDir = keptDir ?? (await mkdtemp(path.join(tmpdir(), 'plimsoll-bench-')));
  const log: string[] = [];
  const onLog = (text: string): void => void log.push(text);
  const postgres = await startPostgres({ dataDir, onLog });
  const redis = await startRedis({ dataDir, searchPath: process.env['PATH'] ?? '', onLog });
  try {
    await migrateTestDatabase(postgres.url, projectDir);
    const queue =
      redis === null ? ({ kind: 'postgres' } as const) : ({ kind: 'redis', url: redis.url } as const);
    const service = await startService({ projectDir, databaseUrl: postgres.url, queue, env });
    try {
      const memory = Math.round(totalmem() / 2 ** 30);
      say(`${cpus().length} cores, ${memory} GiB, Node ${process.versions.node}, queue on ${queue.kind}`);
      await work({ service, databaseUrl: postgres.url, client: await firstAdmin(service) });
    } finally {
      await service.stop();
    }
  } finally {
    await redis?.stop();
    await postgres.stop();
    if (keptDir === undefined) await rm(dataDir, { recursive: true, force: true });
  }
}

async function firstAdmin({ url }: TestService): Promise<Client> {
  const answer = await fetch(`${url}/api/v1/setup/status`);
  const { setup_required: isNew } = (await answer.json()) as { setup_required: boolean }; // the contract's type
  return isNew ? setUpClient(url) : signInClient(url, testAdmin);
}

/** Runs `work` with connections to a bench's database as its owner. */
export async function withDatabase<Result>(
  { databaseUrl }: BenchService,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openBenchDatabase(databaseUrl, 8);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Reads the API's own gauges once: a function of their names. */
export async function readGauges(url: string): Promise<(name: string) => number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN);
}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The seconds since `startedAt`, a time of `performance.now()`. */
export function elapsed(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(1);
}
