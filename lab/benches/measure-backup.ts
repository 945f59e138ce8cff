import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '@plimsoll/db';
import { longestOf } from '@plimsoll/loadtest';
import { runCommand } from '@plimsoll/testing';
import { type BenchService, projectDir } from './bench-service.ts';
import { measurePhases } from './measure-ingest.ts';
import type { ResultRow } from './result-table.ts';

/** A backup of the fleet beside uploads, and its restore on the same server, as rows of its table. */
export async function measureBackup(bench: BenchService, database: Database): Promise<readonly ResultRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-bench-backup-'));
  try {
    let made = { seconds: 0, output: '' };
    const beside = async (): Promise<void> => {
      made = await plimsoll(bench.databaseUrl, folder, 'backup', folder, '--without-keys');
    };
    const phases = new Set(['paced', 'beside']);
    const measured = await measurePhases(bench, database, { hosts: 1_000, wave: 0, phases, beside });
    const uploads = measured
      .filter(({ phase }) => phases.has(phase))
      .map(({ phase, sent, visibleMs }) => {
        const figures = { accepted: longestOf(sent.durations, 0.99), visible: visibleMs?.[1] ?? null };
        return rowOf(`uploads, p99 in ms: ${phase}`, figures);
      });
    const file = made.output.trim().split('\n').at(-1) ?? '';
    const megabytes = (await stat(file)).size / 2 ** 20;
    const name = `restored_${randomUUID().slice(0, 8)}`;
    await database.pool.query(`CREATE DATABASE ${name}`);
    const url = Object.assign(new URL(bench.databaseUrl), { pathname: `/${name}` }).href;
    const { seconds } = await plimsoll(url, folder, 'restore', file);
    return [
      rowOf('a backup, read back, beside uploads', { seconds: made.seconds, megabytes }),
      ...uploads,
      rowOf('its restore, proved', { seconds }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf(what: string, figures: ResultRow['figures']): ResultRow {
  const measured = Object.entries(figures).map(
    ([name, n]) => `${name} ${n === null ? '–' : Math.round(n * 10) / 10}`,
  );
  return { what, wanted: '', measured: measured.join(', '), figures, isMet: null };
}

/** Runs a command of the built cli. Throws with what it said if it fails. */
async function plimsoll(databaseUrl: string, folder: string, ...args: readonly string[]) {
  const env = {
    PLIMSOLL_CONFIG: '',
    PLIMSOLL_DATABASE_URL: databaseUrl,
    PLIMSOLL_DATABASE_ROLE_PREFIX: new URL(databaseUrl).pathname.slice(1),
    PLIMSOLL_DATA_DIR: path.join(folder, 'data'),
  };
  const startedAt = performance.now();
  const main = path.join(projectDir, 'apps/cli/dist/main.js');
  const { status, stdout, stderr } = await runCommand([process.execPath, main, ...args], { env });
  if (status !== 0) throw new Error(`plimsoll ${args[0]}: ${stdout}${stderr}`);
  return { seconds: (performance.now() - startedAt) / 1_000, output: stdout };
}
