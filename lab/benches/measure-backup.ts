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
    let seconds = 0;
    let file = '';
    const beside = async (): Promise<void> => {
      const startedAt = performance.now();
      const output = await plimsoll(bench.databaseUrl, folder, 'backup', folder, '--without-keys');
      seconds = (performance.now() - startedAt) / 1_000;
      file = output.trim().split('\n').at(-1) ?? '';
    };
    const phases = new Set(['paced', 'beside']);
    const figures = await measurePhases(bench, database, { hosts: 1_000, wave: 0, phases, beside });
    const p99Of = (phase: string) => {
      const found = figures.find((one) => one.phase === phase);
      return {
        accepted: longestOf(found?.sent.durations ?? [], 0.99),
        visible: found?.visibleMs?.[1] ?? null,
      };
    };
    const [alone, meanwhile] = [p99Of('paced'), p99Of('beside')];
    const megabytes = Math.round((await stat(file)).size / 2 ** 20);
    const restored = `restored_${randomUUID().slice(0, 8)}`;
    await database.pool.query(`CREATE DATABASE ${restored}`);
    const url = Object.assign(new URL(bench.databaseUrl), { pathname: `/${restored}` }).href;
    const startedAt = performance.now();
    await plimsoll(url, folder, 'restore', file);
    const restoreSeconds = (performance.now() - startedAt) / 1_000;
    return [
      rowOf('a backup, read back, beside 125 changed uploads a second', { seconds, megabytes }),
      rowOf('uploads alone, p99 in ms', alone),
      rowOf('uploads beside it, p99 in ms', meanwhile),
      rowOf('its restore, proved', { seconds: restoreSeconds }),
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

/** The output of a command of the built cli. Throws with what it said if it fails. */
async function plimsoll(databaseUrl: string, folder: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PLIMSOLL_CONFIG: '',
    PLIMSOLL_DATABASE_URL: databaseUrl,
    PLIMSOLL_DATABASE_ROLE_PREFIX: new URL(databaseUrl).pathname.slice(1),
    PLIMSOLL_DATA_DIR: path.join(folder, 'data'),
  };
  const main = path.join(projectDir, 'apps/cli/dist/main.js');
  const { status, stdout, stderr } = await runCommand([process.execPath, main, ...args], { env });
  if (status !== 0) throw new Error(`plimsoll ${args[0]}: ${stdout}${stderr}`);
  return stdout;
}
