import { randomUUID } from 'node:crypto';
import { type EmbeddedRedis, startRedis } from '@plimsoll/embedded';
import { type ServiceApp, serviceApps } from '@plimsoll/model';
import { describeWhere, folderPerFile } from '@plimsoll/testing';
import { Redis } from 'ioredis';
import { appQueues, checkRedis, jobs, openQueue, type QueueEvent } from '../src/index.ts';
import { redisUserOf } from '../src/redis-users.ts';
import { missingForRedis } from './on-both-backends.ts';
import { until } from './until.ts';

const prefix = '{plimsoll}';
const allJobs = Object.keys(jobs) as readonly (keyof typeof jobs)[]; // Object.keys forgets the names
const dataDir = folderPerFile();
let server: EmbeddedRedis;
let admin: Redis;

/** A separate server, because a command that is wrongly permitted would stop or empty it. */
async function startServer(): Promise<void> {
  const users = serviceApps.map((app) => redisUserOf(app, prefix));
  const started = await startRedis({
    dataDir,
    searchPath: process.env['PATH'] ?? '',
    users,
    onLog: () => undefined,
  });
  if (started === null) throw new Error('no Redis was found');
  server = started;
  admin = new Redis(server.url);
}

async function stopServer(): Promise<void> {
  admin.disconnect();
  await server.stop();
}

const urlOf = (app: ServiceApp): string => server.urlOf(redisUserOf(app, prefix).name);

/** Redis's answer to each command, sent as an app: the first word of an error, or `done`. */
async function attempts(
  app: ServiceApp,
  commands: readonly (readonly string[])[],
): Promise<readonly string[]> {
  const redis = new Redis(urlOf(app));
  const answers: string[] = [];
  for (const [name = '', ...args] of commands) {
    const answer = await redis.call(name, ...args).then(
      () => 'done',
      (error: Error) =>
        /permission|command not allowed|can't (access|run)|not allowed from script/.test(error.message)
          ? 'refused'
          : error.message,
    );
    answers.push(`${[name, ...args].join(' ')}: ${answer}`);
  }
  redis.disconnect();
  return answers;
}

const refused = (commands: readonly (readonly string[])[]) =>
  commands.map((command) => `${command.join(' ')}: refused`);

/** Every command of a category with as many arguments as it takes, each the name of a key that the app may use. */
async function commandsOf(category: string, key: string): Promise<readonly (readonly string[])[]> {
  const names = (await admin.call('ACL', 'CAT', category)) as string[]; // its documented form
  const infos = (await admin.call('COMMAND', 'INFO', ...names)) as ([string, number] | null)[];
  return infos.flatMap((info) => {
    if (info === null) return [];
    const [name, arity] = info;
    const words = name.split('|');
    // Redis 6 lists no subcommands here, but container commands accept only their subcommands.
    return [[...words, ...Array<string>(Math.max(0, Math.abs(arity) - words.length)).fill(key)]];
  });
}

describeWhere(missingForRedis, 'with the Redis URL', () => {
  beforeAll(startServer);
  afterAll(stopServer);

  describe.each(serviceApps)("of '%s'", (app) => {
    const own = `${prefix}:${appQueues[app][0]}`;
    const others = [
      ...allJobs.filter((job) => !appQueues[app].includes(job)).map((job) => `${prefix}:${job}`),
      '{other}:report-parse',
      `${prefix}`,
      `${own}-later`,
    ];

    it('administration commands are refused', async () => {
      const containers = ['acl', 'client', 'cluster', 'config', 'latency', 'memory', 'module', 'slowlog'];
      for (const category of ['admin', 'dangerous']) {
        const tried = (await commandsOf(category, `${own}:id`)).filter(
          ([name = '', ...args]) => name !== 'info' && !(containers.includes(name) && args.length === 0),
        );
        expect(tried.length).toBeGreaterThan(20);
        expect(await attempts(app, tried)).toEqual(refused(tried));
      }
    });

    it.each([
      [
        'the server',
        'CONFIG GET dir',
        'CONFIG SET dir /tmp',
        'CONFIG REWRITE',
        'DEBUG SLEEP 0',
        'SHUTDOWN NOSAVE',
      ],
      [
        'its data',
        'SAVE',
        'BGSAVE',
        'BGREWRITEAOF',
        'REPLICAOF 127.0.0.1 1',
        'FLUSHALL',
        'FLUSHDB',
        'SWAPDB 0 1',
      ],
      [
        'its users',
        'ACL LIST',
        'ACL WHOAMI',
        'ACL SETUSER default on nopass ~* +@all',
        'ACL SAVE',
        'ACL LOAD',
      ],
      ['its code', 'MODULE LOAD /tmp/x.so', 'SCRIPT FLUSH', 'SCRIPT KILL', 'FUNCTION FLUSH', 'FCALL f 0'],
      [
        'its clients',
        'CLIENT LIST',
        'CLIENT KILL TYPE normal',
        'CLIENT PAUSE 1',
        'MONITOR',
        'SUBSCRIBE x',
        'PUBLISH x y',
      ],
      ['names of keys', 'KEYS *', 'SCAN 0', 'RANDOMKEY', 'DBSIZE'],
    ])('%s: refused', async (_what, ...lines) => {
      const commands = lines.map((line) => line.split(' '));
      expect(await attempts(app, commands)).toEqual(refused(commands));
    });

    it('the keys of every other queue are refused, directly and in scripts', async () => {
      for (const other of others) {
        const key = `${other}:wait`;
        const commands = [
          ['GET', key],
          ['SET', key, '1'],
          ['HGETALL', key],
          ['LRANGE', key, '0', '-1'],
          ['DEL', key],
          ['RENAME', `${own}:wait`, key],
          ['RENAME', key, `${own}:wait`],
          ['COPY', key, `${own}:wait`],
          ['DUMP', key],
          ['SORT', `${own}:wait`, 'BY', 'nosort', 'GET', `${other}:*`],
          ['XREAD', 'STREAMS', key, '0'],
          ['ZUNIONSTORE', `${own}:x`, '1', key],
          ['RPOPLPUSH', key, `${own}:wait`],
          ['EVAL', 'return redis.call("GET", KEYS[1])', '1', key],
          ['EVAL', 'return redis.call("LPUSH", ARGV[1], 1)', '0', key],
          ['EVAL', 'return redis.call("FLUSHALL")', '0'],
          ['EVAL', 'return redis.call("CONFIG", "GET", "dir")', '0'],
        ];
        expect(await attempts(app, commands)).toEqual(refused(commands));
      }
    });

    it('its own queues work without any refused command', async () => {
      await admin.call('ACL', 'LOG', 'RESET');
      const events: QueueEvent[] = [];
      const queue = await openQueue(jobs, {
        backend: { kind: 'redis', url: urlOf(app), prefix },
        uses: appQueues[app],
        observe: (event) => events.push(event),
      });
      const id = randomUUID();
      const taken = new Map<string, number>();
      const payloads = {
        'ssh-pull': { pullJobId: id },
        'report-parse': { uploadId: id },
        'report-parse-large': { uploadId: id },
        'report-parse-pending': { uploadId: id },
        'advisory-match': { uploadId: id },
        'advisory-match-large': { uploadId: id },
        'repository-judge': { kind: 'due' },
        'host-recount': { share: 1 },
        'exposure-walk': { kind: 'due' },
        'notify-collect': { kind: 'events' },
        'notify-deliver': { deliveryId: id },
        'advisory-sync': { kind: 'sync', feedId: id },
      };
      for (const job of appQueues[app]) {
        queue.consume(
          job,
          async (_payload, { attempt }) => {
            taken.set(job, attempt);
            // The second attempt goes through the set of delayed jobs.
            if (attempt === 1 && job === 'report-parse') throw new Error('once more');
          },
          { concurrency: 2 },
        );
        queue.ring(job, payloads[job] as never); // the registry checks it at delivery
      }
      const wanted = Object.fromEntries(appQueues[app].map((job) => [job, job === 'report-parse' ? 2 : 1]));
      const isDone = () => appQueues[app].every((job) => taken.get(job) === wanted[job]);
      await until(isDone, `the jobs of ${app}`);
      await queue.ping(1_000);
      await queue.close({ graceMs: 5_000 });
      expect(Object.fromEntries(taken)).toEqual(wanted);
      expect(events.filter(({ kind }) => ['ring_lost', 'backend_error'].includes(kind))).toEqual([]);
      expect(await admin.call('ACL', 'LOG')).toEqual([]);
    });
  });

  it('a ping finds a Redis that answers but refuses writes, because it is full', async () => {
    const queue = await openQueue(jobs, {
      backend: { kind: 'redis', url: urlOf('ssh-worker'), prefix },
      uses: appQueues['ssh-worker'],
      observe: () => undefined,
    });
    await queue.ping(5_000);
    const keys = await admin.dbsize();
    await admin.config('SET', 'maxmemory', '1');
    expect(await admin.ping()).toBe('PONG');
    await expect(queue.ping(5_000)).rejects.toThrow(/^OOM /);
    const reason = expect.stringMatching(/^OOM /);
    expect(await checkRedis(urlOf('ssh-worker'), prefix)).toEqual({ kind: 'away', reason });
    await admin.config('SET', 'maxmemory', '0');
    await queue.ping(5_000);
    expect(await admin.dbsize()).toBe(keys);
    await queue.close();
  });

  it('a ring for a queue that an app does not use is lost and reported, and counting is refused', async () => {
    const events: QueueEvent[] = [];
    const queue = await openQueue(jobs, {
      backend: { kind: 'redis', url: urlOf('ssh-worker'), prefix },
      uses: appQueues['ssh-worker'],
      observe: (event) => events.push(event),
    });
    queue.ring('repository-judge', { kind: 'due' });
    expect(events).toMatchObject([
      { kind: 'ring_lost', job: 'repository-judge', reason: 'refused', error: { code: 'not_used' } },
    ]);
    await expect(queue.counts(5_000)).rejects.toMatchObject({ code: 'not_used' });
    await queue.close();
  });
});
