import type { FeedFormat } from '@plimsoll/model';

/** One record of a feed's file, or the place of a broken one. `place` is shown to people. */
export type FeedRecord =
  | { readonly kind: 'record'; readonly place: string; readonly format: FeedFormat; readonly json: unknown }
  | { readonly kind: 'broken'; readonly place: string; readonly detail: string };

/** A record whose format is not known yet. */
export type RawRecord =
  | { readonly kind: 'record'; readonly place: string; readonly json: unknown }
  | { readonly kind: 'broken'; readonly place: string; readonly detail: string };

/** Limits beyond which a file counts as an attack. A whole Debian export is 202 MB in 35,000 records. */
export const recordLimits = {
  /** Bytes of one record, decompressed: eight times the largest known. A parsed record can take forty times as much. */
  recordBytes: 8 * 1024 * 1024,
  /** Depth of nested brackets in one record. */
  recordDepth: 100,
  /** Bytes of a text, decompressed. */
  totalBytes: 8 * 1024 * 1024 * 1024,
  /**
   * Bytes of one file in a tar archive, decompressed: CSAF repeats each id of a product about ten times, and a CVE of a
   * widely used library is of some ten thousand products.
   */
  documentBytes: 32 * 1024 * 1024,
  /**
   * Bytes of all files in an archive, decompressed. Only one is in memory at a time: the limit of a record is what
   * bounds the memory. Ubuntu's records of kernel CVEs have up to 1 MB each, 5 to 11 GB together.
   */
  archiveBytes: 64 * 1024 * 1024 * 1024,
  /** Entries of an archive. */
  entries: 2_000_000,
} as const;

/** The error text for a record above its limit. */
export const tooLong = 'is longer than a record may be';

/** Parses a record's text; returns a broken record instead of throwing. */
export function toRawRecord(place: string, text: string): RawRecord {
  if (isTooDeep(text)) return { kind: 'broken', place, detail: 'is nested too deep' };
  try {
    return { kind: 'record', place, json: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'broken', place, detail: 'is not valid JSON' };
  }
}

/** The fewest characters per bracket, comma or colon in a document that is longer than a record may be. */
const charactersPerValue = 8;

/** As `toRawRecord`, for a document that may be longer than a record: it must not consist of many small values. */
export function toDocument(place: string, text: string): RawRecord {
  if (text.length > recordLimits.recordBytes && hasSmallValues(text))
    return { kind: 'broken', place, detail: 'has too many values for its size' };
  return toRawRecord(place, text);
}

const structural: ReadonlySet<number> = new Set([...'[]{},:'].map((mark) => mark.charCodeAt(0)));

function hasSmallValues(text: string): boolean {
  const most = text.length / charactersPerValue;
  let marks = 0;
  for (let at = 0; at < text.length; at++) if (structural.has(text.charCodeAt(at))) marks++;
  return marks > most;
}

/** A text of at most this length takes little memory at any depth. */
const harmlessCharacters = 64 * 1024;

/** Whether brackets nest deeper than allowed: a value of only brackets takes the most memory when parsed. */
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
