import type { WireTimestamp } from '../../snapshot/field-reader.ts';
import { parseReleaseDate } from '../release-date.ts';
import type { ReportSection } from '../report-section.ts';
import { parseSeconds } from '../seconds.ts';
import type { SectionNotes } from '../section-rule.ts';
import { type TabbedLine, tabbedLines } from '../tabbed-lines.ts';

/** Values that change while the patch state stays the same. */
export interface ObservedFacts {
  collectedAt: WireTimestamp | null;
  /** Its report line. */
  collectedAtLine: number;
  bootedAt: WireTimestamp | null;
  bootId: string;
  readonly refreshed: ObservedRefresh[];
}

/** The `refreshed` line of one repository. */
export interface ObservedRefresh {
  readonly repositoryId: string;
  readonly at: WireTimestamp | null;
  readonly publishedAt: WireTimestamp | null;
  readonly validUntil: WireTimestamp | null;
  readonly error: string;
}

const listEnd = /_(?:In)?Release$/;

/** Parses `observed`. Skips a time that is not a number, with a warning. */
export function parseObserved(section: ReportSection, notes: SectionNotes): ObservedFacts {
  const facts: ObservedFacts = {
    collectedAt: null,
    collectedAtLine: section.line,
    bootedAt: null,
    bootId: '',
    refreshed: [],
  };
  for (const line of tabbedLines(section)) {
    switch (line.key) {
      case 'collected_at':
        facts.collectedAt = timeOf(line.value, line, notes);
        facts.collectedAtLine = line.number;
        break;
      case 'booted_at':
        facts.bootedAt = timeOf(line.value, line, notes);
        break;
      case 'boot_id':
        facts.bootId = line.value;
        break;
      case 'refreshed': {
        const refresh = refreshOf(line, notes);
        if (refresh !== null) facts.refreshed.push(refresh);
        break;
      }
      default: // A newer collector may observe more.
    }
  }
  return facts;
}

/**
 * `refreshed ID FETCHED PUBLISHED VALID_UNTIL ERROR`; collectors before 0.2.0 end after FETCHED. Null if nothing is
 * readable. After a failed fetch the fetch time does not prove a download after publication: apt also touches a list
 * whose signature it refuses.
 */
function refreshOf(line: TabbedLine, notes: SectionNotes): ObservedRefresh | null {
  const [, , fetched = '', published = '', until = '', error = ''] = line.columns;
  const publishedAt = dateOf(published, line, notes);
  const fetchedAt = fetched === '' && error !== '' ? null : timeOf(fetched, line, notes);
  const at = error !== '' && publishedAt !== null ? publishedAt : fetchedAt;
  if (at === null && publishedAt === null && error === '') return null;
  return {
    repositoryId: line.value.replace(listEnd, ''),
    at,
    publishedAt,
    validUntil: dateOf(until, line, notes),
    error,
  };
}

function dateOf(text: string, { number }: TabbedLine, notes: SectionNotes): WireTimestamp | null {
  if (text === '') return null;
  const date = parseReleaseDate(text);
  if (date === null) notes.warn(number, 'a date of a repository is not understood; left out');
  return date;
}

function timeOf(value: string, { number, key }: TabbedLine, notes: SectionNotes): WireTimestamp | null {
  const time = parseSeconds(value);
  if (time === null) notes.warn(number, `${key} is no number of seconds; left out`);
  return time;
}
