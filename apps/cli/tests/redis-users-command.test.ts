import { startRedis } from '@plimsoll/embedded';
import { serviceApps } from '@plimsoll/model';
import { folderPerFile } from '@plimsoll/testing';
import { Redis } from 'ioredis';
import { redisUserCommands, redisUsersCommand } from '../src/commands/redis-users-command.ts';
import { outputOf } from './output-of.ts';

const dataDir = folderPerFile();

it('prints one command for each app, for the configured prefix', async () => {
  const said = await outputOf(redisUsersCommand, [], { PLIMSOLL_QUEUE_PREFIX: '{second}' });
  expect(said.split('\n').map((line) => line.split(' ').slice(0, 5))).toEqual(
    serviceApps.map((app) => ['ACL', 'SETUSER', `second-${app}`, 'reset', 'on']),
  );
  expect(said).not.toContain('{plimsoll}');
});

it('prints commands that a server accepts (half skipped without one on the PATH)', async () => {
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
});
