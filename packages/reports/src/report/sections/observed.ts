import type { WireTimestamp } from '../../snapshot/timestamp.ts';
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
  readonly refreshed: { readonly repositoryId: string; readonly at: WireTimestamp }[];
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
        const at = timeOf(line.columns[2] ?? '', line, notes);
        if (at !== null) facts.refreshed.push({ repositoryId: line.value.replace(listEnd, ''), at });
        break;
      }
      default: // A newer collector may observe more.
    }
  }
  return facts;
}

function timeOf(value: string, { number, key }: TabbedLine, notes: SectionNotes): WireTimestamp | null {
  const time = parseSeconds(value);
  if (time === null) notes.warn(number, `${key} is no number of seconds; left out`);
  return time;
}
