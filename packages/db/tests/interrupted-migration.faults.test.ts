import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateQueue } from '@plimsoll/queue';
import { onDatabase, testPostgresUrl } from '@plimsoll/testing';
import { type MigrationStep, migrateDatabase, roleNames } from '../src/index.ts';
import { openCutDoor } from './cut-connections.ts';
import { catalogOf, makeReplaced } from './stored-schema.ts';

const name = `interrupted_${process.pid}`;
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
/** What migrations without an interruption make. */
let whole: Awaited<ReturnType<typeof catalogOf>>;

const migrate = (options: Partial<Parameters<typeof migrateDatabase>[0]> = {}) =>
  migrateDatabase({
    ...{ databaseUrl: url, schemaDir, roles, passwords: {}, alsoMigrate: migrateQueue },
    ...options,
  });

const onServer = (...statements: readonly string[]) =>
  onDatabase(testPostgresUrl(), async (client) => {
    for (const statement of statements) await client.query(statement);
  });

const drop = () =>
  onServer(
    `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
    ...[...Object.values(roles.apps), roles.owner].map((role) => `DROP ROLE IF EXISTS ${role}`),
  );

beforeAll(async () => {
  schemaDir = path.join(await mkdtemp(path.join(tmpdir(), 'plimsoll-schema-')), 'prisma');
  await cp(realDir, schemaDir, { recursive: true });
  await mkdir(path.join(schemaDir, 'migrations/20991231000000_racks'));
  await writeFile(path.join(schemaDir, 'migrations/20991231000000_racks/migration.sql'), invented);
  await onServer(`CREATE DATABASE ${name}`);
  await migrate();
  whole = await catalogOf(url);
  expect(whole.filter(([kind]) => kind === 'view')).toHaveLength(4);
});

beforeEach(async () => {
  await drop();
  await onServer(`CREATE DATABASE ${name}`);
});

afterAll(async () => {
  await drop();
  await rm(path.dirname(schemaDir), { recursive: true });
});

it.each([
  ['of the version before', () => migrate({ schemaDir: realDir }), 60],
  ['of the version before the baseline, without roles', () => makeReplaced(url), 200],
])(
  'a database %s is migrated by tries that are cut off a request later each, on what the last left',
  async (_, prepare, least) => {
    await prepare();
    await migrateQueue(url, null);
    let cuts = 0;
    let ofStep = 0;
    let step: string | null | undefined;
    // After the first requests of a step every second, then every third: they are all of one transaction.
    for (let most = 1; ; most += 1 + Math.floor(ofStep / 16)) {
      const door = await openCutDoor(url, most);
      const steps: (string | null)[] = [];
      const onStep = ({ migration }: MigrationStep) => {
        if (steps.push(migration) > 1 || migration === step) return;
        // The last try committed a step. What comes before the next is as it was.
        step = migration;
        most = door.answers();
        ofStep = 0;
        door.cut();
      };
      const error: unknown = await migrate({ databaseUrl: door.url, onStep }).then(
        () => null,
        (reason) => reason,
      );
      await door.close();
      if (error === null) break;
      if (!door.isCut()) throw error;
      cuts += 1;
      ofStep += 1;
    }
    expect(await catalogOf(url)).toEqual(whole);
    expect(cuts).toBeGreaterThan(least);
  },
);

it('a database is migrated by tries whose backend ends a statement later each, on what the last left', async () => {
  await makeReplaced(url);
  let cuts = 0;
  for (const file of await scriptsAfterTheBaseline()) {
    const script = await readFile(file, 'utf8');
    for (const end of statementEnds(script)) {
      const cut = `${script.slice(0, end)} RESET ROLE; SELECT pg_terminate_backend(pg_backend_pid());${script.slice(end)}`;
      await writeFile(file, cut);
      await expect(migrate()).rejects.toThrow(/terminating connection/);
      cuts += 1;
    }
    await writeFile(file, script);
  }
  await migrate();
  expect(await catalogOf(url)).toEqual(whole);
  expect(cuts).toBeGreaterThan(80);
});

async function scriptsAfterTheBaseline(): Promise<readonly string[]> {
  const folders = (await readdir(path.join(schemaDir, 'migrations'))).sort();
  return [
    ...folders
      .filter((folder) => /^\d/.test(folder) && !folder.endsWith('_baseline'))
      .map((folder) => path.join(schemaDir, 'migrations', folder, 'migration.sql')),
    ...(await readdir(path.join(schemaDir, 'sql'))).sort().map((file) => path.join(schemaDir, 'sql', file)),
  ];
}

/** The places after each statement of a script; a semicolon in a comment or in a body between two `$$` ends none. */
function statementEnds(script: string): readonly number[] {
  return [...script.matchAll(/^(?!\s*--).*;$/gm)]
    .map((line) => line.index + line[0].length)
    .filter((end) => script.slice(0, end).split('$$').length % 2 === 1);
}
