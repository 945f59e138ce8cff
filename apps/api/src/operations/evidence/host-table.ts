import type { EvidenceHost, ExposureTotals } from './evidence-record.ts';

const plainColumns = [
  'host_id',
  'display_name',
  'hostname',
  'os_name',
  'os_version',
  'architecture',
  'tags',
  'exposure',
  'created_at',
  'retired_at',
  'first_snapshot_at',
  'last_confirmed_at',
  'silent',
] as const satisfies readonly (keyof EvidenceHost)[];
const findingTotals = [
  'open_at_start',
  'opened_in_period',
  'closed_in_period',
  'ended_otherwise',
  'open_at_end',
] as const satisfies readonly (keyof ExposureTotals)[];
const postureColumns = [
  'known',
  'received_at',
  'resolution',
  'release',
  'kernel',
  'feed',
  'feed_updated_at',
  'findings_known',
  'gaps',
] as const;

/** The columns of hosts.csv. */
export const hostColumns: readonly string[] = [
  ...plainColumns,
  ...findingTotals,
  'due_met',
  'due_missed',
  ...postureColumns.map((column) => `start_${column}`),
  ...postureColumns.map((column) => `end_${column}`),
];

/** The line of a host in hosts.csv. */
export function hostCells(host: EvidenceHost) {
  const { findings, start, end } = host;
  return [
    ...plainColumns.map((column) => host[column]),
    ...findingTotals.map((column) => findings[column]),
    findings.due?.['met'] ?? null,
    findings.due?.['missed'] ?? null,
    ...postureColumns.map((column) => start[column]),
    ...postureColumns.map((column) => end[column]),
  ];
}
