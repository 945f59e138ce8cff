import path from 'node:path';
import { feedIds } from '@plimsoll/advisories';
import { createFeedStore } from '@plimsoll/db';
import {
  createFleet,
  enrolProfiles,
  type Fleet,
  readModels,
  type SeededHistory,
  seedHistory,
} from '@plimsoll/loadtest';
import type { HostId } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';

const projectDir = path.resolve(__dirname, '../..');
const days = 60;
const now = new Date();
const start = new Date(now.getTime() - (days - 1) * 86_400_000);

jest.setTimeout(600_000);

describe('a seeded history', () => {
  let database: TestDatabase;
  let fleet: Fleet;
  let hostIds: readonly HostId[];
  let seeded: SeededHistory;

  beforeAll(async () => {
    database = await createTestDatabase();
    await createFeedStore(database.db).ensure(feedIds);
    const models = await readModels([path.join(projectDir, 'packages/loadtest/models/debian-11.tsv')]);
    fleet = createFleet({ models, hosts: 6, seed: 5 });
    hostIds = await enrolProfiles(database.db, fleet, (host) => `plh_${host}`);
    seeded = await seedHistory(database.db, fleet, {
      hostIds,
      days,
      now,
      publish: 'weekly',
      onProgress: () => undefined,
    });
  });
  afterAll(() => database.drop());

  async function timesOf(sql: string): Promise<readonly Date[]> {
    const { rows } = await database.db.pool.query<{ at: Date }>(sql);
    return rows.map(({ at }) => at);
  }

  it('has reports and advisories of all that time', async () => {
    expect(seeded.reports).toBeGreaterThan(12);
    expect(seeded.advisories).toBeGreaterThan(10);
    const received = await timesOf('SELECT received_at AS at FROM snapshots ORDER BY 1');
    expect(received).toHaveLength(seeded.reports);
    expect(received[0]).toEqual(start);
    expect(received.at(-1)).toEqual(now);
    const changes = await timesOf('SELECT at FROM knowledge_changes ORDER BY id');
    expect(changes.length).toBeGreaterThan(4);
    expect(changes).toEqual(changes.toSorted((a, b) => a.getTime() - b.getTime()));
    expect(changes[0]?.getTime()).toBeLessThanOrEqual(start.getTime());
  });

  it('leaves the time of the seeding in no column of the history', async () => {
    const { rows: columns } = await database.db.pool.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
         JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type = 'timestamp with time zone'
         AND (table_name LIKE 'past%' OR table_name LIKE 'knowledge%' OR table_name LIKE 'advisor%'
              OR table_name IN ('package_version_advisories', 'cves', 'package_changes', 'snapshots', 'release_coverage', 'host_changes'))`,
    );
    expect(columns.length).toBeGreaterThan(15);
    // The reports and the change of the last day are of now; all others are days older.
    const late: string[] = [];
    for (const { table, column } of columns) {
      const { rows } = await database.db.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${table} WHERE ${column} > $1`,
        [now],
      );
      if ((rows[0]?.n ?? 0) > 0) late.push(`${table}.${column}`);
    }
    expect(late).toEqual([]);
  });

  it('knows from the first day on that the release is covered', async () => {
    const { rows } = await database.db.pool.query<{ at: Date; covered: boolean }>(
      `SELECT c.at, c.covered FROM release_coverage c JOIN releases r ON r.id = c.release_id
       WHERE r.name = 'debian:11' ORDER BY c.at`,
    );
    expect(rows[0]).toEqual({ at: start, covered: true });
    expect(rows.at(-1)?.covered).toBe(true);
    const { rows: feeds } = await database.db.pool.query<{ updated: Date }>(
      `SELECT updated_at AS updated FROM feeds WHERE id = 'debian-osv'`,
    );
    expect(feeds).toEqual([{ updated: now }]);
  });

  it('has what was known of the feed each week, also if it is published before the reports', async () => {
    const other = await createTestDatabase();
    try {
      await createFeedStore(other.db).ensure(feedIds);
      const ids = await enrolProfiles(other.db, fleet, (host) => `plh_${host}`);
      await seedHistory(other.db, fleet, {
        hostIds: ids,
        days: 22,
        now,
        publish: 'first',
        onProgress: () => undefined,
      });
      const { rows } = await other.db.pool.query<{ at: Date; updated: Date }>(
        `SELECT c.at, c.updated_at AS updated FROM release_coverage c JOIN releases r ON r.id = c.release_id
         WHERE r.name = 'debian:11' ORDER BY c.at`,
      );
      expect(rows.length).toBeGreaterThan(2);
      for (const { at, updated } of rows) expect(updated).toEqual(at);
      expect(rows.at(-1)?.updated).toEqual(now);
    } finally {
      await other.drop();
    }
  });

  it('knows fewer advisories at an earlier time, and the packages of that time', async () => {
    const { rows } = await database.db.pool.query<{ early: number; late: number }>(
      `SELECT count(*) FILTER (WHERE since <= $1)::int AS early, count(*)::int AS late FROM advisory_packages`,
      [new Date(start.getTime() + 20 * 86_400_000)],
    );
    expect(rows[0]?.early).toBeGreaterThan(0);
    expect(rows[0]?.late).toBeGreaterThan(rows[0]?.early ?? 0);
    const { rows: changed } = await database.db.pool.query<{ hosts: number; days: number }>(
      `SELECT count(DISTINCT host_id)::int AS hosts, count(DISTINCT at)::int AS days FROM package_changes`,
    );
    expect(changed[0]?.hosts).toBeGreaterThan(2);
    expect(changed[0]?.days).toBeGreaterThan(3);
  });
});
