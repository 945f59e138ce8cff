import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { z } from 'zod';
import { inTransaction, queryRows } from '../src/connection/transaction.ts';
import { Prisma } from '../src/generated/client.ts';
import { type Database, isDatabaseAway, openDatabase } from '../src/index.ts';

let test: TestDatabase;
const opened: Database[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await test.drop();
});

function open(options: { readonly statementLimitMs?: number } = {}): Database {
  const database = openDatabase({
    databaseUrl: test.url,
    poolSize: 1,
    applicationName: 'prisma door',
    onIdleError: () => undefined,
    ...options,
  });
  opened.push(database);
  return database;
}

const jti = () => crypto.randomUUID();
const expiresAt = new Date('2026-11-22T10:00:00.123Z');
const revoked = async (id: string) => (await test.db.prisma.revokedToken.count({ where: { jti: id } })) === 1;

describe('a transaction', () => {
  it('commits when its work is done, with models and SQL in one transaction', async () => {
    const [first, second] = [jti(), jti()];
    await inTransaction(open().prisma, async (tx) => {
      await tx.revokedToken.createMany({ data: { jti: first, expiresAt } });
      await tx.$executeRaw`INSERT INTO revoked_tokens (jti, expires_at) VALUES (${second}, ${expiresAt})`;
      expect(await revoked(first)).toBe(false);
    });
    expect([await revoked(first), await revoked(second)]).toEqual([true, true]);
  });

  it('rolls back when its work throws', async () => {
    const id = jti();
    const work = inTransaction(open().prisma, async (tx) => {
      await tx.revokedToken.createMany({ data: { jti: id, expiresAt } });
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    expect(await revoked(id)).toBe(false);
  });

  it('leaves no connection open after a statement timed out', async () => {
    const { prisma, pool } = open({ statementLimitMs: 300 });
    const lost = jti();
    const error = await inTransaction(prisma, async (tx) => {
      await tx.revokedToken.createMany({ data: { jti: lost, expiresAt } });
      await tx.$queryRaw`SELECT 1 AS one FROM pg_sleep(5)`;
    }).catch((thrown: unknown) => thrown);
    expect(isDatabaseAway(error)).toBe(true);
    // The pool's only connection is new, without an open transaction.
    const kept = jti();
    await pool.query('INSERT INTO revoked_tokens (jti, expires_at) VALUES ($1, $2)', [kept, expiresAt]);
    expect([await revoked(lost), await revoked(kept)]).toEqual([false, true]);
  });

  it('fails like an unavailable database when the server ends its connection', async () => {
    const { prisma } = open();
    const error = await inTransaction(prisma, async (tx) => {
      await tx.revokedToken.createMany({ data: { jti: jti(), expiresAt } });
      const { rows } = await test.db.pool.query(
        `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE application_name = 'prisma door'
           AND state = 'idle in transaction'`,
      );
      expect(rows).toEqual([{ ended: true }]);
      await tx.revokedToken.count();
    }).catch((thrown: unknown) => thrown);
    expect(isDatabaseAway(error)).toBe(true);
    expect(await prisma.revokedToken.count()).toBeGreaterThan(0);
  });
});

describe('an unavailable database', () => {
  it.each([
    ['a model', (db: Database) => db.prisma.revokedToken.count()],
    ['SQL', (db: Database) => db.prisma.$queryRaw`SELECT 1 AS one`],
    ['a transaction', (db: Database) => inTransaction(db.prisma, (tx) => tx.revokedToken.count())],
  ])('is known by the error of %s', async (_, ask) => {
    const url = new URL(test.url);
    url.port = '1';
    const away = openDatabase({
      databaseUrl: url.href,
      poolSize: 1,
      applicationName: 'away',
      onIdleError: () => undefined,
    });
    const error = await ask(away).catch((thrown: unknown) => thrown);
    expect(error).not.toEqual(expect.any(Number));
    expect(isDatabaseAway(error)).toBe(true);
    await away.close();
  });

  it('is not reported for a wrong statement', async () => {
    const error = await open().prisma.$queryRaw`SELECT 1 / 0 AS none`.catch((thrown: unknown) => thrown);
    expect(error).toEqual(expect.objectContaining({ code: 'P2010' }));
    expect(isDatabaseAway(error)).toBe(false);
  });
});

it('reads and writes the same times whatever time zone the server is set to', async () => {
  const name = new URL(test.url).pathname.slice(1);
  await test.db.pool.query(`ALTER DATABASE ${name} SET timezone TO 'Asia/Kolkata'`);
  const { prisma, pool } = open();
  const id = jti();
  await prisma.revokedToken.createMany({ data: { jti: id, expiresAt } });
  const { rows } = await pool.query('SELECT expires_at AS at FROM revoked_tokens WHERE jti = $1', [id]);
  expect(rows).toEqual([{ at: expiresAt }]);
  expect(await prisma.revokedToken.findUnique({ where: { jti: id } })).toEqual({ jti: id, expiresAt });
  const sql = Prisma.sql`SELECT expires_at AS at FROM revoked_tokens WHERE expires_at = ${expiresAt} AND jti = ${id}`;
  expect(await queryRows(prisma, z.object({ at: z.date() }), sql)).toEqual([{ at: expiresAt }]);
});

it('throws if a row does not match its schema', async () => {
  const shape = z.object({ n: z.string() });
  await expect(queryRows(open().prisma, shape, Prisma.sql`SELECT 1 AS n`)).rejects.toThrow(z.ZodError);
});
