import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { createEnrolmentStore } from '@plimsoll/db';
import {
  createFleet,
  createUploadStages,
  type Fleet,
  prepareReport,
  readModels,
  type SeededFleet,
  seedFleet,
} from '@plimsoll/loadtest';
import type { HostId } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';

const projectDir = path.resolve(__dirname, '../..');
const run = promisify(execFile);
const hosts = 40;
const now = new Date(Date.now() - 60_000);

jest.setTimeout(600_000);

describe('a fleet seeded directly', () => {
  let database: TestDatabase;
  let fleet: Fleet;
  let seeded: SeededFleet;

  beforeAll(async () => {
    database = await createTestDatabase();
    const models = await readModels([path.join(projectDir, 'packages/loadtest/models')]);
    fleet = createFleet({ models, hosts, seed: 3, profiles: 8 });
    seeded = await seedFleet(database.db, fleet, { now, payloads: true, say: () => undefined });
  });
  afterAll(() => database.drop());

  async function hostIdOf(host: number): Promise<HostId> {
    const { rows } = await database.db.pool.query<{ id: HostId }>(
      'SELECT id FROM hosts WHERE hostname = $1',
      [fleet.hostname(host)],
    );
    if (rows[0] === undefined) throw new Error(`host ${host} is missing`);
    return rows[0].id;
  }

  async function newestOf(hostId: HostId) {
    const { rows } = await database.db.pool.query<{
      sequence: string;
      setId: number;
      payload: Buffer;
      sha256: Buffer;
      receivedAt: Date;
    }>(
      `SELECT s.sequence, s.set_id AS "setId", s.payload, s.payload_sha256 AS sha256, s.received_at AS "receivedAt"
       FROM host_state hs JOIN snapshots s ON s.id = hs.snapshot_id WHERE hs.host_id = $1 AND hs.set_id = s.set_id`,
      [hostId],
    );
    if (rows[0] === undefined) throw new Error('the host has no snapshot');
    return rows[0];
  }

  it('has every host, matched, with its own report', async () => {
    expect(seeded.originals).toHaveLength(8);
    for (let host = 0; host < hosts; host += 1) {
      const { payload, sha256 } = await newestOf(await hostIdOf(host));
      const bytes = encodeSnapshot(fleet.snapshot(host, { day: 0, at: now }));
      expect(gunzipSync(payload).equals(bytes)).toBe(true);
      expect(sha256.equals(createHash('sha256').update(bytes).digest())).toBe(true);
    }
  });

  it('has tokens that authenticate its hosts', async () => {
    const store = createEnrolmentStore(database.db);
    for (const host of [0, 7, 8, 39]) {
      const tokenHash = new Uint8Array(createHash('sha256').update(seeded.tokenOf(host)).digest());
      expect(await store.authenticateHost(tokenHash)).toMatchObject({
        hostId: await hostIdOf(host),
        approvalStatus: 'approved',
      });
    }
  });

  it('has copies that are as if their report had been sent: sending it again changes nothing', async () => {
    const stages = createUploadStages(database.db);
    for (const host of [8, 17, 39]) {
      const hostId = await hostIdOf(host);
      const before = await newestOf(hostId);
      const { payload, snapshot, gzip } = reportOf(host, 0, now);
      await stages.take({ hostId, snapshot, payload, gzip, receivedAt: null });
      const after = await newestOf(hostId);
      expect(after.sequence).toBe('2');
      expect(after.setId).toBe(before.setId);
      expect(await changesOf(hostId)).toEqual([]);
    }
  });

  it('has a row for the counted exposures of each host, which recounts mark', async () => {
    const { rows } = await database.db.pool.query<{ hosts: number }>(
      'SELECT count(*)::int AS hosts FROM exposure_walks JOIN hosts ON hosts.id = host_id WHERE due',
    );
    expect(rows).toEqual([{ hosts }]);
  });

  it('keeps the times of reports of the past, and in their order', async () => {
    const stages = createUploadStages(database.db);
    const hostId = await hostIdOf(3);
    const start = new Date('2025-03-01T08:00:00Z');
    const { payload, snapshot, gzip } = reportOf(3, 90, start, 1);
    await stages.take({ hostId, snapshot, payload, gzip, receivedAt: start });
    expect((await newestOf(hostId)).receivedAt).toEqual(start);
    const changes = await changesOf(hostId);
    expect(changes.length).toBeGreaterThan(0);
    expect(new Set(changes.map((at) => at.getTime()))).toEqual(new Set([start.getTime()]));
    const { rows } = await database.db.pool.query<{ created: Date; confirmed: Date }>(
      `SELECT h.created_at AS created, c.last_seen_at AS confirmed FROM hosts h JOIN host_contacts c ON c.host_id = h.id
       WHERE h.id = $1`,
      [hostId],
    );
    expect(rows[0]?.created).toEqual(start);
  });

  function reportOf(host: number, day: number, at: Date, revision = 0) {
    const moment = { day, at, revision };
    const snapshot = fleet.snapshot(host, moment);
    const payload = encodeSnapshot(snapshot);
    return { snapshot, payload, gzip: prepareReport(fleet, host, moment).gzip };
  }

  async function changesOf(hostId: HostId): Promise<readonly Date[]> {
    const { rows } = await database.db.pool.query<{ at: Date }>(
      'SELECT at FROM package_changes WHERE host_id = $1',
      [hostId],
    );
    return rows.map(({ at }) => at);
  }
});

describe('plimsoll loadtest --direct', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const seed = (url: string, ...args: readonly string[]) =>
    run(process.execPath, [
      path.join(projectDir, 'apps/cli/bin/plimsoll.mjs'),
      ...['loadtest', '--direct', '--hosts', '20', '--database-url', url, ...args],
      ...['--models', path.join(projectDir, 'packages/loadtest/models/debian-13.tsv')],
    ]);

  it('writes a fleet with its past, once', async () => {
    await seed(database.url, '--days', '15');
    const { rows } = await database.db.pool.query<{ hosts: number; matched: number; days: number }>(
      `SELECT (SELECT count(*)::int FROM hosts) AS hosts,
              (SELECT count(*)::int FROM host_state WHERE snapshot_id IS NOT NULL) AS matched,
              (SELECT count(DISTINCT received_at::date)::int FROM snapshots) AS days`,
    );
    expect(rows[0]).toMatchObject({ hosts: 20, matched: 20 });
    expect(rows[0]?.days).toBeGreaterThan(2);
    await expect(seed(database.url)).rejects.toMatchObject({ stderr: expect.stringContaining('--add') });
  });

  it('refuses the role of an app, which could not write every table', async () => {
    await expect(seed(database.urlOf('api'), '--add')).rejects.toMatchObject({
      stderr: expect.stringContaining('--database-url'),
    });
  });
});
