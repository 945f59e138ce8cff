import type { FeedFormat } from '@plimsoll/model';
import { boundsOf, type JsonBounds } from './json-bounds.ts';

/** One record of a feed's file, or the position of a broken one. `place` is shown to people. */
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
   * Bytes of one file in a tar archive, decompressed: CSAF repeats each id of a product about ten times, and
   * a CVE of a widely used library has some ten thousand products.
   */
  documentBytes: 32 * 1024 * 1024,
  /**
   * Bytes of all files in an archive, decompressed. Only one is in memory at a time, so the limit of a record
   * bounds the memory. Ubuntu's records of kernel CVEs have up to 1 MB each, 5 to 11 GB together.
   */
  archiveBytes: 64 * 1024 * 1024 * 1024,
  /** Entries of an archive. */
  entries: 2_000_000,
} as const;

/** The error text for a record above its limit. */
export const tooLong = 'is longer than a record may be';

/** Parses a record's text in UTF-8; returns a broken record instead of throwing. */
export function toRawRecord(place: string, json: Buffer): RawRecord {
  return parse(place, json, json.length < harmlessBytes ? null : boundsOf(json));
}

/** As `toRawRecord`, for a document that may be longer than a record: it must not consist of many small values. */
export function toDocument(place: string, json: Buffer): RawRecord {
  if (json.length <= recordLimits.recordBytes) return toRawRecord(place, json);
  const bounds = boundsOf(json);
  if (bounds.marks > json.length / bytesPerValue)
    return { kind: 'broken', place, detail: 'has too many values for its size' };
  return parse(place, json, bounds);
}

/** A text up to this length takes little memory at any depth. */
const harmlessBytes = 64 * 1024;
/** The fewest bytes per bracket, comma or colon in a document that is longer than a record may be. */
const bytesPerValue = 8;

/** A value of only brackets takes the most memory when parsed. */
function parse(place: string, json: Buffer, bounds: JsonBounds | null): RawRecord {
  if (bounds !== null && bounds.depth > recordLimits.recordDepth)
    return { kind: 'broken', place, detail: 'is nested too deep' };
  try {
    return { kind: 'record', place, json: JSON.parse(json.toString('utf8')) as unknown };
  } catch {
    return { kind: 'broken', place, detail: 'is not valid JSON' };
  }
}
