import type { BulletinContents } from '@plimsoll/contract';
import { gapWords, openWords } from '@plimsoll/words';
import { DateTime } from 'luxon';
import { cut } from '../channels/cut.ts';
import { plainLine } from '../messages/plain-line.ts';
import { timeWords } from '../messages/time-words.ts';

/** What a bulletin says, in parts that text and HTML show alike. Plain text, never markup. */
export interface BulletinWords {
  readonly title: string;
  readonly about: string;
  /** What is not known, the first thing to read; empty if nothing is known to be missing. */
  readonly unknown: readonly string[];
  /** Instead of `unknown`, if it is empty. */
  readonly known: string;
  readonly open: readonly (readonly [words: string, findings: string, hosts: string, change: string])[];
  readonly overdue: string;
  /** What comes before hosts are changed; empty: nothing. */
  readonly evidence: string;
  readonly exploited: string;
  readonly first: readonly {
    readonly key: string;
    readonly title: string;
    readonly severity: string;
    readonly hosts: string;
    readonly due: string;
    readonly isOverdue: boolean;
  }[];
  /** After `first`. */
  readonly more: string;
  readonly changes: readonly string[];
}

/** Characters of the title of an advisory. */
const longestTitle = 160;

/** The words of a bulletin. */
export function bulletinWords(contents: BulletinContents): BulletinWords {
  const { changes, known_exploited: exploited } = contents;
  const unknown = unknownWords(contents);
  return {
    title: `${plainLine(contents.name)}: ${headline(contents)}`,
    about: `${aboutWords(contents)}, as of ${timeWords(contents.as_of)}.`,
    unknown,
    known: `Nothing is known to be missing for ${hostsWords(contents.hosts)}.`,
    open: contents.open.map(({ severity, findings, hosts }) => [
      openWords[severity].words,
      number(findings),
      number(hosts),
      changes === null ? '' : changeWords(findings - (changes.findings[severity] ?? 0)),
    ]),
    exploited:
      exploited.findings === 0
        ? noneExploited(contents)
        : `${isExploitationKnown(contents) ? '' : 'At least '}${amount(exploited.findings, 'finding', 'findings')} on ${hostsWords(exploited.hosts)} ${exploited.findings === 1 ? 'is' : 'are'} known to be exploited.`,
    overdue: overdueWords(contents),
    evidence: evidenceWords(contents),
    first: contents.first.map((row) => ({
      key: plainLine(row.key),
      title: row.title === row.key ? '' : cut(plainLine(row.title), longestTitle),
      severity: `${openWords[row.severity].words}${row.known_exploited ? ', exploited' : ''}`,
      hosts:
        row.installable_hosts === row.hosts
          ? number(row.hosts)
          : `${number(row.hosts)} (fix installable on ${number(row.installable_hosts)})`,
      due: row.due_at === null ? '' : dayWords(row.due_at),
      isOverdue: row.overdue_hosts > 0,
    })),
    more:
      contents.advisories === 0
        ? 'No advisory has open findings on hosts that are counted.'
        : contents.advisories > contents.first.length
          ? `The first ${contents.first.length} of ${number(contents.advisories)} advisories. The attached table has the others.`
          : 'All are in the attached table, too.',
    changes:
      changes === null
        ? ['There is no earlier report about the same hosts to compare with.']
        : changesWords(contents, changes),
  };
}

function overdueWords(contents: BulletinContents): string {
  const { overdue, changes, has_due_policy: hasPolicy, due_exploitation_unknown: mayBeMore } = contents;
  if (!hasPolicy) return 'No policy of due dates is set, so nothing is due.';
  if (overdue.findings === 0)
    return mayBeMore
      ? 'No finding is known to be overdue, but some may be: due dates depend on what is known to be exploited.'
      : 'No known finding is overdue.';
  const change = changes === null ? '' : ` (${changeWords(overdue.findings - changes.overdue)})`;
  return `${mayBeMore ? 'At least ' : ''}${amount(overdue.findings, 'finding', 'findings')} on ${hostsWords(overdue.hosts)} ${overdue.findings === 1 ? 'is' : 'are'} overdue${change}.`;
}

/** What comes before hosts are changed; empty: nothing. */
function evidenceWords({ due_forensics: asks, advisories }: BulletinContents): string {
  return asks && advisories > 0
    ? 'The due dates ask for a forensic examination of hosts with some findings. Before you change a host, see its plan: it says whether evidence is to be taken first.'
    : '';
}

function headline(contents: BulletinContents): string {
  const { hosts, overdue, known_exploited: exploited, open } = contents;
  if (hosts === 0) return 'no hosts';
  const isKnown = contents.unknown_hosts + contents.uncounted_hosts === 0;
  // With hosts of which not all is known, the first words are about all numbers.
  const beforeOverdue = isKnown && contents.due_exploitation_unknown ? 'at least ' : '';
  const beforeExploited = isKnown && !isExploitationKnown(contents) ? 'at least ' : '';
  const findings = open.reduce((sum, one) => sum + (one.severity === 'unfixed' ? 0 : one.findings), 0);
  return [
    `${isKnown ? '' : 'at least '}${amount(findings, 'open finding', 'open findings')} with a fix`,
    ...(overdue.findings > 0 ? [`${beforeOverdue}${number(overdue.findings)} overdue`] : []),
    ...(exploited.findings > 0
      ? [`${beforeExploited}${number(exploited.findings)} known to be exploited`]
      : []),
  ].join(', ');
}

/** Which hosts a bulletin is about. */
export function aboutWords({ about, limited_to: tags, hosts }: BulletinContents): string {
  const which =
    about.kind === 'all'
      ? 'All hosts'
      : about.kind === 'tag'
        ? `Hosts tagged ${plainLine(about.name)}`
        : `Hosts of the group ${plainLine(about.name)}`;
  const limit = tags === null ? '' : `, limited to the tags ${tags.map(plainLine).join(', ') || '(none)'}`;
  return `${which}${limit} (${hostsWords(hosts)})`;
}

function unknownWords(contents: BulletinContents): readonly string[] {
  if (contents.hosts === 0) return ['No host is in this report: nothing is known, neither good nor bad.'];
  return [
    ...(contents.unknown_hosts > 0
      ? [`On ${hostsWords(contents.unknown_hosts)} the numbers below are lower bounds.`]
      : []),
    ...(contents.uncounted_hosts > 0
      ? [
          `${hostsWords(contents.uncounted_hosts)} ${contents.uncounted_hosts === 1 ? 'is' : 'are'} not counted yet.`,
        ]
      : []),
    ...contents.gaps.map(
      ({ gap, hosts }) => `${hostsWords(hosts)}: ${gapWords[gap].words}. ${gapWords[gap].meaning}`,
    ),
    ...exploitedUnknown(contents),
  ];
}

const dueDependsOnIt = 'Due dates depend on it: findings may be due earlier than is said here.';

/** What is not known about exploitation: silence of CISA's catalog means nothing before its first sync, and little after its last. */
function exploitedUnknown(contents: BulletinContents): readonly string[] {
  const { exploited_data: data, due_exploitation_unknown: isDueUnknown } = contents;
  if (data === null || isExploitationKnown(contents))
    return isDueUnknown ? [`The feed cisa-ssvc was never synced or is outdated. ${dueDependsOnIt}`] : [];
  return [
    data.updated_at === null
      ? 'Whether findings are known to be exploited is not known: the feed cisa-kev was never synced.'
      : `What became known to be exploited after ${timeWords(data.updated_at)} is not known: the feed cisa-kev is outdated.`,
    ...(isDueUnknown ? [dueDependsOnIt] : []),
  ];
}

function isExploitationKnown({ exploited_data: data }: BulletinContents): boolean {
  return data === null || data.freshness === 'current';
}

function noneExploited(contents: BulletinContents): string {
  const { exploited_data: data } = contents;
  if (data === null || isExploitationKnown(contents)) return 'No open finding is known to be exploited.';
  return data.updated_at === null
    ? 'Whether an open finding is known to be exploited is not known.'
    : `No open finding was known to be exploited as of ${timeWords(data.updated_at)}.`;
}

function changesWords(
  { hosts, advisories }: BulletinContents,
  changes: NonNullable<BulletinContents['changes']>,
): readonly string[] {
  const named = changes.added_first.map(({ key, hosts: on }) => `${key} (${hostsWords(on)})`);
  const gone = changes.gone_first;
  return [
    `Compared with ${timeWords(changes.since)}: ${hostsWords(changes.hosts)} then, ${number(hosts)} now.`,
    changes.gone === null
      ? `There were too many advisories to say which of the ${number(advisories)} are new.`
      : changes.added === 0
        ? 'No new advisory is known.'
        : `${amount(changes.added, 'advisory is', 'advisories are')} new: ${list(named, changes.added)}.`,
    ...(changes.gone === null
      ? []
      : changes.gone === 0
        ? ['No advisory has left the list.']
        : [
            `${amount(changes.gone, 'advisory has', 'advisories have')} left the list (patched, waived, withdrawn, or the hosts are gone): ${list(gone, changes.gone)}.`,
          ]),
  ];
}

function list(named: readonly string[], total: number): string {
  const others = total - named.length;
  return `${named.map(plainLine).join(', ')}${others > 0 ? ` and ${number(others)} more` : ''}`;
}

function changeWords(difference: number): string {
  if (difference === 0) return 'unchanged';
  return difference > 0 ? `+${number(difference)}` : `−${number(-difference)}`;
}

function hostsWords(n: number): string {
  return amount(n, 'host', 'hosts');
}

function amount(n: number, one: string, many: string): string {
  return `${number(n)} ${n === 1 ? one : many}`;
}

function number(n: number): string {
  return n.toLocaleString('en-US');
}

function dayWords(time: string): string {
  return DateTime.fromISO(time, { zone: 'utc', locale: 'en' }).toFormat('d LLL yyyy');
}
