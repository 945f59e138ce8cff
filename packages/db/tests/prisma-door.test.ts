import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { z } from 'zod';
import { inTransaction, queryRows } from '../src/core/transaction.ts';
import { Prisma } from '../src/generated/client.ts';
import { type Database, databaseFault, isDatabaseAway, openDatabase } from '../src/index.ts';

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

const newId = () => crypto.randomUUID();
const expiresAt = new Date('2026-11-22T10:00:00.123Z');
const isStored = async (id: string) => (await test.db.prisma.spentSignIn.count({ where: { id } })) === 1;

describe('a transaction', () => {
  it('commits when its work is done, with models and SQL in one transaction', async () => {
    const [first, second] = [newId(), newId()];
    await inTransaction(open().prisma, async (tx) => {
      await tx.spentSignIn.createMany({ data: { id: first, expiresAt } });
      await tx.$executeRaw`INSERT INTO spent_sign_ins (id, expires_at) VALUES (${second}, ${expiresAt})`;
      expect(await isStored(first)).toBe(false);
    });
    expect([await isStored(first), await isStored(second)]).toEqual([true, true]);
  });

  it('rolls back when its work throws', async () => {
    const id = newId();
    const work = inTransaction(open().prisma, async (tx) => {
      await tx.spentSignIn.createMany({ data: { id, expiresAt } });
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    expect(await isStored(id)).toBe(false);
  });

  it('leaves no connection open after a statement timed out', async () => {
    const { prisma, pool } = open({ statementLimitMs: 300 });
    const lost = newId();
    const error = await inTransaction(prisma, async (tx) => {
      await tx.spentSignIn.createMany({ data: { id: lost, expiresAt } });
      await tx.$queryRaw`SELECT 1 AS one FROM pg_sleep(5)`;
    }).catch((thrown: unknown) => thrown);
    expect(isDatabaseAway(error)).toBe(true);
    // The pool's only connection is new, without an open transaction.
    const kept = newId();
    await pool.query('INSERT INTO spent_sign_ins (id, expires_at) VALUES ($1, $2)', [kept, expiresAt]);
    expect([await isStored(lost), await isStored(kept)]).toEqual([false, true]);
  });

  it('fails like an unavailable database when the server ends its connection', async () => {
    const { prisma } = open();
    const error = await inTransaction(prisma, async (tx) => {
      await tx.spentSignIn.createMany({ data: { id: newId(), expiresAt } });
      const { rows } = await test.db.pool.query(
        `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE application_name = 'prisma door'
           AND state = 'idle in transaction'`,
      );
      expect(rows).toEqual([{ ended: true }]);
      await tx.spentSignIn.count();
    }).catch((thrown: unknown) => thrown);
    expect(isDatabaseAway(error)).toBe(true);
    expect(await prisma.spentSignIn.count()).toBeGreaterThan(0);
  });
});

describe('an unavailable database', () => {
  it.each([
    ['a model', (db: Database) => db.prisma.spentSignIn.count()],
    ['SQL', (db: Database) => db.prisma.$queryRaw`SELECT 1 AS one`],
    ['a transaction', (db: Database) => inTransaction(db.prisma, (tx) => tx.spentSignIn.count())],
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

  it.each([
    ['53100', 'disk_full'],
    ['53200', 'out_of_memory'],
    ['53300', 'no_connection'],
    ['25006', 'read_only'],
    ['57P01', 'unreachable'],
    ['58030', 'input_output'],
    ['53400', null], // A statement that always needs too many temporary files.
  ])('is known by the code %s of its server, through Prisma and pg: %s', async (code, kind) => {
    const { prisma, pool } = open();
    const raise = `DO $$ BEGIN RAISE 'in its own words' USING ERRCODE = '${code}'; END $$`;
    const errors = await Promise.all(
      [prisma.$executeRawUnsafe(raise), pool.query(raise)].map((answer) => answer.catch((error) => error)),
    );
    const message = expect.stringContaining('in its own words');
    const fault = kind === null ? null : { kind, message };
    expect(errors.map(databaseFault)).toEqual([fault, fault]);
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
  const id = newId();
  await prisma.spentSignIn.createMany({ data: { id, expiresAt } });
  const { rows } = await pool.query('SELECT expires_at AS at FROM spent_sign_ins WHERE id = $1', [id]);
  expect(rows).toEqual([{ at: expiresAt }]);
  expect(await prisma.spentSignIn.findUnique({ where: { id } })).toEqual({ id, expiresAt });
  const sql = Prisma.sql`SELECT expires_at AS at FROM spent_sign_ins WHERE expires_at = ${expiresAt} AND id = ${id}`;
  expect(await queryRows(prisma, z.object({ at: z.date() }), sql)).toEqual([{ at: expiresAt }]);
});

it('throws if a row does not match its schema', async () => {
  const shape = z.object({ n: z.string() });
  await expect(queryRows(open().prisma, shape, Prisma.sql`SELECT 1 AS n`)).rejects.toThrow(z.ZodError);
});
