import { chown, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { folderPerFile } from '@plimsoll/testing';
import { type EmbeddedRedis, startRedis } from '../src/index.ts';
import { isAlive } from '../src/process-identity.ts';
import { findRedisProgram } from '../src/redis/find-redis-program.ts';
import { until } from '../src/until.ts';
import { killGuard, killHard, runSupervisor } from './run-supervisor.ts';

const isRoot = process.getuid?.() === 0;
const users = [{ name: 'reader', rules: '~open -@all +get' }];
const searchPath = process.env['PATH'] ?? '';
const dataDir = folderPerFile();
const running: EmbeddedRedis[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

it('returns null without a Redis on the search path', async () => {
  expect(await startRedis({ dataDir, searchPath: dataDir, onLog: () => undefined })).toBeNull();
});

it('runs, keeps and stops a real Redis (half skipped without one on the PATH)', async () => {
  if ((await findRedisProgram(searchPath)) === null) {
    process.stderr.write(
      'SKIPPED: no redis-server or valkey-server on the PATH, private Redis is not tested here\n',
    );
    return;
  }
  await takesOverWhatAnEarlierReleaseLeft();
  await dropsWhatAnEarlierReleaseReadInPart();
  const first = await start();
  expect(await command(first.url, 'CONFIG GET maxmemory-policy')).toContain('noeviction');
  expect(await command(first.url, 'SET kept 42')).toContain('+OK');
  // The rings of the queue are written by scripts.
  const script = "EVAL \"redis.call('SET', 'a', 1) redis.call('SET', 'b', 2) return 7\" 0";
  expect(await command(first.url, script)).toContain(':7');
  expect(await command(withPassword(first.url, 'guess'), 'PING')).toContain('-NOAUTH');
  expect(await send(first.url, 'GET kept')).toContain('-NOAUTH');
  expect(await send(first.url, 'AUTH default ""')).toContain('-WRONGPASS');
  await isClosedToOthers(first);
  await expect(start()).rejects.toMatchObject({ code: 'data_in_use' });
  await first.stop();

  const second = await start();
  expect(await command(second.url, 'GET kept')).toContain('42');
  expect(await command(second.url, 'EXISTS a b')).toContain(':2');
  await comesBackWhereItWas(second);
  await second.stop();

  await endsWithItsSupervisor();
  await stopsWhatWasLeftBehind();
});

/** Earlier releases kept the data beside the settings, and owned by root. */
async function takesOverWhatAnEarlierReleaseLeft(): Promise<void> {
  const server = await start();
  await command(server.url, 'SET earlier 1');
  await server.stop();
  const [folder, name] = [path.join(dataDir, 'redis'), 'appendonlydir'];
  if (!(await readdir(path.join(folder, 'data'))).includes(name)) return; // Redis 6 has one file
  await rename(path.join(folder, 'data', name), path.join(folder, name));
  if (isRoot) {
    for (const file of await readdir(path.join(folder, name)))
      await chown(path.join(folder, name, file), 0, 0);
    await chown(path.join(folder, name), 0, 0);
  }
  const next = await start();
  expect(await command(next.url, 'GET earlier')).toContain('$1');
  await next.stop();
}

/** Servers of earlier releases left out transactions and scripts of their files when they started. */
async function dropsWhatAnEarlierReleaseReadInPart(): Promise<void> {
  const server = await start();
  await command(server.url, 'SET half 1');
  await server.stop();
  const settings = path.join(dataDir, 'redis', 'redis.conf');
  const text = await readFile(settings, 'utf8');
  expect(text).toMatch(/^user default off .+$/m);
  await writeFile(settings, text.replace(/^user default off .+$/m, 'user default off'));
  const next = await start();
  expect(await command(next.url, 'EXISTS half')).toContain(':0');
  await next.stop();
}

/** Settings without a password, which the server can read but not write; the server has its own user, not root. */
async function isClosedToOthers(server: EmbeddedRedis): Promise<void> {
  const settings = path.join(dataDir, 'redis', 'redis.conf');
  const { uid, gid, mode } = await stat(settings);
  expect(mode & 0o037).toBe(0);
  expect(uid).toBe(process.getuid?.());
  const { password } = new URL(server.urlOf('reader'));
  expect(await readFile(settings, 'utf8')).not.toContain(password);
  expect((await stat(path.join(dataDir, 'redis', 'admin.url'))).mode & 0o077).toBe(0);
  expect(server.rootReason).toBeNull();
  if (!isRoot) return;
  const user = await stat(`/proc/${await serverPid()}`);
  expect(user.uid).toBeGreaterThan(0);
  expect(user.gid).toBe(gid);
  expect(await readFile(`/proc/${await serverPid()}/status`, 'utf8')).toMatch(/^Groups:\s*$/m);
}

it('gives users exactly the rights of their rules (skipped without one on the PATH)', async () => {
  if ((await findRedisProgram(searchPath)) === null) return;
  const server = await start();
  await command(server.url, 'SET open 1');
  await command(server.url, 'SET closed 2');
  const url = server.urlOf('reader');
  expect(await command(url, 'GET open')).toContain('$1');
  for (const line of ['GET closed', 'SET open 2', 'CONFIG GET dir', 'ACL LIST', 'SHUTDOWN'])
    expect(await command(url, line)).toContain('-NOPERM');
  expect(() => server.urlOf('nobody')).toThrow('has no user nobody');
  await server.stop();
});

async function comesBackWhereItWas(server: EmbeddedRedis): Promise<void> {
  const pid = await serverPid();
  process.kill(pid, 'SIGKILL');
  const isBack = () =>
    command(server.url, 'GET kept').then(
      (answer) => answer.includes('42'),
      () => false, // not yet
    );
  expect(await until(isBack, 30_000)).toBe(true);
  process.kill(await serverPid(), 'SIGKILL');
  // Stopped during its restart: the caller's stop() must still end.
}

async function endsWithItsSupervisor(): Promise<void> {
  const supervisor = await runSupervisor(dataDir, 'redis', searchPath);
  const pid = await serverPid();
  await killHard(supervisor);
  expect(await until(() => !isAlive(pid), 30_000)).toBe(true);
}

async function stopsWhatWasLeftBehind(): Promise<void> {
  const supervisor = await runSupervisor(dataDir, 'redis', searchPath);
  const pid = await serverPid();
  await killGuard(pid);
  await killHard(supervisor);
  expect(isAlive(pid)).toBe(true);
  const server = await start();
  expect(isAlive(pid)).toBe(false);
  expect(await command(server.url, 'GET kept')).toContain('42');
}

async function start(): Promise<EmbeddedRedis> {
  const server = await startRedis({ dataDir, searchPath, users, onLog: () => undefined });
  if (server === null) throw new Error('no Redis was found');
  running.push(server);
  return server;
}

async function serverPid(): Promise<number> {
  return Number(await readFile(path.join(dataDir, 'redis', 'redis.pid'), 'utf8'));
}

function withPassword(url: string, password: string): string {
  return url.replace(/:[^:@/]+@/, `:${password}@`);
}

function command(url: string, line: string): Promise<string> {
  const { username, password } = new URL(url);
  return send(url, `AUTH ${username} ${password}\r\n${line}`);
}

/** Sends lines to the server; resolves to its answers. */
function send(url: string, lines: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    let answer = '';
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.once('close', () => resolve(answer));
    socket.end(`${lines}\r\nQUIT\r\n`);
  });
}
