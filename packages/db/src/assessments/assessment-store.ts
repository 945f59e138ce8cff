import type { AdvisoryKey, CvssScore, PackageVersionId, Release } from '@plimsoll/model';
import { type Database, isUuid } from '../database.ts';
import { loadMatchedStatements } from '../matching/statements.ts';
import { loadCompanions } from './companions.ts';
import { type HostToAssess, type InstalledVersion, loadStoredHost } from './stored-host.ts';

/** The fields of an advisory besides its statements. */
export interface AdvisoryDetails {
  readonly key: AdvisoryKey;
  readonly externalId: string;
  readonly kind: 'vulnerability' | 'erratum';
  readonly title: string;
  readonly url: string;
  readonly publishedAt: Date | null;
  /** Sorted. */
  readonly aliases: readonly string[];
  /** Sorted. */
  readonly cves: readonly string[];
  readonly cvss: CvssScore | null;
}

/** An erratum that ships a fix of a package in a release: further evidence for the CVEs it names. */
export interface ErratumOf {
  readonly name: string;
  readonly externalId: string;
  readonly url: string;
  readonly cves: readonly string[];
}

/** Loads what the assessment of a single host needs. */
export interface AssessmentStore {
  /** Null if the host does not exist or has no matched snapshot. */
  load(hostId: string): Promise<HostToAssess | null>;
  /** The kernel companions of a host; see loadCompanions. */
  companions(host: HostToAssess): Promise<readonly InstalledVersion[]>;
  /** Advisories by key. */
  describe(keys: readonly AdvisoryKey[]): Promise<ReadonlyMap<AdvisoryKey, AdvisoryDetails>>;
  /** The errata of a release for packages, by the names that advisories use; ordered by id. */
  errataOf(release: Release, names: readonly string[]): Promise<readonly ErratumOf[]>;
  /** When findings of a host were first seen, in the order of `origins`. */
  firstSeen(
    host: Pick<HostToAssess, 'hostId' | 'firstSnapshotAt'>,
    origins: readonly FindingOrigin[],
  ): Promise<readonly Date[]>;
}

/** The assessment store of one database. */
export function createAssessmentStore(db: Database): AssessmentStore {
  return {
    load: (hostId) => (isUuid(hostId) ? loadStoredHost(db, hostId) : Promise.resolve(null)),
    companions: (host) => loadCompanions(db, host),
    describe: (keys) => describeAdvisories(db, keys),
    async errataOf(release, names) {
      const { rows } = await db.pool.query<ErratumOf>(
        `SELECT DISTINCT ap.name, a.external_id AS "externalId", a.url, coalesce(ap.cves, a.cves) AS cves
         FROM advisory_packages ap JOIN releases r ON r.id = ap.release_id JOIN advisories a ON a.id = ap.advisory_id
         WHERE r.name = $1 AND ap.name = ANY($2::text[]) AND a.kind = 'erratum' AND a.withdrawn_at IS NULL
         ORDER BY a.external_id, ap.name`,
        [release, names],
      );
      return rows;
    },
    async firstSeen({ hostId, firstSnapshotAt }, origins) {
      const { rows } = await db.pool.query<PackageChangeRow>(
        `SELECT name, architecture, at, from_id AS "fromId", to_id AS "toId" FROM package_changes
         WHERE host_id = $1 AND name = ANY($2::text[]) ORDER BY sequence, n`,
        [hostId, [...new Set(origins.map(({ name }) => name))]],
      );
      const earlier = rows.flatMap(({ fromId }) => (fromId === null ? [] : [fromId]));
      const statements = await loadMatchedStatements(db.pool, [...new Set(earlier)]);
      const affects = (version: PackageVersionId, advisory: AdvisoryKey) =>
        statements.get(version)?.some((statement) => statement.advisory === advisory) ?? false;
      return origins.map((origin) => firstSeenAt(origin, firstSnapshotAt, rows, affects));
    },
  };
}

async function describeAdvisories(
  { pool }: Database,
  keys: readonly AdvisoryKey[],
): Promise<ReadonlyMap<AdvisoryKey, AdvisoryDetails>> {
  const { rows } = await pool.query<
    Omit<AdvisoryDetails, 'cvss'> & { cvssScore: number | null; cvssVector: string | null }
  >(
    `SELECT id AS key, external_id AS "externalId", kind, title, url, published_at AS "publishedAt", aliases, cves,
            cvss_score AS "cvssScore", cvss_vector AS "cvssVector"
     FROM advisories WHERE id = ANY($1::int[])`,
    [keys],
  );
  return new Map(
    rows.map(({ cvssScore, cvssVector, ...details }) => [
      details.key,
      {
        ...details,
        cvss: cvssScore === null || cvssVector === null ? null : { score: cvssScore, vector: cvssVector },
      },
    ]),
  );
}

/** A change of one package on a host, as stored in `package_changes`. */
interface PackageChangeRow {
  readonly name: string;
  readonly architecture: string;
  readonly at: Date;
  readonly fromId: PackageVersionId | null;
  readonly toId: PackageVersionId | null;
}

/** An installed version and an advisory that affects it. */
export interface FindingOrigin {
  readonly name: string;
  readonly architecture: string;
  readonly versionId: PackageVersionId;
  readonly advisory: AdvisoryKey;
  /** When the advisory's statement was first imported. */
  readonly statedAt: Date;
}

/**
 * When a finding was first seen: when its statement was first imported, or when the host got the oldest version in the
 * unbroken chain of affected versions that leads to the installed one, whichever is later. An upgrade from one affected
 * version to another does not reset it.
 * @param changes of the host, in upload order.
 * @param affects whether an advisory matches a version.
 */
function firstSeenAt(
  origin: FindingOrigin,
  firstSnapshotAt: Date,
  changes: readonly PackageChangeRow[],
  affects: (version: PackageVersionId, advisory: AdvisoryKey) => boolean,
): Date {
  let version: PackageVersionId | null = origin.versionId;
  let since = firstSnapshotAt;
  for (const change of [...changes].reverse()) {
    const isArrival =
      change.toId === version && change.name === origin.name && change.architecture === origin.architecture;
    if (!isArrival) continue;
    since = change.at;
    version = change.fromId;
    if (version === null || !affects(version, origin.advisory)) break;
    since = firstSnapshotAt;
  }
  return new Date(Math.max(since.getTime(), origin.statedAt.getTime()));
}
