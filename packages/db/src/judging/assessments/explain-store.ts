import {
  type Explanation,
  explainHost,
  type NamedAdvisory,
  packagesAsked,
  type SpeakingFeed,
  type StatedVersion,
} from '@plimsoll/advisories';
import type { Gap, PackageVersionId } from '@plimsoll/model';
import { type Database, isUuid } from '../../core/database.ts';
import { loadJudgedCves } from '../../knowledge/judged-cves.ts';
import { loadStatementsOf } from '../../knowledge/statements.ts';
import type { AssessmentStore } from './assessment-store.ts';
import { assessStoredHost, type InstalledVersion } from './stored-host.ts';

/** A host with its names. */
export interface NamedHost {
  readonly id: string;
  readonly displayName: string;
  readonly hostname: string;
}

/** Loads the data of an explanation, except the host. */
export interface ExplainStore {
  /** Hosts with this id, display name or hostname, ignoring case; ordered by display name, at most ten. */
  hostsNamed(text: string): Promise<readonly NamedHost[]>;
  /** Advisories with this id, alias or CVE, ignoring case; ordered by id and feed. */
  advisoriesNamed(text: string): Promise<readonly NamedAdvisory[]>;
  /** All statements about package versions, including those that do not affect them. */
  statedOf(
    versions: readonly InstalledVersion['version'][],
  ): Promise<ReadonlyMap<PackageVersionId, StatedVersion>>;
}

const mostHosts = 10;

/** The explain store of one database. */
export function createExplainStore(database: Database): ExplainStore {
  const { pool } = database;
  return {
    async hostsNamed(text) {
      const { rows } = await pool.query<NamedHost>(
        `SELECT id, display_name AS "displayName", hostname FROM hosts
         WHERE id = $1::uuid OR lower(display_name) = lower($2) OR lower(hostname) = lower($2)
         ORDER BY display_name, id LIMIT $3`,
        [isUuid(text) ? text : null, text, mostHosts],
      );
      return rows;
    },
    async advisoriesNamed(text) {
      const { rows } = await pool.query<NamedAdvisory>(
        `SELECT a.id AS key, a.feed_id AS "feedId", a.external_id AS "externalId", a.kind, a.title, a.url, a.cves,
                coalesce(a.published_at, a.modified_at) AS "publishedAt", a.withdrawn_at AS "withdrawnAt", coalesce(
                  (SELECT jsonb_agg(DISTINCT jsonb_build_object(
                     'release', r.name, 'name', ap.name, 'ofSource', ap.names IS NOT NULL, 'line', ap.line))
                   FROM advisory_packages ap JOIN releases r ON r.id = ap.release_id
                   WHERE ap.advisory_id = a.id
                     AND (ap.cves IS NULL OR NOT a.cves @> ARRAY[upper($1)] OR upper($1) = ANY(ap.cves))),
                  '[]') AS packages
         FROM advisories a
         WHERE a.cves @> ARRAY[upper($1)] OR a.external_id ILIKE $2
            OR EXISTS (SELECT FROM unnest(a.aliases) AS alias WHERE alias ILIKE $2)
         ORDER BY a.external_id COLLATE "C", a.feed_id`,
        [text, text.replace(/[\\%_]/g, '\\$&')],
      );
      return rows;
    },
    async statedOf(versions) {
      const statements = await loadStatementsOf(pool, versions);
      const errataCves = statements.all.flatMap(({ kind, cves }) => (kind === 'erratum' ? cves : []));
      const judged = await loadJudgedCves(pool, [...new Set(errataCves)]);
      return new Map(
        versions.map((version) => {
          const said = statements.about(version);
          const cves = said.flatMap((statement) => statement.cves).filter((cve) => judged.has(version, cve));
          return [version.id, { statements: said, judgedCves: new Set(cves) }] as const;
        }),
      );
    },
  };
}

/** An explanation with the advisories it is about. */
export interface LoadedExplanation {
  readonly explanation: Explanation;
  readonly advisories: readonly NamedAdvisory[];
  /** The feed whose advisories apply to the host's release; null without one. */
  readonly feed: SpeakingFeed | null;
}

/** Explains a package of an existing host against an advisory, given by its id, an alias or a CVE. */
export async function loadExplanation(
  stores: { readonly assessments: AssessmentStore; readonly explanations: ExplainStore },
  question: {
    readonly hostId: string;
    /** The host's gaps, as in `host_state`. */
    readonly gaps: readonly Gap[];
    readonly packageName: string;
    readonly advisory: string;
  },
): Promise<LoadedExplanation> {
  const { hostId, gaps, packageName, advisory } = question;
  const [host, advisories] = await Promise.all([
    stores.assessments.load(hostId),
    stores.explanations.advisoriesNamed(advisory),
  ]);
  const versions = host === null ? [] : packagesAsked(host, packageName).map(({ judged }) => judged.version);
  const stated = await stores.explanations.statedOf(versions);
  const assessed = host === null ? null : { ...host, assessment: assessStoredHost(host) };
  return {
    explanation: explainHost({ advisory, packageName, host: assessed, gaps, advisories, stated }),
    advisories,
    feed: host?.feed ?? null,
  };
}
