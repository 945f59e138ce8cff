import type { PgTransaction } from '../database.ts';
import type { HostSelection } from '../hosts/host-selection.ts';

/** Hosts with findings past their due dates, and these findings. */
export interface OverdueTotal {
  readonly hosts: number;
  readonly findings: number;
}

/** The approved hosts of a scope with findings past their due dates. */
export interface OverdueTotals extends OverdueTotal {
  /** Only tags of such hosts, most findings first; a host counts for each of its tags. */
  readonly byTag: readonly (OverdueTotal & { readonly tag: string })[];
}

/** Counts the approved ones of selected hosts. */
export async function overdueTotals(
  tx: PgTransaction,
  { from, where, values }: HostSelection,
): Promise<OverdueTotals> {
  const { rows } = await tx.query<OverdueTotal & { readonly tag: string | null }>(
    // The row without a tag has all hosts.
    `WITH late AS MATERIALIZED (
       SELECT h.tags, s.overdue FROM ${from} WHERE ${where} AND s.overdue > 0 AND h.approval_status = 'approved')
     SELECT * FROM (
       SELECT NULL AS tag, count(*)::int AS hosts, coalesce(sum(overdue), 0)::float8 AS findings FROM late
       UNION ALL
       SELECT t.tag, count(*)::int, sum(overdue)::float8 FROM late
       CROSS JOIN LATERAL (SELECT DISTINCT unnest(late.tags) AS tag) t GROUP BY t.tag) counted
     ORDER BY findings DESC, tag COLLATE "C"`,
    values,
  );
  const total = rows.find(({ tag }) => tag === null);
  const byTag = rows.flatMap(({ tag, ...counts }) => (tag === null ? [] : [{ tag, ...counts }]));
  return { hosts: total?.hosts ?? 0, findings: total?.findings ?? 0, byTag };
}
