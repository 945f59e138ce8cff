/** One record as it stands in a feed's file, or the place where one should be. `place` tells people where to look. */
export type FeedRecord =
  | { readonly kind: 'record'; readonly place: string; readonly json: unknown }
  | { readonly kind: 'broken'; readonly place: string; readonly detail: string };

/** How much of a file is read before it counts as an attack. A whole Debian export is 202 MB in 35,000 records. */
export const recordLimits = {
  /** Bytes of one record, decompressed. */
  recordBytes: 16 * 1024 * 1024,
  /** Bytes of a file that is one JSON value: it has to be held as a whole. */
  wholeJsonBytes: 64 * 1024 * 1024,
  /** Bytes of all records, decompressed. */
  totalBytes: 8 * 1024 * 1024 * 1024,
  /** Entries of an archive. */
  entries: 2_000_000,
} as const;

/** Parses a record's text; a broken one is an answer, not an error. */
export function toFeedRecord(place: string, text: string): FeedRecord {
  try {
    return { kind: 'record', place, json: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'broken', place, detail: 'is not valid JSON' };
  }
}
