/**
 * `npm run migration:draft -- NAME [--from=REF]`: writes prisma/migrations/TIME_NAME/migration.sql with the SQL from
 * schema.prisma as committed at REF (default HEAD) to the one in the work tree. Starts its own PostgreSQL for the
 * engine.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@plimsoll/embedded';
import { diffSchemas } from './diff-schemas.ts';
import { migrationFolder } from './migration-folder.ts';

const root = process.env['PLIMSOLL_ROOT'] ?? process.cwd();
const migrationsDir = path.join(root, 'prisma/migrations');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: 'HEAD' } },
});

/** Runs `work` with the URL of an empty database, which is deleted afterwards. */
async function withScratchDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'plimsoll-draft-'));
  const log: string[] = [];
  const postgres = await startPostgres({
    dataDir,
    onLog: (text) => log.push(text),
    settings: { fsync: 'off' },
  });
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(postgres.home, { recursive: true, force: true });
  }
}

async function draft(name: string, from: string): Promise<string> {
  const folder = migrationFolder(name, readdirSync(migrationsDir), new Date());
  const committed = execFileSync('git', ['show', `${from}:prisma/schema.prisma`], {
    cwd: root,
    encoding: 'utf8',
  });
  const current = readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8');
  const sql = await withScratchDatabase((url) => diffSchemas(url, committed, current));
  if (/^\s*(--.*\s*)*$/.test(sql))
    throw new Error(`prisma/schema.prisma defines the same tables as at ${from}: change it first`);
  const file = path.join(migrationsDir, folder, 'migration.sql');
  mkdirSync(path.dirname(file));
  writeFileSync(file, sql);
  return file;
}

try {
  const [name] = positionals;
  if (name === undefined || positionals.length > 1)
    throw new Error('usage: npm run migration:draft -- NAME [--from=REF]');
  const file = await draft(name, values.from);
  process.stdout.write(`${path.relative(root, file)}: read it, it is a draft (docs/adding-a-table.md)\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
