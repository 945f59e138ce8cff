import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateQueue } from '@plimsoll/queue';
import { testPostgresUrl } from '@plimsoll/testing';
import { migrateDatabase, roleNames } from '../src/index.ts';
import { openCutDoor } from './cut-connections.ts';
import { onDatabase } from './on-database.ts';
import { catalogOf, makeReplaced } from './stored-schema.ts';

const name = `interrupted_${process.pid}`;
/** Copies of it are the database before a migration. */
const before = `${name}_before`;
const url = Object.assign(new URL(testPostgresUrl()), { pathname: `/${name}` }).href;
const roles = roleNames(name);
const realDir = path.resolve(__dirname, '../../../prisma');
/** A migration whose statements fail if they are repeated, and that drops a trigger of prisma/sql. */
const invented = `DROP TRIGGER IF EXISTS "hosts_derived" ON "hosts";
ALTER TABLE "hosts" ADD COLUMN "rack" TEXT;
CREATE TABLE "racks" ("name" TEXT PRIMARY KEY);
INSERT INTO "racks" VALUES ('A1');
ALTER TABLE "hosts" ADD FOREIGN KEY ("rack") REFERENCES "racks" ("name");
`;

let schemaDir: string;

const migrate = (databaseUrl: string, folder: string) =>
  migrateDatabase({ databaseUrl, schemaDir: folder, roles, passwords: {}, alsoMigrate: migrateQueue });

const onServer = (...statements: readonly string[]) =>
  onDatabase(testPostgresUrl(), async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** Gives the database anew, as a copy of a template. */
const renew = (template: string) =>
  onServer(
    `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
    `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`,
  );

/** Keeps the database as the template `before`. */
const keep = () =>
  onServer(`DROP DATABASE IF EXISTS ${before} WITH (FORCE)`, `ALTER DATABASE ${name} RENAME TO ${before}`);

beforeAll(async () => {
  schemaDir = path.join(await mkdtemp(path.join(tmpdir(), 'plimsoll-schema-')), 'prisma');
  await cp(realDir, schemaDir, { recursive: true });
  await mkdir(path.join(schemaDir, 'migrations/20991231000000_racks'));
  await writeFile(path.join(schemaDir, 'migrations/20991231000000_racks/migration.sql'), invented);
});

afterAll(async () => {
  await rm(path.dirname(schemaDir), { recursive: true });
  const dropped = [...Object.values(roles.apps), roles.owner].map((role) => `DROP ROLE IF EXISTS ${role}`);
  await onServer(
    `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
    `DROP DATABASE IF EXISTS ${before} WITH (FORCE)`,
    ...dropped,
  );
});

/**
 * Migrates copies of `before`, cut off after one request more each time, and once more to the end. Returns the number of
 * requests.
 */
async function cutAtEachRequest(): Promise<number> {
  await renew(before);
  await migrate(url, schemaDir);
  const whole = await catalogOf(url);
  expect(whole.filter(([kind]) => kind === 'view')).toHaveLength(4);
  for (let most = 1; ; most += 1) {
    await renew(before);
    const door = await openCutDoor(url, most);
    const isDone = await migrate(door.url, schemaDir).then(
      () => true,
      () => false,
    );
    await door.close();
    if (isDone) return door.answers();
    await migrate(url, schemaDir);
    expect([most, await catalogOf(url)]).toEqual([most, whole]);
  }
}

describe('a migration that was cut off between any two requests', () => {
  it('is repeated by the next, with roles, privileges and the queue', async () => {
    await renew('template0');
    await migrate(url, realDir);
    await keep();
    expect(await cutAtEachRequest()).toBeGreaterThan(50);
  });

  it('is repeated by the next, on a database of the version before the baseline', async () => {
    await asBeforeTheBaseline();
    expect(await cutAtEachRequest()).toBeGreaterThan(40);
  });
});

describe('a migration whose backend ended', () => {
  it('is repeated by the next, after each statement since the baseline and of prisma/sql', async () => {
    await asBeforeTheBaseline();
    await renew(before);
    await migrate(url, schemaDir);
    const whole = await catalogOf(url);
    let cuts = 0;
    for (const file of await scriptsAfterTheBaseline()) {
      const script = await readFile(file, 'utf8');
      for (const end of statementEnds(script)) {
        await renew(before);
        const cut = `${script.slice(0, end)} SELECT pg_terminate_backend(pg_backend_pid());${script.slice(end)}`;
        await writeFile(file, cut);
        await expect(migrate(url, schemaDir)).rejects.toThrow(/terminating connection/);
        await writeFile(file, script);
        await migrate(url, schemaDir);
        expect([file, end, await catalogOf(url)]).toEqual([file, end, whole]);
        cuts += 1;
      }
    }
    expect(cuts).toBeGreaterThan(80);
  });
});

/** Makes `before` a database that the version before the baseline migrated, without roles. */
async function asBeforeTheBaseline(): Promise<void> {
  await renew('template0');
  await makeReplaced(url);
  await keep();
}

async function definitionFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(path.join(folder, 'sql'))).sort().map((file) => path.join(folder, 'sql', file));
}

async function scriptsAfterTheBaseline(): Promise<readonly string[]> {
  const folders = await readdir(path.join(schemaDir, 'migrations'));
  return [
    ...folders
      .filter((folder) => /^\d/.test(folder) && !folder.endsWith('_baseline'))
      .map((folder) => path.join(schemaDir, 'migrations', folder, 'migration.sql')),
    ...(await definitionFiles(schemaDir)),
  ];
}

/** The places after each statement of a script; a semicolon in a comment or in a body between two `$$` ends none. */
function statementEnds(script: string): readonly number[] {
  return [...script.matchAll(/^(?!\s*--).*;$/gm)]
    .map((line) => line.index + line[0].length)
    .filter((end) => script.slice(0, end).split('$$').length % 2 === 1);
}
