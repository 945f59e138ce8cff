import { createHash } from 'node:crypto';
import type { Advisory, Severity } from '@plimsoll/model';
import type pg from 'pg';
import type { Database } from '../database.ts';
import type { HostCounter } from '../matching/host-counter.ts';
import type { MatchRule } from '../matching/match-versions.ts';
import { applyStaged } from './apply-staged.ts';
import {
  applyCveFacts,
  createCveStaging,
  cveShrinkage,
  type ImportedCveFact,
  stageCveFacts,
} from './cve-import.ts';
import { endImport, type ImportEnd, updateFeeds } from './end-import.ts';
import { type KeptParts, settleParts, stageMore } from './record-parts.ts';
import { createStagingTables, type StagedRecord, type StagedStatement, stageRecords } from './staging.ts';
import { type CompleteFeed, loadRecordsOf, loadStanding, recordKey } from './standing-records.ts';

/** A record of a feed as it is imported: an advisory, with a sort key for every fixed version. */
export interface ImportedRecord {
  readonly feedId: string;
  readonly advisory: Advisory;
  readonly statements: readonly ImportedStatement[];
  /**
   * The number of its file, where other files, or other records about other releases, may hold more of the same advisory.
   * Left out: the record is all there is of it.
   */
  readonly part?: number;
}

/** One of an advisory's packages with its release interned. */
export interface ImportedStatement {
  readonly releaseId: number;
  readonly name: string;
  readonly severity: Severity;
  readonly fix: StagedStatement['fix'];
  readonly builds: StagedStatement['builds'];
  readonly buildsKey: string;
}

/** What an import did. */
export interface ImportOutcome {
  readonly recordsChanged: number;
  readonly recordsRemoved: number;
  readonly hostsCounted: number;
}

/** A record that was not taken, and why. */
export interface PassedOver {
  readonly externalId: string;
  readonly reason: 'twice' | 'older';
}

/** What stands, and what of it would go. */
export interface Shrinkage {
  readonly standing: number;
  readonly lacking: number;
}

/** An import on its way: staged records are seen by nobody until `finish`. */
export interface AdvisoryImport {
  /**
   * Stages records; those equal to what stands are only noted. Answers which were not taken: what came before in the
   * same file, and, unless `mayGoBack`, what is older than what stands.
   */
  stage(
    records: readonly ImportedRecord[],
    options: { readonly mayGoBack: boolean },
  ): Promise<readonly PassedOver[]>;
  /** Stages facts about vulnerabilities; answers the CVEs that already had one of the kind. */
  stageCves(facts: readonly ImportedCveFact[]): Promise<readonly string[]>;
  /** How many records complete feeds have now, and how many of them the file lacks. */
  shrinkage(completeFeeds: readonly CompleteFeed[]): Promise<Shrinkage>;
  /** How many facts of a kind there are now, and how many of them the file lacks. */
  cveShrinkage(kind: ImportedCveFact['kind']): Promise<Shrinkage>;
  /** Lets what stands under an id stand, though the file holds nothing usable of it. */
  keep(externalId: string): void;
  /**
   * Makes the staged records what stands, matches and counts again what they touch, and ends the import: all of it in
   * one transaction, so that nobody ever sees half of it.
   */
  finish(
    end: ImportEnd,
    rules: { readonly match: MatchRule; readonly counter: HostCounter },
  ): Promise<ImportOutcome>;
}

/** Runs an import on a connection of its own, one at a time in the whole installation. */
export async function withAdvisoryImport<T>(
  db: Database,
  work: (session: AdvisoryImport) => Promise<T>,
): Promise<T> {
  const client = await db.pool.connect();
  let sound = false;
  try {
    await client.query('SELECT pg_advisory_lock($1)', [importLock]);
    await createStagingTables(client);
    await createCveStaging(client);
    const result = await work(createSession(client));
    await client.query('SELECT pg_advisory_unlock($1)', [importLock]);
    sound = true;
    return result;
  } finally {
    // A connection left in the middle still holds the lock and the staging tables: close it.
    client.release(!sound);
  }
}

const importLock = createHash('sha256')
  .update('plimsoll advisory import')
  .digest()
  .readBigInt64BE(0)
  .toString();

function createSession(client: pg.PoolClient): AdvisoryImport {
  const seen = new Map<string, SeenRecord>();
  const kept = new Set<string>();
  const factKinds = new Set<ImportedCveFact['kind']>();
  let staged = 0;
  let hasParts = false;
  const isLacking = (record: { key: string; externalId: string }) =>
    !seen.has(record.key) && !kept.has(record.externalId);
  return {
    async shrinkage(completeFeeds) {
      const standing = await loadRecordsOf(client, completeFeeds);
      return { standing: standing.length, lacking: standing.filter(isLacking).length };
    },
    cveShrinkage: (kind) => cveShrinkage(client, kind),
    keep(externalId) {
      kept.add(externalId);
    },
    async stage(records, { mayGoBack }) {
      const keys = records.map(({ feedId, advisory }) => ({ feedId, externalId: advisory.externalId }));
      const standing = await loadStanding(client, keys);
      const passedOver: PassedOver[] = [];
      const changed: StagedRecord[] = [];
      const more: StagedRecord[] = [];
      for (const record of records) {
        const { externalId, modifiedAt } = record.advisory;
        const key = recordKey(record.feedId, externalId);
        const before = standing.get(key);
        const seenBefore = seen.get(key);
        if (seenBefore !== undefined && !isMore(record, seenBefore)) {
          passedOver.push({ externalId, reason: 'twice' });
          continue;
        }
        seen.set(key, alsoSeen(record, seenBefore));
        const isOlder = modifiedAt !== null && before?.modifiedAt != null && modifiedAt < before.modifiedAt;
        if (isOlder && !mayGoBack) {
          passedOver.push({ externalId, reason: 'older' });
          continue;
        }
        const isPart = record.part !== undefined;
        hasParts ||= isPart;
        const item = { ...record, digest: digestOf(record), isPart };
        if (seenBefore !== undefined) more.push(item);
        // Of a part it shows at the end whether it changes anything.
        else if (isPart || before?.digest !== item.digest.toString('latin1')) changed.push(item);
      }
      await stageRecords(client, changed);
      await stageMore(client, more);
      staged += changed.length;
      return passedOver;
    },
    async stageCves(facts) {
      for (const { kind } of facts) factKinds.add(kind);
      return stageCveFacts(client, facts);
    },
    async finish(end, rules) {
      await client.query('BEGIN');
      try {
        if (hasParts) staged = await settleParts(client, keptParts(end.completeFeeds));
        const renamed = staged === 0 ? [] : await findRenamed(client);
        const lacking = (await loadRecordsOf(client, end.completeFeeds)).filter(isLacking);
        const removed = [...new Set([...lacking.map(({ key }) => key), ...renamed])];
        let changes = staged + removed.length;
        const outcome = { recordsChanged: staged, recordsRemoved: removed.length, hostsCounted: 0 };
        if (changes > 0) outcome.hostsCounted = await applyStaged(client, { staged, removed }, rules);
        for (const kind of factKinds) {
          const isComplete = end.completeFeeds.some(({ feedId }) => end.feeds.get(feedId)?.facts === kind);
          const facts = await applyCveFacts(client, { kind, isComplete }, rules.counter);
          changes += facts.changed + facts.removed;
          outcome.recordsChanged += facts.changed;
          outcome.recordsRemoved += facts.removed;
          outcome.hostsCounted += facts.hostsCounted;
        }
        await updateFeeds(client, end, changes > 0);
        await endImport(client, end, changes);
        await client.query('COMMIT');
        return outcome;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    },
  };
}

interface SeenRecord {
  readonly file: number | null;
  readonly releases: ReadonlySet<number>;
}

function alsoSeen({ part, statements }: ImportedRecord, before: SeenRecord | undefined): SeenRecord {
  const releases = new Set(before?.releases ?? []);
  for (const { releaseId } of statements) releases.add(releaseId);
  return { file: part ?? null, releases };
}

/** Whether a record is another part of one seen before: of another file, or about other releases. */
function isMore({ part, statements }: ImportedRecord, { file, releases }: SeenRecord): boolean {
  if (part === undefined || file === null) return false;
  return part !== file || statements.every(({ releaseId }) => !releases.has(releaseId));
}

/** Imports complete one feed, or several without saying of which releases. */
function keptParts(completeFeeds: readonly CompleteFeed[]): KeptParts {
  const [complete] = completeFeeds;
  if (complete === undefined) return { kind: 'everything' };
  const { releases } = complete;
  return releases === null ? { kind: 'nothing' } : { kind: 'other_releases', releases };
}

/**
 * Records that stand under another id for what a staged one is about: exports have called one and the same record
 * CVE-2024-1 and later DEBIAN-CVE-2024-1.
 */
async function findRenamed(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT a.feed_id || ' ' || a.external_id AS key FROM staged_advisories s
     JOIN advisories a ON a.feed_id = s.feed_id AND a.kind = 'vulnerability' AND a.cves = s.cves
     WHERE s.kind = 'vulnerability' AND a.external_id <> s.external_id AND cardinality(s.cves) = 1
       AND NOT EXISTS (SELECT FROM staged_advisories o WHERE o.feed_id = a.feed_id AND o.external_id = a.external_id)`,
  );
  return rows.map(({ key }) => key);
}

/** First 16 bytes of SHA-256 over everything of a record that is stored. */
function digestOf({ advisory, statements }: ImportedRecord): Buffer {
  const { packages: _, ...stored } = advisory;
  const keyless = statements.map(({ fix, ...statement }) => ({
    ...statement,
    fix: fix.kind === 'fixed' ? fix.version : fix,
  }));
  return createHash('sha256')
    .update(JSON.stringify([stored, keyless]))
    .digest()
    .subarray(0, 16);
}
