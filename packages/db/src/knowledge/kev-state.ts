import { asksForActive, asksForExploitation, type DuePolicy } from '@plimsoll/advisories';
import type { FeedFreshness } from '@plimsoll/model';
import type { Statements } from '../core/transaction.ts';

/**
 * SQL: how current the data of CISA KEV is, a FeedFreshness: what it does not list is not exploited only as of then. A test
 * compares it with feedFreshness.
 */
export const kevFreshness = freshnessOf('cisa-kev');

/** SQL: the same of CISA's decisions by SSVC. */
export const ssvcFreshness = freshnessOf('cisa-ssvc');

function freshnessOf(feed: 'cisa-kev' | 'cisa-ssvc'): string {
  return `coalesce((
    SELECT CASE WHEN updated_at IS NULL THEN 'never_synced'
      WHEN ${isOutdated('updated_at', 'feeds')} THEN 'outdated' ELSE 'current' END
    FROM feeds WHERE id = '${feed}'), 'never_synced')`;
}

/**
 * SQL: whether data of a feed is older than the feed allows, as feedFreshness says; null if it was never synced.
 *
 * @param updatedAt when the data was current
 * @param feed the alias of the row of `feeds`
 */
export function isOutdated(updatedAt: string, feed: string): string {
  return `${updatedAt} < now() - make_interval(secs => ${feed}.stale_after_seconds)`;
}

/** The data of CISA KEV. */
export interface KevState {
  readonly freshness: FeedFreshness;
  /** Null: never synced. */
  readonly updatedAt: Date | null;
}

/**
 * SQL: whether the hosts are counted with the first import of CISA KEV, as on any earlier day. The change of an import is
 * stored before its hosts are counted.
 */
const isFirstImportCounted = `(EXISTS (SELECT FROM fleet_days WHERE exploitation_known)
  OR NOT EXISTS (SELECT FROM knowledge_changes WHERE NOT counted AND feeds && '{cisa-kev}')
  OR EXISTS (SELECT FROM knowledge_changes WHERE counted AND feeds && '{cisa-kev}'))`;

/**
 * SQL: kevFreshness for everything that shows numbers of exploited findings: until the first import is counted they are zero and mean
 * nothing, as without data.
 */
const shownKevFreshness = `CASE WHEN ${isFirstImportCounted} THEN ${kevFreshness} ELSE 'never_synced' END`;

/** Reads how current the data of CISA KEV is now, as shownKevFreshness. */
export async function readKevState(client: Statements): Promise<KevState> {
  const { rows } = await client.query<KevState>(
    `SELECT ${shownKevFreshness} AS freshness, (SELECT updated_at FROM feeds WHERE id = 'cisa-kev') AS "updatedAt"`,
  );
  return rows[0] ?? { freshness: 'never_synced', updatedAt: null };
}

/**
 * Whether due dates by a policy may be too late: a rule asks for exploitation, and CISA KEV is not current; or a rule asks for
 * `active`, and CISA's decisions by SSVC are not.
 */
export async function isDueExploitationUnknown(client: Statements, policy: DuePolicy): Promise<boolean> {
  if (!asksForExploitation(policy)) return false;
  const { rows } = await client.query<{ kev: FeedFreshness; ssvc: FeedFreshness }>(
    `SELECT ${shownKevFreshness} AS kev, ${ssvcFreshness} AS ssvc`,
  );
  const [{ kev, ssvc } = { kev: 'never_synced', ssvc: 'never_synced' }] = rows;
  return kev !== 'current' || (asksForActive(policy) && ssvc !== 'current');
}

/**
 * Whether the fleet's number of exploited findings means something: CISA KEV has data, and its first import has been counted on all
 * hosts, as on an earlier day.
 */
export async function isExploitationCounted(client: Statements): Promise<boolean> {
  return (await readKevState(client)).freshness !== 'never_synced';
}
