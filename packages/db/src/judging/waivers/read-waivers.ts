import { type HostScope, tagsOfScope } from '@plimsoll/model';
import { waiverApplies } from '../../core/change-terms.ts';
import { likeLiteral } from '../../core/conditions.ts';
import type { PgTransaction } from '../../core/database.ts';
import { inScopeBySql } from '../../fleet/hosts/host-scope.ts';
import type { Waiver, WaiverFilter, WaiverScope, WaiverState } from './waiver.ts';

/** SQL: the columns of a `Waiver` of `waivers w`. */
export const waiverColumns = `w.id, w.kind, w.advisories, w.packages, w.purls, w.host_ids AS "hostIds", w.tags, w.all_hosts AS "allHosts", w.reason,
  w.ticket_url AS "ticketUrl", w.origin, w.created_by AS "createdBy", w.created_at AS "createdAt", w.expires_at AS "expiresAt",
  CASE WHEN w.ended_at IS NULL AND w.expires_at <= now() THEN w.expires_at ELSE w.ended_at END AS "endedAt",
  CASE WHEN w.ended_at IS NULL AND w.expires_at <= now() THEN 'expired' ELSE w.end_cause END AS "endCause",
  w.ended_by AS "endedBy"`;

/** SQL: whether a waiver can be seen with the tags of a scope: it applies to a host that can be seen. */
export function seenBySql(tags: string): string {
  return `(${tags}::text[] IS NULL OR w.all_hosts OR w.tags && ${tags}::text[]
    OR EXISTS (SELECT FROM hosts h WHERE h.id = ANY(w.host_ids) AND h.tags && ${tags}::text[]))`;
}

const states: Readonly<Record<WaiverState, string>> = {
  active: waiverApplies,
  expiring: `${waiverApplies} AND w.expires_at <= now() + interval '7 days'`,
  ended: `NOT (${waiverApplies})`,
};

const scopes: Readonly<Record<WaiverScope, string>> = {
  hosts: "w.host_ids <> '{}'",
  tags: "w.tags <> '{}'",
  all_hosts: 'w.all_hosts',
};

/** SQL: the condition of a filter for the scope whose tags are $1; `values` are its parameters from $2 on. */
export function filterBySql({ state, kind, scope, host, names, q }: WaiverFilter): {
  readonly condition: string;
  readonly values: readonly unknown[];
} {
  const parts = [
    ...(state === undefined ? [] : [states[state]]),
    ...(scope === undefined ? [] : [scopes[scope]]),
    '($2::text IS NULL OR w.kind = $2)',
    `($3::uuid IS NULL OR EXISTS (SELECT FROM hosts h WHERE h.id = $3 AND ${inScopeBySql('h.tags', '$1')}
       AND (w.all_hosts OR w.host_ids @> ARRAY[h.id] OR w.tags && h.tags)))`,
    '($4::text IS NULL OR w.advisories @> ARRAY[$4] OR w.packages @> ARRAY[$4])',
    `($5::text IS NULL OR lower(array_to_string(w.advisories || w.packages || w.purls, ' ') || ' ' || w.reason || ' '
       || coalesce(w.ticket_url, '') || ' ' || w.created_by) LIKE $5)`,
  ];
  const part = q === undefined ? null : `%${likeLiteral(q.toLowerCase())}%`;
  return { condition: parts.join(' AND '), values: [kind ?? null, host ?? null, names ?? null, part] };
}

/** SQL: the hosts to which the waivers $1 apply. */
export const concernedHosts = `SELECT h.id FROM hosts h WHERE EXISTS (SELECT FROM waivers w WHERE w.id = ANY($1::uuid[])
  AND (w.all_hosts OR h.id = ANY(w.host_ids) OR h.tags && w.tags))`;

/** Something that runs queries. */
type Reads = Pick<PgTransaction, 'query'>;

export async function findWaiver(on: Reads, scope: HostScope, id: string): Promise<Waiver | null> {
  const { rows } = await on.query<Waiver>(
    `SELECT ${waiverColumns} FROM waivers w WHERE w.id = $2 AND ${seenBySql('$1')}`,
    [tagsOfScope(scope), id],
  );
  return rows[0] === undefined ? null : waiverAsSeen(on, scope, rows[0]);
}

/** A waiver without the hosts that do not exist for the scope. */
export async function waiverAsSeen(on: Reads, scope: HostScope, waiver: Waiver): Promise<Waiver> {
  if (scope.kind === 'whole_fleet' || waiver.hostIds.length === 0) return waiver;
  return { ...waiver, hostIds: await hostsInScope(on, scope, waiver.hostIds) };
}

export async function hostsInScope(
  on: Reads,
  scope: HostScope,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT id FROM hosts WHERE id = ANY($1::uuid[]) AND ${inScopeBySql('tags', '$2')} ORDER BY id`,
    [ids, tagsOfScope(scope)],
  );
  return rows.map(({ id }) => id);
}
