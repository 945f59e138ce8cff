// The cost of Prisma compared with the same statements by pg: start-up, memory, and the duration and
// processor time of each kind of statement. `npm run bench -- database-door`
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Database } from '@plimsoll/db';
import { startTestServers } from '@plimsoll/testing';
import { openBenchDatabase } from './bench-database.ts';
import { say } from './bench-service.ts';

const userId = '01890000-0000-7000-8000-000000000001';
const wideSet = `SELECT n AS id, 'package-' || n AS name, 'amd64' AS architecture, n || '.0-1' AS version,
  n % 3 = 0 AS held, now() AS at, NULL::text AS module, ARRAY[n, n + 1] AS ids FROM generate_series(1, 10000) n`;
const rounds = 1_000;

interface Pair {
  readonly name: string;
  readonly times: number;
  readonly pg: (database: Database) => Promise<unknown>;
  readonly prisma: (database: Database) => Promise<unknown>;
}

const key = () => new Uint8Array(randomBytes(32));
const ids = Array.from({ length: 5_000 }, (_, n) => n);
const names = ids.map((n) => `package-${n}`);

const pairs: readonly Pair[] = [
  {
    name: 'one row, model read',
    times: rounds,
    pg: ({ pool }) => pool.query('SELECT * FROM users WHERE id = $1', [userId]),
    prisma: ({ prisma }) => prisma.user.findUnique({ where: { id: userId } }),
  },
  {
    name: 'one row, model write',
    times: rounds,
    pg: ({ pool }) => pool.query('UPDATE users SET name = $2 WHERE id = $1', [userId, 'Ada']),
    prisma: ({ prisma }) => prisma.user.updateMany({ where: { id: userId }, data: { name: 'Ada' } }),
  },
  {
    name: 'one row, raw',
    times: rounds,
    pg: ({ pool }) => pool.query('SELECT id, email, name FROM users WHERE id = $1', [userId]),
    prisma: ({ prisma }) =>
      prisma.$queryRawUnsafe('SELECT id, email, name FROM users WHERE id = $1::uuid', userId),
  },
  {
    name: 'transaction of a lock, a write and an insert',
    times: rounds,
    async pg({ pool }) {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query('SELECT name FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
      await client.query('UPDATE users SET name = $2 WHERE id = $1', [userId, 'Ada']);
      await client.query('INSERT INTO spent_sign_ins (id, expires_at) VALUES (gen_random_uuid(), now())');
      await client.query('COMMIT');
      client.release();
    },
    prisma: ({ prisma }) =>
      prisma.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT name FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
        await tx.user.updateMany({ where: { id: userId }, data: { name: 'Ada' } });
        await tx.spentSignIn.createMany({ data: [{ id: crypto.randomUUID(), expiresAt: new Date() }] });
      }),
  },
  {
    name: '10,000 rows of 8 columns, raw',
    times: 30,
    pg: ({ pool }) => pool.query(wideSet),
    prisma: ({ prisma }) => prisma.$queryRawUnsafe(wideSet),
  },
  {
    name: 'a megabyte of bytes, model write and read',
    times: 30,
    async pg({ pool }) {
      await pool.query('INSERT INTO collectors (sha256, version, script) VALUES ($1, $2, $3)', [
        key(),
        'pg',
        chunk,
      ]);
      await pool.query(`SELECT script FROM collectors WHERE version = 'pg' LIMIT 1`);
    },
    async prisma({ prisma }) {
      await prisma.collector.createMany({ data: { sha256: key(), version: 'prisma', script: chunk } });
      await prisma.collector.findFirst({ where: { version: 'prisma' }, select: { script: true } });
    },
  },
  {
    name: 'two arrays of 5,000 as parameters, raw',
    times: 100,
    pg: ({ pool }) =>
      pool.query('SELECT count(*) FROM unnest($1::int[], $2::text[]) AS n (a, b)', [ids, names]),
    prisma: ({ prisma }) =>
      prisma.$queryRawUnsafe('SELECT count(*) FROM unnest($1::int[], $2::text[]) AS n (a, b)', ids, names),
  },
];

const chunk = new Uint8Array(1024 * 1024).fill(7);

const [, program = '', url] = process.argv;
if (url === undefined) await measureAll();
else await measureIn(url);

async function measureAll(): Promise<void> {
  const servers = await startTestServers(
    process.env['PLIMSOLL_ROOT'] ?? path.resolve('.'),
    process.env['PATH'] ?? '',
  );
  try {
    const database = new URL(servers.postgresUrl);
    database.pathname = '/plimsoll_template';
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', program, database.href], {
      encoding: 'utf8',
    });
    say(stdout + stderr);
  } finally {
    await servers.stop();
  }
}

async function measureIn(databaseUrl: string): Promise<void> {
  const database = openBenchDatabase(databaseUrl);
  const { pool, prisma } = database;
  await pool.query('INSERT INTO users (id, email, name, password_hash, role) VALUES ($1, $2, $3, $4, $5)', [
    userId,
    'ada@example.org',
    'Ada',
    'none',
    'admin',
  ]);
  say(`after the first statement by pg: ${residentMb()} MB resident`);
  const startedAt = performance.now();
  await prisma.user.count();
  say(
    `the first statement by Prisma: ${(performance.now() - startedAt).toFixed(0)} ms, then ${residentMb()} MB resident`,
  );
  for (const pair of pairs) {
    const [byPg, byPrisma] = await measurePair(pair, database);
    say(`${pair.name}: pg ${byPg}, Prisma ${byPrisma}`);
  }
  say(`at the end: ${residentMb()} MB resident`);
  await database.close();
}

async function measurePair(
  { times, pg, prisma }: Pair,
  database: Database,
): Promise<readonly [string, string]> {
  const measured: string[] = [];
  for (const statement of [pg, prisma]) {
    for (let n = 0; n < times / 4; n += 1) await statement(database);
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    for (let n = 0; n < times; n += 1) await statement(database);
    const ms = (performance.now() - startedAt) / times;
    const { user, system } = process.cpuUsage(cpu);
    measured.push(`${ms.toFixed(3)} ms (${((user + system) / 1000 / times).toFixed(3)} ms of processor)`);
  }
  return [measured[0] ?? '', measured[1] ?? ''];
}

function residentMb(): number {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1_048_576);
}
