import type { CsvCell, PlannedHost } from '@plimsoll/contract';
import { findingGaps, type Gap } from '@plimsoll/model';
import { csvAnswer } from '../../http/csv-answer.ts';

const columns = [
  'host_id',
  'display_name',
  'hostname',
  'state',
  'notes',
  'not_covered',
  'forensics_first',
  'change',
  'package',
  'architecture',
  'from_version',
  'to_version',
  'is_security',
  'severity',
  'closes',
  'advisories_stay_open',
  'reboot',
  'restarts',
] as const;

const bounding: readonly Gap[] = findingGaps;

/** A plan as a table: one line per package change or offer that is left out, and one for a host without either. */
export function planTable(hosts: readonly PlannedHost[]) {
  return csvAnswer({ fileName: 'plimsoll-plan.csv', columns, rows: rowsOf(hosts) });
}

async function* rowsOf(hosts: readonly PlannedHost[]): AsyncIterable<readonly (readonly CsvCell[])[]> {
  for (const host of hosts) yield linesOf(host);
}

function linesOf(host: PlannedHost): readonly (readonly CsvCell[])[] {
  const first = [
    host.host_id,
    host.display_name,
    host.hostname,
    host.state,
    host.notes.map(({ detail }) => detail).join(' '),
    host.not_covered?.detail ?? null,
    host.forensics_first,
  ];
  const stays = host.stays_open.reduce((sum, { advisories }) => sum + advisories, 0);
  // With these gaps the number is a lower bound, so zero says nothing.
  const isBound = host.gaps.some((gap) => bounding.includes(gap));
  const last = [isBound && stays === 0 ? null : stays, host.reboot.state, host.restarts.state];
  const changes = host.packages.map((one) => [
    ...first,
    one.from_version === null ? 'install' : 'upgrade',
    one.name,
    one.architecture,
    one.from_version,
    one.to_version,
    one.is_security,
    one.severity,
    one.advisory_ids,
    ...last,
  ]);
  const leftOut = host.left_out.map((one) => [
    ...first,
    `left out: ${one.reason}`,
    one.name,
    one.architecture,
    one.from_version,
    one.to_version,
    null,
    one.severity,
    null,
    ...last,
  ]);
  const lines = [...changes, ...leftOut];
  return lines.length > 0 ? lines : [[...first, 'none', ...Array<null>(7).fill(null), ...last]];
}
