import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrateDatabase, roleNames } from '@plimsoll/db';
import { serviceApps } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import {
  createTestDatabase,
  setUpClient,
  signInClient,
  startService,
  type TestDatabase,
  type TestService,
  testAdmin,
  testRoles,
  waitFor,
} from '@plimsoll/testing';
import { debianMachine, installed } from './debian-machine.ts';
import { uploadsThrough } from './uploads.ts';

const projectDir = path.resolve(__dirname, '../..');
let database: TestDatabase;
let older: TestService;
let newerDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  newerDir = await makeNewerVersion();
  older = await startService({ projectDir, databaseUrl: database.url, queue: { kind: 'postgres' }, env });
});
afterAll(async () => {
  await older?.stop();
  await database.drop();
  await rm(newerDir, { recursive: true, force: true });
});

const env = { PLIMSOLL_API_JWT_SECRET_KEY: randomBytes(32).toString('hex') };

/** This version with one more migration, as a checkout of its own. */
async function makeNewerVersion(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-newer-'));
  await cp(path.join(projectDir, 'package.json'), path.join(folder, 'package.json'));
  await cp(path.join(projectDir, 'prisma'), path.join(folder, 'prisma'), { recursive: true });
  for (const app of [...serviceApps, 'agent', 'dashboard']) {
    const dist = path.join('apps', app, 'dist');
    await cp(path.join(projectDir, dist), path.join(folder, dist), { recursive: true });
  }
  for (const modules of ['node_modules', 'apps/api/node_modules'])
    await symlink(path.join(projectDir, modules), path.join(folder, modules));
  const later = path.join(folder, 'prisma/migrations/20991231000000_later');
  await mkdir(later);
  await writeFile(path.join(later, 'migration.sql'), 'CREATE TABLE later (id int);');
  return folder;
}

it('two versions side by side: the newer one waits until the database is migrated, then the older one ends; no report is lost', async () => {
  const olderClient = await setUpClient(older.url);
  const hosts = await Promise.all([1, 2, 3, 4].map((n) => olderClient.enrol(`side-${n}`)));
  const accepted = new Map<string, string>();
  let round = 0;
  const load = async (url: string): Promise<number> => {
    const answers = await Promise.all(
      hosts.map(async ({ id, token }) => {
        round += 1;
        const packages = [installed(`pack-${round}`, `1.${round}`)];
        const sent = await fetch(`${url}/api/v1/agent/snapshots`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-protobuf' },
          body: encodeSnapshot(debianMachine({ packages, collectedAt: new Date() })),
        }).catch(() => null);
        if (sent?.status !== 202) return 0;
        accepted.set(((await sent.json()) as { snapshot_id: string }).snapshot_id, id);
        return 1;
      }),
    );
    return answers.filter((answer) => answer === 1).length;
  };
  const old = serviceApps.flatMap((app) => older.processes(app));
  expect(await load(older.url)).toBe(4);

  const lines: string[] = [];
  const starting = startService({
    projectDir: newerDir,
    databaseUrl: database.url,
    queue: { kind: 'postgres' },
    env,
    onLine: (line) => lines.push(line),
  });
  const waiting = () => lines.filter((line) => line.includes('the database lacks 1 migrations')).length;
  await waitFor('all newer apps to wait', () => waiting() === serviceApps.length);
  expect(await load(older.url)).toBe(4);
  expect(lines.some((line) => line.includes('app started'))).toBe(false);

  // As the owner of the tables, who may make no roles: those of the running apps stay as they are.
  await migrateDatabase({
    databaseUrl: `${database.url}?options=-crole%3D${testRoles.owner}`,
    schemaDir: path.join(newerDir, 'prisma'),
    roles: roleNames('missing'),
    passwords: {},
    alsoMigrate: async () => undefined,
  });
  // Both versions work now, until the older one notices.
  expect(await load(older.url)).toBe(4);
  const newer = await starting;
  try {
    await waitFor('the older version to end', async () => {
      await load(older.url);
      await load(newer.url);
      await delay(1_000);
      return old.every(({ exitCode }) => exitCode === 1);
    });
    expect(await load(newer.url)).toBe(4);
    expect(older.log()).toMatch(
      /too new for this program, version \d\S+: .* has the migration 20991231000000_later/,
    );
    for (const app of serviceApps) expect(await once(older.start(app), 'exit')).toEqual([1, null]);

    const client = await signInClient(newer.url, testAdmin);
    const uploads = uploadsThrough(client);
    for (const [uploadId, hostId] of accepted)
      expect((await uploads.ended(hostId, uploadId)).state).toMatch(/^(matched|superseded)$/);
  } finally {
    await newer.stop();
  }
});
