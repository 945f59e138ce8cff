import type { AdvisoryKey, CvssScore, PackageVersionId, Release } from '@plimsoll/model';
import type { Database } from '../database.ts';
import { type FindingOrigin, firstSeenAt, type PackageChangeRow } from '../matching/first-seen.ts';
import { loadMatchedStatements } from '../matching/statements.ts';
import { isUuid } from '../uuid.ts';
import { type HostToAssess, loadStoredHost } from './stored-host.ts';

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
    describe: (keys) => describeAdvisories(db, keys),
    async errataOf(release, names) {
      const { rows } = await db.pool.query<ErratumOf>(
        `SELECT DISTINCT ap.name, a.external_id AS "externalId", a.url, a.cves
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
