import {
  type AppliedWaiver,
  type AssessedPackage,
  type PackageSummary,
  summariseUnder,
} from '@plimsoll/advisories';
import { isCveName, type PackageVersionId } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { Statements } from '../../core/transaction.ts';
import { bytesOfSummary } from '../../knowledge/summary-size.ts';
import { digestOf } from './counted-input.ts';
import type { HostTerms } from './host-terms.ts';

/** Estimated bytes of the summaries kept between calls. */
const maxBytes = 32 * 1024 * 1024;

/** Some package versions on hosts with the same terms. */
export interface WaivedQuestion {
  readonly terms: HostTerms;
  readonly ids: readonly PackageVersionId[];
}

/** Summaries by the digest of the terms, then by version; only of versions of which something is waived. */
export type WaivedByTerms = ReadonlyMap<string, ReadonlyMap<PackageVersionId, PackageSummary>>;

/** What the waivers of the fleet name that a package version has. */
type Named = Pick<AppliedWaiver, 'advisories' | 'packages'>;

/**
 * Summaries of package versions of which waivers cover something, by waivers and version. All hosts without waivers, and
 * all other versions, count by the summaries of VersionMemory.
 */
export class WaivedSummaries {
  /** Versions that were looked up, with what the waivers of `asked` name of them; null: nothing. */
  private readonly named = new Map<PackageVersionId, Named | null>();
  private asked = '';
  private readonly summaries = new LRUCache<string, { readonly waived: PackageSummary | null }>({
    maxSize: maxBytes,
    sizeCalculation: ({ waived }, key) => 2 * key.length + (waived === null ? 100 : bytesOfSummary(waived)),
  });

  /** Forgets what it knows of all versions. */
  clear(): void {
    this.named.clear();
    this.summaries.clear();
  }

  /** @param waivers all of the fleet. @param from loads package versions with their statements. */
  async load(
    client: Statements,
    questions: readonly WaivedQuestion[],
    waivers: readonly AppliedWaiver[],
    from: (ids: readonly PackageVersionId[]) => Promise<readonly AssessedPackage[]>,
  ): Promise<WaivedByTerms> {
    await this.lookUp(client, questions, waivers);
    const found = new Map<string, Map<PackageVersionId, PackageSummary>>();
    const missing = new Map<PackageVersionId, HostTerms[]>();
    const seen = new Set<string>();
    for (const { terms, ids } of questions) {
      const ofTerms = found.get(terms.digest) ?? new Map<PackageVersionId, PackageSummary>();
      found.set(terms.digest, ofTerms);
      for (const id of ids) {
        const named = this.named.get(id) ?? null;
        if (named === null || terms.waivers?.names(named) !== true) continue;
        const key = keyOf(terms, id);
        const known = this.summaries.get(key);
        if (known?.waived != null) ofTerms.set(id, known.waived);
        if (known !== undefined || seen.has(key)) continue;
        seen.add(key);
        missing.set(id, [...(missing.get(id) ?? []), terms]);
      }
    }
    for (const subject of missing.size === 0 ? [] : await from([...missing.keys()])) {
      for (const terms of missing.get(subject.id) ?? []) {
        const waived = isWaivedPartly(subject, terms) ? summariseUnder(terms.waivers, subject) : null;
        this.summaries.set(keyOf(terms, subject.id), { waived });
        if (waived !== null) found.get(terms.digest)?.set(subject.id, waived);
      }
    }
    return found;
  }

  private async lookUp(
    client: Statements,
    questions: readonly WaivedQuestion[],
    waivers: readonly AppliedWaiver[],
  ): Promise<void> {
    const asked = digestOf(waivers.map(({ id }) => id).join(' '));
    if (asked !== this.asked) this.named.clear();
    this.asked = asked;
    const missing = new Set<PackageVersionId>();
    for (const { ids } of questions) for (const id of ids) if (!this.named.has(id)) missing.add(id);
    if (missing.size === 0) return;
    const found = await namedOf(client, [...missing], waivers);
    for (const id of missing) this.named.set(id, found.get(id) ?? null);
  }
}

function keyOf({ digest }: HostTerms, id: PackageVersionId): string {
  return `${digest} ${id}`;
}

function isWaivedPartly(subject: AssessedPackage, { waivers }: HostTerms): boolean {
  return subject.statements.some((statement) => waivers?.coverOf(statement, subject) != null);
}

/**
 * What waivers name of package versions, or of all for null: their names, and the advisories and CVEs that affect
 * them.
 */
export async function namedOf(
  client: Statements,
  ids: readonly PackageVersionId[] | null,
  waivers: readonly Named[],
): Promise<ReadonlyMap<PackageVersionId, Named>> {
  const advisories = [...new Set(waivers.flatMap((waiver) => waiver.advisories))];
  const packages = [...new Set(waivers.flatMap((waiver) => waiver.packages))];
  const matched = `JOIN advisory_packages ap ON ap.advisory_id = a.id
    JOIN package_version_advisories m ON m.advisory_package_id = ap.id WHERE ($1::int[] IS NULL OR m.package_version_id = ANY($1::int[]))`;
  const { rows } = await client.query<{
    id: PackageVersionId;
    advisory: string | null;
    package: string | null;
  }>(
    `SELECT m.package_version_id AS id, c.cve AS advisory, NULL AS package
     FROM unnest($2::text[]) AS c (cve) JOIN advisories a ON a.cves @> ARRAY[c.cve] ${matched}
     UNION SELECT m.package_version_id, a.external_id, NULL FROM advisories a ${matched} AND a.external_id = ANY($3::text[])
     UNION SELECT v.id, NULL, n.name FROM package_versions v
       CROSS JOIN LATERAL unnest(ARRAY[v.name, v.source_name]) AS n (name)
       WHERE ($1::int[] IS NULL OR v.id = ANY($1::int[])) AND n.name = ANY($4::text[])`,
    [ids, advisories.filter(isCveName), advisories, packages],
  );
  const found = new Map<PackageVersionId, { advisories: string[]; packages: string[] }>();
  for (const row of rows) {
    const named = found.get(row.id) ?? { advisories: [], packages: [] };
    if (row.advisory !== null) named.advisories.push(row.advisory);
    if (row.package !== null) named.packages.push(row.package);
    found.set(row.id, named);
  }
  return found;
}
