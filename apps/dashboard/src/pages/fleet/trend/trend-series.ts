import type { FleetDay } from '@plimsoll/contract';
import { severityWords } from '@plimsoll/words';

/** One line of the chart. */
export interface TrendSeries {
  readonly key: 'critical' | 'important' | 'moderate' | 'low' | 'unfixed';
  readonly words: string;
  /** CSS variable of its colour. */
  readonly colour: string;
  /** Lengths of dashes and gaps, which distinguish the lines without colour; empty: a solid line. */
  readonly dash: readonly number[];
  readonly width: number;
}

/** The lines of the chart, worst severity first. */
export const trendSeries: readonly TrendSeries[] = [
  { key: 'critical', words: severityWords.critical.words, colour: '--critical', dash: [], width: 3 },
  { key: 'important', words: severityWords.important.words, colour: '--important', dash: [10, 4], width: 2 },
  { key: 'moderate', words: severityWords.moderate.words, colour: '--moderate', dash: [4, 4], width: 2 },
  { key: 'low', words: severityWords.low.words, colour: '--low', dash: [1.5, 4], width: 2 },
  { key: 'unfixed', words: 'Without a fix', colour: '--neutral', dash: [12, 4, 2, 4], width: 1.5 },
];

/** Findings of a series on a day; null if they are not known. */
export function findingsOn(day: FleetDay, key: TrendSeries['key']): number | null {
  return isKnown(day) ? day.totals.findings[key] : null;
}

/** The known days. */
export function knownDays(days: readonly FleetDay[]): readonly FleetDay[] {
  return days.filter(isKnown);
}

/** Whether findings were counted on a day: not if nothing was known of any host, and none was found. */
function isKnown(day: FleetDay): day is FleetDay & { readonly totals: NonNullable<FleetDay['totals']> } {
  if (day.totals === null) return false;
  const { hosts, findings, findings_unknown_hosts } = day.totals;
  return hosts > (findings_unknown_hosts ?? 0) || trendSeries.some(({ key }) => findings[key] > 0);
}

/** Critical and important findings of a known day. */
function urgentFindings({ totals }: FleetDay): number {
  return totals === null ? 0 : totals.findings.critical + totals.findings.important;
}

const weekDays = 7;

/** Compares today's critical and important findings with the known day closest to a week ago. */
export function trendInWords(days: readonly FleetDay[]): string {
  const known = knownDays(days);
  const today = known.at(-1);
  if (today === undefined || known.length < 2)
    return 'Recording started today. The trend is shown from tomorrow on.';
  const weekAgo = Date.parse(today.day) - weekDays * 86_400_000;
  const before = known.findLast(({ day }) => Date.parse(day) <= weekAgo) ?? known[0] ?? today;
  const change = urgentFindings(today) - urgentFindings(before);
  const since = `since ${dayInWords(before.day)}`;
  const limit = isFullyKnown(today) && isFullyKnown(before) ? '' : ' Not all hosts are known.';
  if (change === 0)
    return `No change ${since}: ${urgentFindings(today)} known critical or important findings.${limit}`;
  const words = `${Math.abs(change)} critical or important ${Math.abs(change) === 1 ? 'finding' : 'findings'}`;
  if (change > 0) return `Getting worse: ${words} more ${since}.${limit}`;
  return limit === '' ? `Getting better: ${words} fewer ${since}.` : `${words} fewer ${since}.${limit}`;
}

/** Whether the findings of every host were known on a day. */
function isFullyKnown({ totals }: FleetDay): boolean {
  return totals !== null && totals.findings_unknown_hosts === 0;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A day in words. Days are UTC days. */
export function dayInWords(day: string): string {
  return dayFormat.format(new Date(day));
}
