import type { PgTransaction } from '../../core/database.ts';
import type { HostSelection } from '../../fleet/hosts/host-selection.ts';

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

/** The approved ones of selected hosts with findings past their due dates, by tag. */
export async function overdueByTag(
  tx: PgTransaction,
  { from, where, values }: HostSelection,
): Promise<OverdueTotals['byTag']> {
  const { rows } = await tx.query<OverdueTotals['byTag'][number]>(
    `SELECT * FROM (
       SELECT t.tag, count(*)::int AS hosts, sum(s.overdue)::float8 AS findings FROM ${from}
       CROSS JOIN LATERAL (SELECT DISTINCT unnest(h.tags) AS tag) t
       WHERE ${where} AND s.overdue > 0 AND h.approval_status = 'approved' GROUP BY t.tag) counted
     ORDER BY findings DESC, tag COLLATE "C"`,
    values,
  );
  return rows;
}
