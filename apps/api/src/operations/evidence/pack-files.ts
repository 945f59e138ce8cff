import { csvLines } from '@plimsoll/contract';
import type { EvidencePeriod } from '@plimsoll/db';
import { AppError, type HostScope } from '@plimsoll/model';
import { type FinishedFile, ZipFile } from '@plimsoll/secrets';
import type { ApiStores } from '../../stores.ts';
import { cveHostColumns, cveHostRows } from '../advisories/cve-hosts.ts';
import type { EvidenceHost, ExposureTotals } from './evidence-record.ts';
import type { EvidenceSubject } from './evidence-subject.ts';
import type { GatheredHosts } from './gather-hosts.ts';
import { type PrintedEvidence, printablePage } from './printable-page.ts';

/** What the files of a pack are written from. */
export interface EvidenceDocument
  extends Pick<PrintedEvidence, 'madeBy' | 'fingerprint' | 'software' | 'notes' | 'feeds' | 'waivers'> {
  readonly subject: EvidenceSubject;
  readonly period: EvidencePeriod;
  readonly gathered: GatheredHosts;
  readonly bounds: {
    readonly historyFrom: Date | null;
    readonly deletedHosts: number | null;
    readonly auditFrom: Date | null;
  };
  readonly policy: object;
  /** The tags that the reader is limited to; null: none. */
  readonly scope: readonly string[] | null;
  readonly versions: object;
}

/** The files of a pack besides findings.json and those about a CVE. */
export async function evidenceFiles(document: EvidenceDocument): Promise<readonly FinishedFile[]> {
  const { gathered, subject, period } = document;
  const totals = sumOf(gathered.hosts);
  const { missed, others, missedCount, othersCount, hosts } = gathered;
  const page = printablePage({
    ...document,
    subject: subject.words,
    period,
    totals,
    hosts,
    missed,
    others,
    missedCount,
    othersCount,
  });
  return [
    await textFile('index.html', page),
    await textFile('evidence.json', `${JSON.stringify(summaryOf(document, totals), null, 2)}\n`),
    await textFile('hosts.csv', `\uFEFF${csvLines([hostColumns, ...hosts.map(hostCells)])}`),
    gathered.csv,
    await textFile('README.txt', readme(document)),
  ];
}

/** The state of every approved host of a scope under a CVE, when the pack was made. */
export async function cveStatesFile(
  { cveHosts }: Pick<ApiStores, 'cveHosts'>,
  scope: HostScope,
  cve: string,
  signal: AbortSignal,
): Promise<FinishedFile> {
  const file = new ZipFile('cve-hosts.csv');
  await file.write(`\uFEFF${csvLines([cveHostColumns])}`);
  for await (const rows of cveHostRows(cveHosts.stream(scope, cve, null), cve)) {
    if (signal.aborted) throw new AppError('unavailable', 'The client has disconnected.');
    if (rows.length > 0) await file.write(csvLines(rows));
  }
  return file.end();
}

async function textFile(name: string, text: string): Promise<FinishedFile> {
  const file = new ZipFile(name);
  await file.write(text);
  return file.end();
}

function summaryOf(document: EvidenceDocument, totals: ExposureTotals) {
  const { subject, period, gathered, bounds } = document;
  return {
    subject: { kind: subject.kind, value: subject.value, words: subject.words },
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    made_at: period.now.toISOString(),
    made_by: document.madeBy,
    limited_to_tags: document.scope,
    complete: gathered.leftOut === 0,
    notes: document.notes,
    history_from: bounds.historyFrom?.toISOString() ?? null,
    audit_log_from: bounds.auditFrom?.toISOString() ?? null,
    deleted_hosts: bounds.deletedHosts,
    versions: document.versions,
    totals,
    due_policy: document.policy,
    waivers: document.waivers,
    feeds: document.feeds,
    hosts: gathered.hosts,
  };
}

/** The sum over hosts, at the start over those of which it is known; verdicts are null without a policy. */
export function sumOf(hosts: readonly EvidenceHost[]): ExposureTotals {
  const all = hosts.flatMap(({ findings }) => (findings === null ? [] : [findings]));
  const sum = (count: (one: ExposureTotals) => number) => all.reduce((total, one) => total + count(one), 0);
  const isStartKnown = all.some(({ open_at_start }) => open_at_start !== null);
  const verdicts = Object.keys(all.find(({ due }) => due !== null)?.due ?? {});
  return {
    open_at_start: isStartKnown ? sum((one) => one.open_at_start ?? 0) : null,
    opened_in_period: sum((one) => one.opened_in_period),
    closed_in_period: sum((one) => one.closed_in_period),
    ended_otherwise: sum((one) => one.ended_otherwise),
    open_at_end: sum((one) => one.open_at_end),
    due:
      verdicts.length === 0
        ? null
        : Object.fromEntries(verdicts.map((verdict) => [verdict, sum(({ due }) => due?.[verdict] ?? 0)])),
  };
}

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
  'gaps',
] as const;

const hostColumns = [
  ...plainColumns,
  ...findingTotals,
  'due_met',
  'due_missed',
  ...postureColumns.map((column) => `start_${column}`),
  ...postureColumns.map((column) => `end_${column}`),
];

function hostCells(host: EvidenceHost) {
  const { findings, start, end } = host;
  return [
    ...plainColumns.map((column) => host[column]),
    ...findingTotals.map((column) => findings?.[column] ?? null),
    findings?.due?.['met'] ?? null,
    findings?.due?.['missed'] ?? null,
    ...postureColumns.map((column) => start[column]),
    ...postureColumns.map((column) => end[column]),
  ];
}

function readme({ subject, period, fingerprint }: EvidenceDocument): string {
  return `Patch evidence by Plimsoll: ${subject.words}, ${period.from.toISOString()} to ${period.to.toISOString()}.

index.html      to read and print; it has no scripts
evidence.json   the question, what limits the answer, totals, policy, waivers, feeds, and each host at both ends of the period
hosts.csv       one line for each host
findings.csv    one line for each finding of the period; findings.json has the same
manifest.json   the SHA-256 of each file; manifest.sig signs it by Ed25519

To check that nothing was changed, added or removed, run

  plimsoll verify-evidence FILE.zip --key ${fingerprint}

with the fingerprint that the operator gave you another way than in this file.
`;
}
