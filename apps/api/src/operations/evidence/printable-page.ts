import type { EvidencePeriod } from '@plimsoll/db';
import type { DueVerdict, WaiverKind } from '@plimsoll/model';
import {
  causeWords,
  dueVerdictWords,
  gapWords,
  severityWords,
  undatedWords,
  waiverKindWords,
} from '@plimsoll/words';
import { blinding } from './evidence-posture.ts';
import {
  type EvidenceFinding,
  type EvidenceHost,
  type ExposureTotals,
  isAddedAfter,
} from './evidence-record.ts';

/** Most findings in each table of the page; the CSV has all. */
export const printedFindings = 1_000;
/** Most hosts of the page; hosts.csv has all. */
export const printedHosts = 5_000;

/** What the page shows. */
export interface PrintedEvidence {
  readonly subject: string;
  readonly period: EvidencePeriod;
  readonly madeBy: string;
  readonly fingerprint: string;
  readonly notes: readonly string[];
  readonly totals: ExposureTotals;
  /** By days: of what became fixable in the period. */
  readonly closedWithin: Readonly<Record<string, { readonly closed: number; readonly of: number }>>;
  /** Hosts that are missing in these numbers. */
  readonly notCountedYet: number;
  readonly hosts: readonly EvidenceHost[];
  /** The number of all hosts, and of those that add nothing to the sums at the start and the end, as it is not known. */
  readonly hostCount: number;
  readonly notCountedStart: number;
  readonly notCountedEnd: number;
  /** Whether hosts may have more findings than the pack has. */
  readonly isLowerBound: boolean;
  readonly missed: readonly EvidenceFinding[];
  readonly others: readonly EvidenceFinding[];
  /** The numbers of all findings of the two kinds. */
  readonly missedCount: number;
  readonly othersCount: number;
  readonly waivers: readonly {
    readonly id: string;
    readonly kind: WaiverKind;
    readonly reason: string;
    readonly created_by: string;
    readonly created_at: string;
    readonly ends_at: string;
  }[];
  readonly feeds: readonly {
    readonly id: string;
    readonly updated_at: string | null;
    readonly last_error: string | null;
  }[];
  readonly software: string;
}

const style = `body{font:14px/1.45 system-ui,sans-serif;color:#111;background:#fff;margin:2rem auto;max-width:75rem;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}
table{border-collapse:collapse;width:100%;font-size:12px}th,td{border:1px solid #bbb;padding:.2rem .4rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{background:#eee}th[scope=col]{white-space:nowrap}td.n{text-align:right;white-space:nowrap}.notes{border:2px solid #111;padding:.5rem 1rem .5rem 2rem}.missed td:last-child{font-weight:700}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}
@page{size:A4 landscape;margin:12mm}
@media print{body{margin:0;max-width:none;padding:0;font-size:10pt}table{font-size:8pt}.wide{overflow:visible}thead{display:table-header-group}tr,.notes{break-inside:avoid}h2{break-after:avoid}}`;

/** A page to print, without scripts and links to elsewhere. */
export function printablePage(shown: PrintedEvidence): string {
  const { subject, period, madeBy, fingerprint, notes, software } = shown;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>${escaped(`Patch evidence: ${subject}`)}</title><style>${style}</style></head><body>
<h1>Patch evidence: ${escaped(subject)}</h1>
<dl><dt>Period</dt><dd>${timeOf(period.from.toISOString())} to ${timeOf(period.to.toISOString())}</dd>
<dt>Made</dt><dd>${timeOf(period.now.toISOString())} by ${escaped(madeBy)}</dd>
<dt>Software</dt><dd>${escaped(software)}</dd>
<dt>Signed by key</dt><dd>${escaped(fingerprint)} (this page proves nothing: run “plimsoll verify-evidence FILE --key FINGERPRINT” with a fingerprint that you got from the operator another way)</dd></dl>
<h2>What limits this evidence</h2><ul class="notes">${notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>
${totalsTable(shown)}
${hostTable(shown, period)}
${findingTable('Findings that missed their due date', shown.missed, shown.missedCount, 'missed')}
${findingTable('Other findings', shown.others, shown.othersCount, '')}
${waiverTable(shown.waivers)}
${feedTable(shown.feeds)}
</body></html>
`;
}

function totalsTable(shown: PrintedEvidence): string {
  const { totals, closedWithin, notCountedYet, hostCount, notCountedStart, notCountedEnd, isLowerBound } =
    shown;
  const without = (hosts: number) =>
    hosts === 0 ? '' : `, without ${hosts} of ${hostCount} hosts, of which it is not known`;
  const least = (number: number | null) => numberWords(number, isLowerBound);
  const rows: (readonly [string, string])[] = [
    [`Open at the start, as far as is known${without(notCountedStart)}`, numberWords(totals.open_at_start)],
    ['Opened in the period', least(totals.opened_in_period)],
    ['Closed on the host in the period', numberWords(totals.closed_in_period)],
    ['Ended otherwise (vendor, rules, sources)', numberWords(totals.ended_otherwise)],
    [`Open at the end${without(notCountedEnd)}`, least(totals.open_at_end)],
    ...Object.entries(closedWithin).map(([days, { closed, of }]): [string, string] => [
      `Became fixable in the period and closed within ${days} days${without(notCountedYet)}`,
      of === 0 ? 'none' : `${closed} of ${of}`,
    ]),
    ...Object.entries(totals.due ?? {}).map(
      ([verdict, number]) =>
        [
          `Due dates: ${dueVerdictWords[verdict as DueVerdict]}`,
          numberWords(number, isLowerBound && (verdict === 'missed' || verdict === 'not_yet_due')),
        ] as const,
    ),
  ];
  return section(
    'Findings in the period',
    ['State or verdict', 'Findings'],
    rows.map(([name, number]) => `<tr><td>${escaped(name)}</td><td class="n">${number}</td></tr>`),
  );
}

function numberWords(number: number | null, isLowerBound = false): string {
  if (number === null) return 'not known';
  return isLowerBound ? `at least ${number}` : String(number);
}

function hostTable(
  { hosts, hostCount }: Pick<PrintedEvidence, 'hosts' | 'hostCount'>,
  period: EvidencePeriod,
): string {
  const row = (host: EvidenceHost) => {
    const { display_name, os_name, os_version, silent, retired_at, start, end, findings } = host;
    const state = [
      ...(isAddedAfter(host, period) ? ['added after the period'] : []),
      ...(silent ? ['silent'] : []),
      ...(retired_at === null ? [] : [`retired ${timeOf(retired_at)}`]),
      ...ofPosture('start', start),
      ...ofPosture('end', end),
    ].join('; ');
    const { due } = findings;
    const isLowerBound = silent || !end.findings_known;
    const verdict = (name: string, isLeast = false) =>
      due === null ? 'no policy' : numberWords(due[name] ?? null, isLeast);
    const numbers = [
      numberWords(findings.open_at_start, !start.findings_known),
      numberWords(findings.opened_in_period, isLowerBound),
      numberWords(findings.closed_in_period),
      numberWords(findings.open_at_end, isLowerBound),
      verdict('met'),
      verdict('missed', isLowerBound),
    ];
    return `<tr><td>${escaped(display_name)}</td><td>${escaped(`${os_name} ${os_version}`)}</td><td>${state || 'reported'}</td>${numbers
      .map((number) => `<td class="n">${number}</td>`)
      .join(
        '',
      )}<td>${timeOf(end.feed_updated_at)}</td><td>${escaped(end.gaps.map((gap) => gapWords[gap].words).join(', '))}</td></tr>`;
  };
  return section(
    `Hosts (${hostCount}${hosts.length < hostCount ? `, the first ${hosts.length} are shown; hosts.csv has all` : ''})`,
    [
      'Host',
      'System',
      'Knowledge',
      'Open at start',
      'Opened',
      'Closed',
      'Open at end',
      'Due met',
      'Due missed',
      'Feed data of',
      'Gaps at the end',
    ],
    hosts.map(row),
  );
}

const notKnownWords: Readonly<Record<Exclude<EvidenceHost['start']['known'], 'known'>, string>> = {
  no_report_yet: 'no report yet',
  history_deleted: 'history deleted',
  retired: 'retired',
};

/** Why what was open on a host at a time is not known. */
function ofPosture(time: string, { known, gaps }: EvidenceHost['start']): readonly string[] {
  const reasons = blinding(gaps).filter((gap) => known !== 'no_report_yet' || gap !== 'no_report');
  const said = [
    ...(known === 'known' ? [] : [notKnownWords[known]]),
    ...reasons.map((gap) => gapWords[gap].phrase),
  ];
  return said.map((words) => `${time}: ${words}`);
}

function findingTable(
  title: string,
  findings: readonly EvidenceFinding[],
  total: number,
  rowClass: string,
): string {
  const row = (one: EvidenceFinding) =>
    `<tr${rowClass === '' ? '' : ` class="${rowClass}"`}><td>${escaped(one.host)}</td><td>${escaped(one.package)}</td><td>${escaped(
      [one.advisory_id, ...one.cves.filter((cve) => cve !== one.advisory_id)].join(', '),
    )}</td><td>${severityWords[one.severity].words}${one.known_exploited === true ? ', known exploited' : ''}</td><td>${timeOf(one.from)}<br>${escaped(causeWords[one.from_cause])}</td><td>${
      one.until === null
        ? 'open'
        : `${timeOf(one.until)}<br>${one.until_cause === null ? '' : escaped(causeWords[one.until_cause])}`
    }</td><td>${timeOf(one.offered_at)}</td><td>${timeOf(one.installed_at)}</td><td>${timeOf(one.running_at)}</td><td>${
      one.due_at === null
        ? one.undated === null
          ? 'None'
          : escaped(undatedWords[one.undated])
        : timeOf(one.due_at)
    }</td><td>${one.due_verdict === null ? 'No policy' : escaped(dueVerdictWords[one.due_verdict])}${one.waiver_id === null ? '' : ', waived'}</td></tr>`;
  const heading = `${title} (${total}${findings.length < total ? `, the first ${findings.length} are shown; the tables of findings have all` : ''})`;
  return section(
    heading,
    [
      'Host',
      'Package',
      'Advisory',
      'Severity',
      'From',
      'Until',
      'Fix offered',
      'Installed',
      'Running',
      'Due',
      'Verdict',
    ],
    findings.map(row),
  );
}

function waiverTable(waivers: PrintedEvidence['waivers']): string {
  return section(
    `Waivers that applied in the period (${waivers.length})`,
    ['Id', 'Kind', 'Reason', 'By', 'From', 'Until'],
    waivers.map(
      ({ id, kind, reason, created_by, created_at, ends_at }) =>
        `<tr><td>${escaped(id)}</td><td>${escaped(waiverKindWords[kind].words)}</td><td>${escaped(reason)}</td><td>${escaped(created_by)}</td><td>${timeOf(created_at)}</td><td>${timeOf(ends_at)}</td></tr>`,
    ),
  );
}

function feedTable(feeds: PrintedEvidence['feeds']): string {
  return section(
    `Advisory feeds when the pack was made (${feeds.length})`,
    ['Feed', 'Data of', 'Last error'],
    feeds.map(
      ({ id, updated_at, last_error }) =>
        `<tr><td>${escaped(id)}</td><td>${updated_at === null ? 'never synced' : timeOf(updated_at)}</td><td>${escaped(last_error ?? '')}</td></tr>`,
    ),
  );
}

function section(title: string, columns: readonly string[], rows: readonly string[]): string {
  const head = columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join('');
  const table = `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
  return `<h2>${escaped(title)}</h2>${rows.length === 0 ? '<p>None in this pack.</p>' : table}`;
}

/** To the minute, in UTC. */
function timeOf(at: string | null): string {
  return at === null ? '–' : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
