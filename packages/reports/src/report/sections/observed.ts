import type { WireTimestamp } from '../../snapshot/timestamp.ts';
import { parseReleaseDate } from '../release-date.ts';
import type { ReportSection } from '../report-section.ts';
import { parseSeconds } from '../seconds.ts';
import type { SectionNotes } from '../section-rule.ts';
import { type TabbedLine, tabbedLines } from '../tabbed-lines.ts';

/** What moves by itself. */
export interface ObservedFacts {
  collectedAt: WireTimestamp | null;
  /** Where it stands in the report. */
  collectedAtLine: number;
  bootedAt: WireTimestamp | null;
  bootId: string;
  readonly refreshed: ObservedRefresh[];
}

/** What a `refreshed` line says of one repository. */
export interface ObservedRefresh {
  readonly repositoryId: string;
  readonly at: WireTimestamp | null;
  readonly publishedAt: WireTimestamp | null;
  readonly validUntil: WireTimestamp | null;
  readonly error: string;
}

const listEnd = /_(?:In)?Release$/;

/** Reads `observed`. A time that is no number is left out, with a warning. */
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
 * `refreshed ID FETCHED PUBLISHED VALID_UNTIL ERROR`; collectors before 0.2.0 end behind FETCHED. Null where nothing of it
 * can be read. Where the last fetch failed, nothing says that the host fetched it after it was published: apt touches
 * a list whose signature it refuses, too.
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
