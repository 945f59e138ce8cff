import type { FeedFormat } from '@plimsoll/model';

/** One record as it stands in a feed's file, or the place where one should be. `place` tells people where to look. */
export type FeedRecord =
  | { readonly kind: 'record'; readonly place: string; readonly format: FeedFormat; readonly json: unknown }
  | { readonly kind: 'broken'; readonly place: string; readonly detail: string };

/** A record of which nobody looked yet what form it has. */
export type RawRecord =
  | { readonly kind: 'record'; readonly place: string; readonly json: unknown }
  | { readonly kind: 'broken'; readonly place: string; readonly detail: string };

/** How much of a file is read before it counts as an attack. A whole Debian export is 202 MB in 35,000 records. */
export const recordLimits = {
  /** Bytes of one record, decompressed: eight times the largest known. Parsed it can take forty times as much memory. */
  recordBytes: 8 * 1024 * 1024,
  /** Brackets within brackets in one record. */
  recordDepth: 100,
  /** Bytes of all records, decompressed. */
  totalBytes: 8 * 1024 * 1024 * 1024,
  /** Entries of an archive. */
  entries: 2_000_000,
} as const;

/** What is said of a record that is over its limit, wherever it stands. */
export const tooLong = 'is longer than a record may be';

/** Parses a record's text; a broken one is an answer, not an error. */
export function toRawRecord(place: string, text: string): RawRecord {
  if (isTooDeep(text)) return { kind: 'broken', place, detail: 'is nested too deep' };
  try {
    return { kind: 'record', place, json: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'broken', place, detail: 'is not valid JSON' };
  }
}

/** A shorter text takes little memory however deep it nests. */
const harmlessCharacters = 64 * 1024;

/** Whether brackets nest deeper than in any record: a value of brackets alone takes most memory when it is parsed. */
function isTooDeep(text: string): boolean {
  if (text.length < harmlessCharacters) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString && code === 0x5c) at++;
    else if (code === 0x22) inString = !inString;
    else if (inString) continue;
    else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > recordLimits.recordDepth) return true;
  }
  return false;
}
