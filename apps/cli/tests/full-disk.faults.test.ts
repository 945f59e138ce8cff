import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort, leastFreeBytes, lockDataDir } from '@plimsoll/embedded';
import { circumstance, describeWhere, waitFor } from '@plimsoll/testing';
import pg from 'pg';
import { openLog } from '../src/service/open-log.ts';
import { buildService, canMount, processesOf, type ServiceProcess, startService } from './service-process.ts';

let disk = '';
let dataDir = '';
let port = 0;
let service: ServiceProcess | undefined;

/** Leaves so many bytes of the disk free; 0 also takes what others free meanwhile. */
async function fill(leave: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  const count = leave === 0 ? [] : [`count=${Math.floor((bavail * bsize - leave) / 4096)}`];
  const args = ['if=/dev/zero', `of=${path.join(disk, 'filler')}`, 'bs=4096', ...count];
  spawnSync('dd', args, { stdio: 'ignore' });
}

const makeSpace = () => rm(path.join(disk, 'filler'));

const outputHas = (text: string) => waitFor(text, () => service?.output().includes(text) ?? false);

async function apiPid(): Promise<number> {
  return ((await (await fetch(`http://127.0.0.1:${port}/environment`)).json()) as { pid: number }).pid; // sent by fixture-api
}

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the server ends the connection
  try {
    await client.connect();
    return (await client.query({ text: sql, rowMode: 'array' })).rows[0]?.[0];
  } finally {
    await client.end();
  }
}

describeWhere(canMount ? [] : [circumstance('root that may mount')], 'a disk that is full', () => {
  beforeAll(async () => {
    await buildService();
    disk = await mkdtemp(path.join(tmpdir(), 'plimsoll-disk-'));
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', disk]);
    dataDir = path.join(disk, 'data');
    port = await findFreePort();
  });

  afterAll(async () => {
    service?.child.kill('SIGTERM');
    await service?.ended();
    await waitFor('the end of all processes', async () => (await processesOf(dataDir)).length === 0);
    spawnSync('umount', [disk]);
    await rm(disk, { recursive: true });
  });

  it('delays the start, which says so and goes on by itself', async () => {
    await fill(2 ** 20);
    service = startService(dataDir, port, 'fixture-api');
    await outputHas(
      `The disk of ${dataDir} is full: 1 MB free of 400 MB. Plimsoll starts by itself when 64 MB are free.\n`,
    );
    await makeSpace();
    await service.ready();
  });

  it('ends neither the service nor the API, loses nothing, and what it stopped goes on by itself', async () => {
    const url = await readFile(path.join(dataDir, 'database.url'), 'utf8');
    await query(url, 'CREATE TABLE accepted AS SELECT 42 AS answer');
    const pid = await apiPid();
    await fill(0);
    await outputHas(
      `The disk of ${dataDir} is full: 0 MB free of 400 MB. Reports that cannot be stored are refused`,
    );
    // PostgreSQL ends when it cannot write its log.
    const refused = await query(
      url,
      'CREATE TABLE filler AS SELECT * FROM generate_series(1, 100000000)',
    ).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: expect.stringMatching(/No space left on device|terminated/) });
    await waitFor('the end of PostgreSQL', async () => {
      await query(url, 'SELECT pg_switch_wal()').catch(() => undefined);
      return service?.output().includes('PostgreSQL has ended because the disk of') ?? false;
    });
    expect((await statfs(disk)).bavail).toBeLessThan(leastFreeBytes);
    expect(service?.child.exitCode).toBeNull();
    expect(await apiPid()).toBe(pid);
    await makeSpace();
    await waitFor(
      'PostgreSQL',
      async () => (await query(url, 'SELECT answer FROM accepted').catch(() => null)) === 42,
    );
    await outputHas(`The disk of ${dataDir} has space again: `);
    expect(await apiPid()).toBe(pid);
  });

  it('leaves no folder locked by a process that gave it back', async () => {
    const folder = await mkdtemp(path.join(disk, 'locked-'));
    const held = await lockDataDir(folder);
    await fill(0);
    if (held.kind === 'locked') await held.lock.release();
    await makeSpace();
    expect((await lockDataDir(folder)).kind).toBe('locked');
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('stops no log for good, and the log says that it lost lines', async () => {
    const problems: string[] = [];
    const log = openLog(disk, 'tried', (problem) => problems.push(problem));
    const textOf = () => readFile(path.join(disk, 'tried.log'), 'utf8').catch(() => '');
    log.write('before\n');
    await waitFor('the first line', async () => (await textOf()) === 'before\n');
    await fill(0);
    await waitFor('a report', () => {
      log.write(`${'lost'.repeat(1_000)}\n`);
      return problems.length > 0;
    });
    await makeSpace();
    await waitFor('a later line', async () => {
      log.write('after\n');
      return (await textOf()).endsWith('after\n');
    });
    await log.close();
    expect(problems).toEqual([expect.stringMatching(/^tried\.log in .* cannot be written .*ENOSPC/)]);
    expect(await textOf()).toMatch(
      /^before\n[\s\S]*\{"time":"[^"]+","msg":"output was lost","since":"[^"]+"\}\n(after\n)+$/,
    );
  });
});
