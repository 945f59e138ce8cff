import {
  type DuePolicy,
  type DueTerms,
  dependsOnFirstReport,
  dependsOnInstallation,
  dueTermsOf,
  noDuePolicy,
  presetPolicy,
} from '@plimsoll/advisories';
import type { HostExposure, HostId } from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import { kevFreshness, ssvcFreshness } from '../../knowledge/known-exploited.ts';

/** The policy of due dates in force, with its last change. */
export interface StoredDuePolicy {
  readonly policy: DuePolicy;
  /** Null: no policy was ever set. */
  readonly changed: { readonly at: Date; readonly by: string } | null;
}

/** Reads the policy of due dates in force. The rules of a preset are those of this version of the service. */
export async function readDuePolicy(client: Statements): Promise<StoredDuePolicy> {
  const { rows } = await client.query<{ document: DuePolicy; at: Date; by: string }>(
    `SELECT document, changed_at AS at, changed_by AS by FROM policies WHERE name = 'due_dates'`,
  );
  const [row] = rows;
  if (row === undefined) return { policy: noDuePolicy, changed: null };
  const { document, at, by } = row; // Only setDuePolicy writes the document.
  const policy = document.preset === null ? document : presetPolicy(document.preset);
  return { policy, changed: { at, by } };
}

/** A host's terms of due dates, equal objects for equal terms. */
export interface LoadedDueTerms {
  readonly terms: DueTerms;
  /** Equal only for terms that give equal dates. */
  readonly key: string;
  /** Whether its due dates can depend on when it got its packages. */
  readonly byInstallation: boolean;
  /** Whether they can depend on the day of its first report. */
  readonly byFirstReport: boolean;
}

/** The terms of some hosts. */
export interface DueTermsOfHosts {
  /** By host; a deleted host has none. */
  readonly byHost: ReadonlyMap<HostId, LoadedDueTerms>;
  /** The time of the database clock, in milliseconds since 1970. */
  readonly now: number;
}

/** Null: no policy is set. @param wanted a policy to use instead of the one in force */
export async function loadDueTerms(
  client: Statements,
  hosts: readonly HostId[],
  wanted?: DuePolicy,
): Promise<DueTermsOfHosts | null> {
  const policy = wanted ?? (await readDuePolicy(client)).policy;
  if (policy.rules.length === 0) return null;
  const { rows } = await client.query<{
    id: HostId;
    exposure: HostExposure;
    tags: readonly string[];
    now: Date;
    isCatalogOld: boolean;
    areDecisionsOld: boolean;
  }>(
    `SELECT id, exposure, tags, now() AS now, ${kevFreshness} <> 'current' AS "isCatalogOld",
            ${ssvcFreshness} <> 'current' AS "areDecisionsOld"
     FROM hosts WHERE id = ANY($1::uuid[])`,
    [hosts],
  );
  const known = new Map<string, LoadedDueTerms>();
  const byHost = new Map(
    rows.map(({ id, exposure, tags, isCatalogOld, areDecisionsOld }) => {
      const terms = { ...dueTermsOf(policy, exposure, tags), isCatalogOld, areDecisionsOld };
      const key = keyOf(policy, terms);
      const loaded = known.get(key) ?? {
        terms,
        key,
        byInstallation: dependsOnInstallation(terms),
        byFirstReport: dependsOnFirstReport(terms),
      };
      known.set(key, loaded);
      return [id, loaded] as const;
    }),
  );
  return { byHost, now: rows[0]?.now.getTime() ?? 0 };
}

function keyOf({ preset }: DuePolicy, { exposure, rules }: DueTerms): string {
  return JSON.stringify([preset, exposure, rules]);
}

/** Has hosts counted again whose next due date has come. Returns their number. */
export async function recountDueHosts(client: Statements, limit: number): Promise<number> {
  const { rows } = await client.query<{ hosts: number }>(
    `WITH due AS (
       SELECT host_id, (row_number() OVER (ORDER BY host_id) - 1) / 500 AS piece FROM (
         SELECT host_id FROM host_state WHERE next_due_at <= now()
           AND host_id NOT IN (SELECT unnest(hosts) FROM recount_pieces WHERE hosts <> '{}')
         ORDER BY next_due_at LIMIT $1) d),
     pieces AS (
       INSERT INTO recount_pieces (hosts) SELECT array_agg(host_id ORDER BY host_id) FROM due GROUP BY piece)
     SELECT count(*)::int AS hosts FROM due`,
    [limit],
  );
  return rows[0]?.hosts ?? 0;
}
