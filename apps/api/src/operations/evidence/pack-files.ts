import { csvLines } from '@plimsoll/contract';
import type { EvidencePeriod } from '@plimsoll/db';
import { AppError, type HostScope } from '@plimsoll/model';
import type { EvidenceFile } from '@plimsoll/secrets';
import type { ApiStores } from '../../stores.ts';
import { cveHostColumns, cveHostRows } from '../advisories/cve-hosts.ts';
import type { EvidenceArchive } from './evidence-archive.ts';
import type { ExposureTotals } from './evidence-record.ts';
import type { EvidenceSubject } from './evidence-subject.ts';
import type { GatheredHosts } from './gather-hosts.ts';
import { type PrintedEvidence, printablePage } from './printable-page.ts';

/** Of what became fixable in the period, what was closed within days; hosts that are not counted yet are missing. */
export interface BecameFixable {
  readonly closed_within_days: Readonly<Record<string, { readonly closed: number; readonly of: number }>>;
  readonly hosts_not_counted_yet: number;
}

/** What the files of a pack are written from. */
export interface EvidenceDocument
  extends Pick<PrintedEvidence, 'madeBy' | 'fingerprint' | 'software' | 'notes' | 'feeds' | 'waivers'> {
  readonly subject: EvidenceSubject;
  readonly period: EvidencePeriod;
  readonly becameFixable: BecameFixable | null;
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

/** Writes the files of a pack besides its tables and those about a CVE. */
export async function writeFiles(
  archive: EvidenceArchive,
  document: EvidenceDocument,
): Promise<readonly EvidenceFile[]> {
  const { gathered, subject, period } = document;
  const { missed, others, missedCount, othersCount, tally, printed } = gathered;
  const totals = tally.totals();
  const page = printablePage({
    ...document,
    subject: subject.words,
    period,
    totals,
    closedWithin: document.becameFixable?.closed_within_days ?? {},
    notCountedYet: document.becameFixable?.hosts_not_counted_yet ?? 0,
    hosts: printed,
    hostCount: tally.hosts,
    notCountedStart: tally.notCountedStart,
    notCountedEnd: tally.notCountedEnd,
    isLowerBound: tally.partlyKnown > 0,
    missed,
    others,
    missedCount,
    othersCount,
  });
  return [
    await archive.add('index.html', [page]),
    await archive.add('evidence.json', summaryTexts(document, totals)),
    await archive.add('README.txt', [readme(document)]),
  ];
}

/** The state of every approved host of a scope under a CVE, when the pack was made. */
export async function* cveStates(
  { cveHosts }: Pick<ApiStores, 'cveHosts'>,
  scope: HostScope,
  cve: string,
  signal: AbortSignal,
): AsyncIterable<string> {
  yield `\uFEFF${csvLines([cveHostColumns])}`;
  for await (const rows of cveHostRows(cveHosts.stream(scope, cve, { state: null, release: null }), cve)) {
    if (signal.aborted) throw new AppError('unavailable', 'The client has disconnected.');
    if (rows.length > 0) yield csvLines(rows);
  }
}

/** evidence.json: what is said of all hosts, then each host. */
function* summaryTexts(document: EvidenceDocument, totals: ExposureTotals): Iterable<string> {
  const summary = JSON.stringify(summaryOf(document, totals), null, 2);
  yield `${summary.slice(0, -'\n}'.length)},\n  "hosts": [`;
  yield* document.gathered.json.read();
  yield '\n  ]\n}\n';
}

function summaryOf(document: EvidenceDocument, totals: ExposureTotals) {
  const { subject, period, bounds, gathered } = document;
  return {
    subject: { kind: subject.kind, value: subject.value, words: subject.words },
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    made_at: period.now.toISOString(),
    made_by: document.madeBy,
    limited_to_tags: document.scope,
    complete: true,
    notes: document.notes,
    history_from: bounds.historyFrom?.toISOString() ?? null,
    audit_log_from: bounds.auditFrom?.toISOString() ?? null,
    deleted_hosts: bounds.deletedHosts,
    versions: document.versions,
    totals,
    became_fixable: document.becameFixable,
    hosts_without_numbers: {
      at_start: gathered.tally.notCountedStart,
      at_end: gathered.tally.notCountedEnd,
    },
    hosts_partly_known: gathered.tally.partlyKnown,
    due_policy: document.policy,
    waivers: document.waivers,
    feeds: document.feeds,
  };
}

function readme({ subject, period, fingerprint }: EvidenceDocument): string {
  return `Patch evidence by Plimsoll: ${subject.words}, ${period.from.toISOString()} to ${period.to.toISOString()}.

index.html      to read and print; it has no scripts
evidence.json   the question, what limits the answer, totals, policy, waivers, feeds, and each host at both ends of the period
hosts.csv       one line for each host
findings.csv    one line for each finding of the period; findings.json has the same; further ones are in findings-2 and so on
manifest.json   the SHA-256 of each file; manifest.sig signs it by Ed25519

To check that nothing was changed, added or removed, run

  plimsoll verify-evidence FILE.zip --key ${fingerprint}

with the fingerprint that the operator gave you another way than in this file.
`;
}
