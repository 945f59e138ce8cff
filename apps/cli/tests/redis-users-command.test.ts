import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRedis } from '@plimsoll/embedded';
import { serviceApps } from '@plimsoll/model';
import { Redis } from 'ioredis';
import { redisUserCommands, redisUsersCommand } from '../src/commands/redis-users-command.ts';

it('prints one command for each app, for the configured prefix', async () => {
  const said: string[] = [];
  await redisUsersCommand({
    env: { PLIMSOLL_CONFIG: '', PLIMSOLL_QUEUE_PREFIX: '{second}' },
    projectDir: __dirname,
    say: (line) => said.push(line),
    warn: (line) => said.push(line),
  }).parseAsync([], { from: 'user' });
  expect(said.map((line) => line.split(' ').slice(0, 5))).toEqual(
    serviceApps.map((app) => ['ACL', 'SETUSER', `second-${app}`, 'reset', 'on']),
  );
  expect(said.join()).not.toContain('{plimsoll}');
});

it('prints commands that a server accepts (half skipped without one on the PATH)', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'plimsoll-redis-users-'));
  const server = await startRedis({ dataDir, searchPath: process.env['PATH'] ?? '', onLog: () => undefined });
  const commands = redisUserCommands('{plimsoll}');
  expect(commands).toHaveLength(serviceApps.length);
  if (server !== null) {
    const admin = new Redis(server.url);
    for (const line of commands) {
      const [name = '', ...args] = line.replace('PASSWORD', 'of-this-test').split(' ');
      expect(await admin.call(name, ...args)).toBe('OK');
    }
    const url = server.url.replace(/\/\/[^@]+@/, '//plimsoll-report-worker:of-this-test@');
    const app = new Redis(url);
    expect(await app.get('{plimsoll}:report-parse:id')).toBeNull();
    await expect(app.get('{plimsoll}:ssh-pull:id')).rejects.toThrow('NOPERM');
    app.disconnect();
    admin.disconnect();
    await server.stop();
  }
  await rm(dataDir, { recursive: true });
});
