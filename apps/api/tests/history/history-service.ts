import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { rulesVersion } from '@plimsoll/advisories';
import {
  applyCurrentRules,
  applyOverrides,
  createFeedStore,
  createHostCounter,
  createInterner,
  createParsedUploadStore,
  createUploadAllowances,
  createUploadStore,
  defaultUploadLimits,
  type FeedImport,
  matchUploads,
  newId,
  recountChangedHosts,
  withFeedImport,
} from '@plimsoll/db';
import type { FeedKind, HostId, Release, UploadId } from '@plimsoll/model';
import { createReportParser } from '@plimsoll/pipeline';
import { type TestDatabase, waitFor } from '@plimsoll/testing';
import { createTestLogger } from '../test-logger.ts';
import { advisoryOf } from './advisory-of.ts';
import type { NaiveCorrection, NaiveRecord, NaiveVersion } from './naive-model.ts';

/** A change that the service stored, by its own number and time. */
export interface StoredChange {
  readonly change: number;
  readonly at: Date;
}

/** The real service as the history test drives it, with the roles of its workers. */
export class HistoryService {
  private readonly database: TestDatabase;
  private readonly counter = createHostCounter();
  private readonly parse: (id: UploadId) => Promise<void>;
  private newest = 0;

  constructor(database: TestDatabase) {
    this.database = database;
    this.parse = parserOf(database);
  }

  /** Imports records. `complete`: feeds that have no other records. */
  importRecords(
    records: readonly NaiveRecord[],
    complete: readonly string[],
  ): Promise<readonly StoredChange[]> {
    const ids = [...new Set([...records.map(({ feed }) => feed), ...complete])];
    return this.import('advisories', ids, complete, (session) =>
      session.stage(
        'advisories',
        records.map((record) => ({ feedId: record.feed, item: advisoryOf(record), place: record.id })),
        { mayGoBack: true },
      ),
    );
  }

  /**
   * Begins an import of records, whose process dies when everything is written and nothing is committed. An import that
   * changes no version has nothing to wait for: it ends, and its changes are returned.
   */
  async beginImport(
    records: readonly NaiveRecord[],
    complete: readonly string[],
  ): Promise<readonly StoredChange[]> {
    const { pool } = this.database.db;
    const blocker = await pool.connect();
    try {
      // The last table that an import writes to.
      await blocker.query('BEGIN; LOCK TABLE version_changes IN ACCESS EXCLUSIVE MODE');
      const outcome = this.importRecords(records, complete).catch(() => 'died' as const);
      const { pid, query } = await this.lockedOut();
      if (query.startsWith('INSERT INTO version_changes')) {
        await pool.query('SELECT pg_terminate_backend($1)', [pid]);
        expect(await outcome).toBe('died');
        expect(await this.newChanges()).toEqual([]);
        return [];
      }
      // What is imported is committed: it looks for versions to count hosts of.
      expect(query).toMatch(/^SELECT FROM version_changes/);
      await blocker.query('ROLLBACK');
      const changes = await outcome;
      if (changes === 'died') throw new Error('an import that was not killed died');
      return changes;
    } finally {
      await blocker.query('ROLLBACK');
      blocker.release();
    }
  }

  /** What waits for a lock on the changed versions. */
  private async lockedOut(): Promise<{ readonly pid: number; readonly query: string }> {
    let waiting: readonly { readonly pid: number; readonly query: string }[] = [];
    await waitFor('the import to wait', async () => {
      const { rows } = await this.database.db.pool.query<{ pid: number; query: string }>(
        `SELECT pid, query FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%version_changes%'`,
      );
      waiting = rows;
      return rows.length > 0;
    });
    return waiting[0] as (typeof waiting)[number]; // There is one.
  }

  /** Imports the whole list of exploited CVEs. */
  importExploited(cves: readonly string[]): Promise<readonly StoredChange[]> {
    const feed = 'cisa-kev';
    const since = new Date('2024-01-02T00:00:00Z');
    const details = { dueOn: null, inRansomware: false, summary: null };
    return this.import('cves', [feed], [feed], (session) =>
      session.stage(
        'cves',
        cves.map((cve) => ({
          feedId: feed,
          item: { kind: 'exploited' as const, cve, since, ...details },
          place: cve,
        })),
        { mayGoBack: true },
      ),
    );
  }

  private async import(
    kind: FeedKind,
    ids: readonly string[],
    complete: readonly string[],
    stage: (session: FeedImport) => Promise<readonly object[]>,
  ): Promise<readonly StoredChange[]> {
    const db = this.database.as('advisory-worker');
    await createFeedStore(db).ensure(ids);
    await withFeedImport({ db, interner: createInterner(db) }, async (session) => {
      expect(await stage(session)).toEqual([]);
      const feeds = new Map(ids.map((id) => [id, { newest: new Date(), records: 1, kind }]));
      const completeFeeds = complete.map((feedId) => ({ feedId, releases: null }));
      const end = {
        importId: null,
        recordsRead: 1,
        recordsRejected: 0,
        errors: [],
        completeFeeds,
        feeds,
        sync: null,
      };
      await session.finish(end, this.counter);
    });
    await this.countAfterWaivers();
    return this.newChanges();
  }

  /** Puts a list of known feed errors in force. */
  async correct(corrections: readonly NaiveCorrection[]): Promise<readonly StoredChange[]> {
    const overrides = corrections.map(({ feed, release, name, cve, from, before }) => ({
      feed,
      release: release as Release,
      package: name,
      cve,
      affectedFrom: from,
      affectedBefore: before,
      reason: 'The feed is wrong.',
      source: 'https://example.org/error',
    }));
    const db = this.database.as('advisory-worker');
    await applyOverrides(db, { origin: 'operator', overrides }, this.counter);
    await this.countAfterWaivers();
    return this.newChanges();
  }

  /** Makes package versions look as rules left them that could not compare them. */
  async forget(versions: readonly NaiveVersion[]): Promise<void> {
    const { pool } = this.database.db;
    for (const { release, name, version } of versions) {
      const { rows } = await pool.query<{ id: number }>(
        `UPDATE package_versions v SET match_name = NULL, match_key = NULL, rules = $4, verdict = jsonb_build_object(
           'kind', 'unknown', 'reason', 'unparseable_version', 'detail', '', 'kernel', verdict -> 'kernel')
         FROM releases r WHERE r.id = v.release_id AND r.name = $1 AND v.name = $2 AND v.version = $3 RETURNING v.id`,
        [release, name, version, rulesVersion - 1],
      );
      expect(rows).toHaveLength(1);
      await pool.query('DELETE FROM package_version_advisories WHERE package_version_id = $1', [rows[0]?.id]);
    }
  }

  /** Applies the current rules. Changes are by release, in the order of `releases`. */
  async applyRules(): Promise<{
    readonly changes: readonly StoredChange[];
    readonly releases: readonly string[];
  }> {
    const { rows } = await this.database.db.pool.query<{ name: string }>(
      `SELECT name FROM releases r WHERE EXISTS (SELECT FROM package_versions v WHERE v.release_id = r.id AND v.rules < $1)
       ORDER BY id`,
      [rulesVersion],
    );
    const signal = new AbortController().signal;
    await applyCurrentRules(this.database.as('advisory-worker'), { counter: this.counter, signal });
    return { changes: await this.newChanges(), releases: rows.map(({ name }) => name) };
  }

  /** Accepts a host's upload; returns its id and when it was received. */
  async receive(hostId: string, snapshot: Uint8Array): Promise<{ readonly id: UploadId; readonly at: Date }> {
    const store = createUploadStore(this.database.as('api'), { ...defaultUploadLimits, burst: 10_000 });
    const id = newId<UploadId>();
    const accepted = await store.accept({
      id,
      hostId: hostId as HostId,
      door: 'agent',
      payloadKind: 'protobuf',
      size: snapshot.length,
      body: await promisify(gzip)(snapshot),
      contentHash: new Uint8Array(createHash('sha256').update(snapshot).digest()),
      bootedAt: null,
      listsAt: null,
      repositories: null,
      collectedAt: null,
    });
    expect(accepted).toBe(true);
    const { rows } = await this.database.db.pool.query<{ at: Date }>(
      'SELECT received_at AS at FROM uploads WHERE id = $1',
      [id],
    );
    return { id, at: rows[0]?.at as Date }; // It was accepted.
  }

  /** Parses and matches uploads, and returns their states in the order of `ids`. */
  async match(ids: readonly UploadId[]): Promise<readonly string[]> {
    // The newest first: of a host's uploads that wait for this only two are parsed.
    for (const id of ids.toReversed()) await this.parse(id);
    const lag = { defaultDays: 7, exceptions: [] };
    await matchUploads(this.database.as('advisory-worker'), ids, { counter: this.counter, lag });
    const { rows } = await this.database.db.pool.query<{ state: string }>(
      'SELECT state FROM uploads JOIN unnest($1::uuid[]) WITH ORDINALITY AS asked (id, n) USING (id) ORDER BY n',
      [ids],
    );
    return rows.map(({ state }) => state);
  }

  /** The database's time; the next change takes effect later. */
  async passedTime(): Promise<Date> {
    const { pool } = this.database.db;
    const { rows } = await pool.query<{ at: Date }>('SELECT clock_timestamp() AS at');
    const at = rows[0]?.at as Date; // One row.
    let passed = at;
    while (passed.getTime() < at.getTime() + 2) {
      const { rows: later } = await pool.query<{ at: Date }>('SELECT clock_timestamp() AS at');
      passed = later[0]?.at ?? at;
    }
    return at;
  }

  /** Counts the hosts whose snoozed waivers a change ended, as the scheduler has them counted. */
  private async countAfterWaivers(): Promise<void> {
    await recountChangedHosts(this.database.as('advisory-worker'), { counter: this.counter });
  }

  private async newChanges(): Promise<readonly StoredChange[]> {
    const { rows } = await this.database.db.pool.query<StoredChange>(
      'SELECT id AS change, at FROM knowledge_changes WHERE id > $1 ORDER BY id',
      [this.newest],
    );
    this.newest = rows.at(-1)?.change ?? this.newest;
    return rows;
  }
}

/** The report-worker's handler of uploads. */
function parserOf(database: TestDatabase): (id: UploadId) => Promise<void> {
  const db = database.as('report-worker');
  const handlers = createReportParser({
    uploads: createParsedUploadStore(db),
    interner: createInterner(db),
    allowances: createUploadAllowances(db, defaultUploadLimits),
    bell: { ring: () => undefined, ringAll: () => undefined },
    log: createTestLogger().logger,
  });
  const delivery = { signal: new AbortController().signal, attempt: 1, lastAttempt: false, starts: 1 };
  return (uploadId) => handlers['report-parse']({ uploadId }, delivery);
}
