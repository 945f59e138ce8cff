import { isJsonObject, type JsonObject } from '@plimsoll/model';
import type { ReportSection } from './report-section.ts';
import type { SectionNotes } from './section-rule.ts';

/** The longest accepted JSON; real ones have some ten kilobytes. */
const maxJsonLength = 4 * 1024 * 1024;

/** Parses a section's output as one JSON object; null, with a noted failure, if it is not one. */
export function parseJsonSection(section: ReportSection, notes: SectionNotes): JsonObject | null {
  const json = section.lines.join('\n');
  if (json.length > maxJsonLength) {
    notes.fail(`its JSON is longer than ${maxJsonLength} characters`);
    return null;
  }
  const value = parse(json);
  if (isJsonObject(value)) return value;
  notes.fail('its output is not a JSON object');
  return null;
}

/** The value of a key, case-insensitive because tool versions differ; undefined if absent. */
export function findValue(object: JsonObject, key: string): unknown {
  const wanted = key.toLowerCase();
  return Object.entries(object).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // The caller notes that it is not an object.
  }
}
