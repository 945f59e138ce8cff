import { areJudgementOf, feedRoles } from '@plimsoll/advisories';
import type { Statements } from '../core/transaction.ts';
import { tablesOf } from './as-known-at.ts';
import type { StoredPackageVersion } from './package-versions.ts';

/** The CVEs that a vendor judges in its non-withdrawn vulnerability records; see areJudgementOf. */
export interface JudgedCves {
  has(version: Pick<StoredPackageVersion, 'release' | 'releaseId'>, cve: string): boolean;
}

/** Loads which of the given CVEs the vendor of each release judges. */
export function loadJudgedCves(client: Statements, cves: Iterable<string>): Promise<JudgedCves> {
  return new JudgedCveMemory().load(client, cves);
}

/** CVEs that are kept between two loads; each has records of few vendors. */
const mostCves = 50_000;

/** What one vendor's records say of a CVE. */
interface VendorJudgement {
  readonly releaseIds: readonly number[];
  readonly changedAt: Date | null;
}

/** By family of releases. Empty: no vendor judges the CVE. */
type Judgements = Map<string, VendorJudgement>;

/**
 * Loads judged CVEs, each once, because the versions of an import share most of them. Use it as long as the records do
 * not change, as in one transaction.
 */
export class JudgedCveMemory {
  private known = new Map<string, Judgements>();

  /** As loadJudgedCves. */
  async load(client: Statements, cves: Iterable<string>): Promise<JudgedCves> {
    if (this.known.size > mostCves) this.known = new Map();
    const { known } = this;
    const wanted = new Set(cves);
    const missing = [...wanted].filter((cve) => !known.has(cve));
    const loaded = await readJudgements(client, missing);
    for (const [cve, judgements] of loaded) known.set(cve, judgements);
    return {
      has: ({ release, releaseId }, cve) => {
        const vendor = known.get(cve)?.get(release.split(':', 1)[0] ?? '');
        if (vendor === undefined) return false;
        const namesRelease = vendor.releaseIds.includes(releaseId);
        return areJudgementOf(release, { changedAt: vendor.changedAt, namesRelease });
      },
    };
  }
}

/** From this number of CVEs on, one sequential scan of the records is faster than index lookups. */
export const cvesToScanFor = 500;

/** SQL: excludes records of feeds of unfixed packages only, because these do not list fixed packages. */
const isOfJudge = `a.kind = 'vulnerability' AND a.withdrawn_at IS NULL AND a.feed_id = ANY($2::text[])`;
/** One CVE after the other: PostgreSQL expects hundreds of records for each, and would read all statements. */
const recordsFoundByIndex = (
  advisories: string,
) => `SELECT a.id, a.modified_at, c.cve FROM unnest($1::text[]) AS c (cve)
  CROSS JOIN LATERAL (SELECT id, modified_at FROM ${advisories} a WHERE a.cves @> ARRAY[c.cve] AND ${isOfJudge} OFFSET 0) a`;
const recordsFoundByScan = (
  advisories: string,
) => `SELECT a.id, a.modified_at, c.cve FROM ${advisories} a CROSS JOIN LATERAL unnest(a.cves) AS c (cve)
  WHERE ${isOfJudge} AND c.cve = ANY($1::text[]) OFFSET 0`;

async function readJudgements(
  client: Statements,
  cves: readonly string[],
): Promise<ReadonlyMap<string, Judgements>> {
  const byCve = new Map<string, Judgements>(cves.map((cve) => [cve, new Map()]));
  if (cves.length === 0) return byCve;
  const values: unknown[] = [cves, feedRoles.fixFeeds];
  const known = tablesOf(client, values);
  const records = cves.length < cvesToScanFor ? recordsFoundByIndex : recordsFoundByScan;
  const { rows } = await client.query<VendorJudgement & { readonly cve: string; readonly family: string }>(
    `SELECT j.cve, split_part(r.name, ':', 1) AS family, array_agg(DISTINCT r.id) AS "releaseIds",
            max(j.modified_at) AS "changedAt"
     FROM (${records(known.advisories)}) j
     CROSS JOIN LATERAL (SELECT release_id FROM ${known.statements} ap WHERE ap.advisory_id = j.id
                         GROUP BY release_id OFFSET 0) ap
     JOIN releases r ON r.id = ap.release_id GROUP BY j.cve, family`,
    values,
  );
  for (const { cve, family, ...judgement } of rows) byCve.get(cve)?.set(family, judgement);
  return byCve;
}
