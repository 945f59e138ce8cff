import { groupBy } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import type pg from 'pg';
import { DatabaseTypes } from './statements/database-types.ts';
import { describeStatement } from './statements/describe-statement.ts';
import { SourceCode } from './statements/find-statements.ts';
import { readNullable, rowFaults } from './statements/row-faults.ts';

/**
 * Files with calls whose SQL is not known before they run, so that nothing checks their rows and parameters: how many, and
 * why. At most 60 in all.
 */
const unchecked: Readonly<Record<string, readonly [calls: number, reason: string]>> = {
  'backup-contents.ts': [1, 'the tables of a database that any version made'],
  'backup-snapshot.ts': [2, 'the same'],
  'ensure-roles.ts': [8, 'roles that the configuration names'],
  'grant-privileges.ts': [5, 'grants to such roles, on all objects of the database'],
  'load-backup.ts': [4, 'the same, and their foreign keys, by names of the catalogue'],
  'locked-client.ts': [1, 'a role that the configuration names'],
  'migrate.ts': [1, 'the files of migrations'],
  'take-ownership.ts': [1, 'all objects of the database'],
};

let database: TestDatabase;
let client: pg.PoolClient;
let code: SourceCode;

beforeAll(async () => {
  code = new SourceCode();
  database = await createTestDatabase();
  client = await database.db.pool.connect();
});
afterAll(async () => {
  code.close();
  client.release();
  await database.drop();
});

it('knows the SQL of every call, except for those that are named with a reason', () => {
  const calls = groupBy(code.unknown, ({ where }) => where.replace(/.*\/|:.*/g, ''));
  const surprising = [...calls].filter(([file, own]) => unchecked[file]?.[0] !== own.length);
  expect(surprising).toEqual([]);
  expect([...calls.keys()].sort()).toEqual(Object.keys(unchecked));
  expect(code.unknown.length).toBeLessThanOrEqual(60);
});

it('declares the rows that statements return, and gives them the parameters that they take', async () => {
  const types = await DatabaseTypes.read(client);
  const catalog = { checker: code.project.checker, types, nullable: await readNullable(client) };
  const isTemporary = (text: string) => /^\s*CREATE TEMP/.test(text);
  for (const { text } of code.statements) if (isTemporary(text)) await client.query(text);
  const faults = new Set<string>();
  for (const statement of code.statements) {
    const { where, text, values } = statement;
    if (isTemporary(text)) continue;
    const found = await describeStatement(client, text).then(
      ({ parameters, columns }) => [
        ...(values === null ? [] : types.parameterFaults(values, parameters)),
        ...rowFaults(catalog, statement, columns),
      ],
      (error: Error) => [`${error.message}: ${text}`],
    );
    for (const fault of found) faults.add(`${where} ${fault}`);
  }
  expect([...faults]).toEqual([]);
});
