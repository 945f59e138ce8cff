import {
  type Advisory,
  type AffectedPackage,
  anyBuild,
  type FeedKind,
  type PackageVersionId,
  type PackageVersionIdentity,
  type Release,
} from '@plimsoll/model';
import type { TestDatabase } from '@plimsoll/testing';
import {
  createFeedStore,
  createHostCounter,
  createInterner,
  type Database,
  withFeedImport,
} from '../src/index.ts';
import type { StagedItem } from '../src/knowledge/feeds/import-kind.ts';
import { matchNewVersions } from '../src/knowledge/match-versions.ts';

/** What a record of these tests says. */
export interface RecordToImport {
  readonly id: string;
  readonly feed?: string;
  readonly cves?: readonly string[];
  readonly kind?: Advisory['kind'];
  readonly title?: string;
  /** The package is fixed in this version; null: without a fix. */
  readonly fixed: string | null;
  readonly severity?: AffectedPackage['severity'];
  readonly withdrawn?: boolean;
  readonly modifiedAt?: Date;
  /** Each with a statement of its own. Absent: any. */
  readonly builds?: readonly AffectedPackage['builds'][];
}

/** Imports records about the package `curl` of Debian 12. Without `complete` it removes no other record. */
export function importRecords(
  database: TestDatabase,
  records: readonly RecordToImport[],
  complete: readonly string[] = [],
  db = database.as('advisory-worker'),
): Promise<void> {
  const staged = records.map((record) => ({
    feedId: record.feed ?? 'debian-osv',
    item: advisoryOf(record),
    place: record.id,
  }));
  return importItems(db, 'advisories', staged, complete);
}

/** Imports a whole catalog of exploited CVEs. */
export function importExploited(database: TestDatabase, some: readonly string[]): Promise<void> {
  const feedId = 'cisa-kev';
  const said = { since: new Date('2024-01-02T00:00:00Z'), dueOn: null, inRansomware: false, summary: null };
  const staged = some.map((cve) => ({
    feedId,
    item: { kind: 'exploited' as const, cve, ...said },
    place: cve,
  }));
  return importItems(database.as('advisory-worker'), 'cves', staged, [feedId]);
}

async function importItems<K extends FeedKind>(
  db: Database,
  kind: K,
  items: readonly StagedItem<K>[],
  complete: readonly string[],
): Promise<void> {
  const ids = [...new Set([...items.map(({ feedId }) => feedId), ...complete])];
  await createFeedStore(db).ensure(['debian-osv', 'debian-tracker', ...ids]);
  await withFeedImport({ db, interner: createInterner(db) }, async (session) => {
    await session.stage(kind, items, { mayGoBack: true });
    const newest = new Date();
    await session.finish(
      {
        importId: null,
        recordsRead: items.length,
        recordsRejected: 0,
        errors: [],
        completeFeeds: complete.map((feedId) => ({ feedId, releases: null })),
        feeds: new Map(ids.map((id) => [id, { newest, records: items.length, kind }])),
        sync: null,
      },
      createHostCounter(),
    );
  });
}

function advisoryOf(record: RecordToImport): Advisory {
  const { id, cves, kind, fixed, severity, withdrawn, modifiedAt, builds = [anyBuild] } = record;
  return {
    externalId: id,
    kind: kind ?? 'vulnerability',
    title: record.title ?? `About ${id}`,
    url: `https://example.org/${id}`,
    publishedAt: new Date('2026-01-01T00:00:00Z'),
    modifiedAt: modifiedAt ?? null,
    withdrawnAt: withdrawn === true ? new Date('2026-02-01T00:00:00Z') : null,
    aliases: [],
    cves: cves ?? [id],
    cvss: null,
    packages: builds.map((each) => ({
      release: 'debian:12' as Release,
      name: 'curl',
      severity: severity ?? 'moderate',
      severitySource: 'vendor',
      builds: each,
      fix:
        fixed === null
          ? { kind: 'unfixed', reason: 'no_fix', detail: '' }
          : { kind: 'fixed', version: fixed, service: null },
    })),
  };
}

/** The same as arrivedVersion, and matches it. */
export async function matchedVersion(
  database: TestDatabase,
  version: string,
  name = 'curl',
): Promise<PackageVersionId> {
  const id = await arrivedVersion(database, version, name);
  await matchNewVersions(database.as('advisory-worker'), async () => [id]);
  return id;
}

/** Stores a version of a package that is built from the source package `curl` of Debian 12, and does not match it. */
export async function arrivedVersion(
  database: TestDatabase,
  version: string,
  name = 'curl',
): Promise<PackageVersionId> {
  const db = database.as('advisory-worker');
  const interning = await createInterner(db).begin();
  const release = await interning.release(
    { name: 'debian:12' as Release, feedId: 'debian-osv', endsAt: null, rules: 1 },
    async () => undefined,
  );
  const identity: PackageVersionIdentity = {
    name,
    architecture: 'amd64',
    version,
    sourceName: 'curl',
    sourceVersion: version,
    vendor: '',
    suite: '',
    module: '',
  };
  const [id] = await interning.packageVersions(release, [identity], async () => undefined);
  if (id === undefined) throw new Error('the version was not stored');
  return id;
}
