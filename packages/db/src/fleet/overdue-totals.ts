import type { HostScope } from '@plimsoll/model';
import type { HostColumns } from '../hosts/host-columns.ts';

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

/** Counts the hosts in memory. */
export function overdueTotals(columns: HostColumns, scope: HostScope): OverdueTotals {
  const { flags, codes, numbers, words, size } = columns;
  const isSeen = columns.seenIn(scope);
  const approved = words.approvalStatus.indexOf('approved');
  const total = { hosts: 0, findings: 0 };
  const byTag = new Map<string, { hosts: number; findings: number }>();
  for (let position = 0; position < size; position += 1) {
    const findings = numbers.overdue[position] ?? 0;
    if (findings === 0 || flags.isPresent[position] !== 1) continue;
    if (codes.approvalStatus[position] !== approved || !isSeen(position)) continue;
    total.hosts += 1;
    total.findings += findings;
    for (const tag of new Set(columns.tagsOf(position))) {
      const known = byTag.get(tag) ?? { hosts: 0, findings: 0 };
      known.hosts += 1;
      known.findings += findings;
      byTag.set(tag, known);
    }
  }
  const sorted = [...byTag].map(([tag, counts]) => ({ tag, ...counts }));
  sorted.sort((a, b) => b.findings - a.findings || (a.tag < b.tag ? -1 : 1));
  return { ...total, byTag: sorted };
}
