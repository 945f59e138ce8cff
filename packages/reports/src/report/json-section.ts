import { isJsonObject, type JsonObject } from '@plimsoll/model';
import type { ReportSection } from './report-section.ts';
import type { SectionNotes } from './section-rule.ts';

/** The longest JSON read: real ones have some ten kilobytes. */
const maxJsonLength = 4 * 1024 * 1024;

/** Reads what a section printed as one JSON object; null, with a failure noted, if it is none. */
export function parseJsonSection(section: ReportSection, notes: SectionNotes): JsonObject | null {
  const json = section.lines.join('\n');
  if (json.length > maxJsonLength) {
    notes.fail(`its JSON is longer than ${maxJsonLength} characters`);
    return null;
  }
  const value = parse(json);
  if (isJsonObject(value)) return value;
  notes.fail('what it printed is no JSON object');
  return null;
}

/** The value of a key, in whatever case the tool's version writes it; undefined if there is none. */
export function findValue(object: JsonObject, key: string): unknown {
  const wanted = key.toLowerCase();
  return Object.entries(object).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // The caller notes that it is no object.
  }
}
