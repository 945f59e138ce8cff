import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase, testPostgresUrl } from '@plimsoll/testing';
import pg from 'pg';
import { applyMigrations, diffSchemas } from '../src/index.ts';
import { onDatabase } from './on-database.ts';

const root = path.resolve(__dirname, '../../..');
const migrationsDir = path.join(root, 'prisma/migrations');

/** Runs `work` with a database without tables. */
async function withEmptyDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const name = `empty_${process.pid}_${Date.now()}`;
  const server = new pg.Client({ connectionString: testPostgresUrl() });
  await server.connect();
  try {
    await server.query(`CREATE DATABASE ${name}`);
    const url = new URL(testPostgresUrl());
    url.pathname = `/${name}`;
    return await work(url.href);
  } finally {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  }
}

const rows = (url: string, statement: string): Promise<readonly unknown[]> =>
  onDatabase(url, async (client) => (await client.query({ text: statement, rowMode: 'array' })).rows);

const columns = `SELECT c.table_name, column_name, data_type, udt_name, is_nullable, column_default
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name <> '_prisma_migrations'
  ORDER BY c.table_name, column_name`;
const constraints = `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> '_prisma_migrations' ORDER BY 1, 2`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('migrations', () => {
  it('make exactly the tables, columns and constraints of schema.prisma', async () => {
    const schema = await readFile(path.join(root, 'prisma/schema.prisma'), 'utf8');
    await withEmptyDatabase(async (url) => {
      await rows(url, await diffSchemas(url, null, schema));
      expect(await rows(database.url, columns)).toEqual(await rows(url, columns));
      expect(await rows(database.url, constraints)).toEqual(await rows(url, constraints));
    });
  });

  it('are applied once by several processes at the same time, and recorded in the format of Prisma', async () => {
    await withEmptyDatabase(async (url) => {
      const options = { databaseUrl: url, migrationsDir };
      const applied = await Promise.all([1, 2, 3].map(() => applyMigrations(options)));
      expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
      expect(await applyMigrations(options)).toEqual([]);
      const recorded = await rows(
        url,
        `SELECT migration_name, applied_steps_count, finished_at IS NOT NULL, rolled_back_at, length(checksum)
         FROM _prisma_migrations ORDER BY migration_name`,
      );
      expect(recorded).toEqual(applied.flat().map((name) => [name, 1, true, null, 64]));
    });
  });

  it('derive grounds, sources of severities and listed unfixed from what earlier versions stored', async () => {
    const host = '019a0000-0000-7000-8000-000000000001';
    await withEmptyDatabase(async (url) => {
      await applyUntil(url, '20261122');
      await rows(url, storedBefore(host));
      expect(await applyMigrations({ databaseUrl: url, migrationsDir })).toContain('20261122090000_gaps');
      expect(
        await rows(url, 'SELECT overall_action, repositories_state, gaps & ~1024 FROM host_overview'),
      ).toEqual([['update_urgent', 'unknown', 4096 + 8192]]);
      expect(await rows(url, 'SELECT due, refreshes FROM host_refreshes')).toEqual([[false, []]]);
      expect(
        await rows(
          url,
          `SELECT name, severity, severity_source, stated_severity, stated_source FROM advisory_packages ORDER BY name`,
        ),
      ).toEqual([
        ['bash', 'critical', 'cvss', 'critical', 'cvss'],
        ['curl', 'important', 'vendor', 'important', 'vendor'],
        ['zlib', 'unrated', 'none', 'unrated', 'none'],
      ]);
      expect(await rows(url, 'SELECT name, feed_id, lists_unfixed FROM releases ORDER BY name')).toEqual([
        ['debian:12', 'debian-osv', true],
        ['rocky:9', 'rocky-updateinfo', false],
      ]);
      expect(
        await rows(url, `SELECT last_error, last_error_cause FROM feeds WHERE state = 'failed'`),
      ).toEqual([[expect.not.stringContaining('secret'), 'internal']]);
    });
  });

  it('know of stored days whether CISA KEV had data, from its first import on', async () => {
    await withEmptyDatabase(async (url) => {
      await applyUntil(url, '20261128130000');
      await rows(
        url,
        `INSERT INTO cves (id, exploited_since, exploited_known_at) VALUES ('CVE-2026-0001', '2025-01-01', '2026-11-03')`,
      );
      await rows(
        url,
        `INSERT INTO past_cve_facts (cve, kind, since, until, fact)
        VALUES ('CVE-2026-0002', 'exploited', '2026-11-02 12:00Z', '2026-11-04', '{}'), ('CVE-2026-0002', 'ssvc', '2026-10-01', '2026-11-04', '{}')`,
      );
      await rows(
        url,
        `INSERT INTO fleet_days (day, noted_at, totals) SELECT '2026-11-01'::date + n, '2026-11-01 23:55Z'::timestamptz + n * interval '1 day', '{}'
        FROM generate_series(0, 2) n`,
      );
      await applyMigrations({ databaseUrl: url, migrationsDir });
      expect(await rows(url, 'SELECT exploitation_known FROM fleet_days ORDER BY day')).toEqual([
        [false],
        [true],
        [true],
      ]);
    });
  });

  it('have reports matched again that a newer one overtook, if their snapshots are stored', async () => {
    const host = (n: number) => `019a0000-0000-7000-8000-00000000000${n}`;
    const upload = (n: number) => `019a0000-0000-7000-8000-00000000010${n}`;
    await withEmptyDatabase(async (url) => {
      await applyUntil(url, '20261128170000');
      await rows(
        url,
        `INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
         SELECT id, 'agent', 'approved', 'web', 'web' FROM unnest('{${host(1)},${host(2)}}'::uuid[]) id`,
      );
      await rows(
        url,
        `INSERT INTO host_state (host_id, first_snapshot_at) VALUES ('${host(1)}', '2026-11-01'), ('${host(2)}', NULL)`,
      );
      await rows(url, "INSERT INTO releases (id, name) VALUES (101, 'debian:12')");
      await rows(url, "INSERT INTO package_sets (id, digest, n, ids) VALUES (101, '', 0, '')");
      const uploads = [
        [1, 'superseded'],
        [2, 'superseded'],
        [3, 'matched'],
        [4, 'rejected'],
      ] as const;
      for (const [n, state] of uploads) {
        await rows(
          url,
          `INSERT INTO uploads (id, host_id, door, sequence, payload_kind, content_hash, state, ended_at)
           VALUES ('${upload(n)}', '${host(1)}', 'agent', ${n}, 'protobuf', '', '${state}', '2026-11-02')`,
        );
      }
      // Of the second upload nothing was kept.
      for (const n of [1, 3]) {
        await rows(
          url,
          `INSERT INTO snapshots (id, host_id, sequence, source, received_at, schema_version, collector_version,
             payload_sha256, payload_size, set_id, release_id, facts)
           VALUES ('${upload(n)}', '${host(1)}', ${n}, 'agent', '2026-11-01', 1, '', '', 0, 101, 101, '{}')`,
        );
      }
      await applyMigrations({ databaseUrl: url, migrationsDir });
      expect(
        await rows(url, 'SELECT sequence, state, ended_at IS NULL FROM uploads ORDER BY sequence'),
      ).toEqual([
        ['1', 'parsed', true],
        ['2', 'superseded', false],
        ['3', 'matched', false],
        ['4', 'rejected', false],
      ]);
      expect(await rows(url, 'SELECT host_id, due FROM exposure_walks')).toEqual([[host(1), true]]);
      expect(await rows(url, 'SELECT past_whole_from <= now() FROM history_bounds')).toEqual([[true]]);
    });
  });
});

/** Applies the migrations before a timestamp. */
async function applyUntil(url: string, timestamp: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-migrations-'));
  try {
    const names = await readdir(migrationsDir);
    for (const name of names.filter((each) => each < timestamp || each === 'migration_lock.toml')) {
      await cp(path.join(migrationsDir, name), path.join(folder, name), { recursive: true });
    }
    await applyMigrations({ databaseUrl: url, migrationsDir: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** SQL that stores a host with a report and feeds in the tables as of 2026-11-21. */
function storedBefore(host: string): string {
  return `
    INSERT INTO feeds (id, state, updated_at, last_error) VALUES ('debian-osv', 'ok', now(), NULL),
      ('rocky-errata', 'failed', NULL, 'https://user:secret@mirror.example was not fetched');
    INSERT INTO releases (id, name, feed_id, covered)
      VALUES (101, 'debian:12', 'debian-osv', true), (102, 'rocky:9', 'rocky-errata', false);
    INSERT INTO advisories (id, feed_id, external_id, digest, kind, title, url, aliases, cves)
      VALUES (101, 'debian-osv', 'CVE-2026-0001', '', 'vulnerability', '', '', '{}', '{CVE-2026-0001}');
    INSERT INTO advisory_packages (advisory_id, release_id, name, severity, first_seen_at) VALUES
      (101, 101, 'bash', 'critical', now()), (101, 101, 'curl', 'important', now()), (101, 101, 'zlib', 'unrated', now());
    INSERT INTO package_sets (id, digest, n, ids) VALUES (101, '', 0, '');
    INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
      VALUES ('${host}', 'agent', 'approved', 'web', 'web');
    INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds, last_confirmed_at, lists_at)
      VALUES ('${host}', now(), 93600, now(), now());
    INSERT INTO host_state (host_id, release_id, set_id, snapshot_id, critical, updates_known, action)
      VALUES ('${host}', 101, 101, '${host}', 1, true, 'update_urgent')`;
}
