import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';
import { fieldOf, type JsonFieldReader, type LocatedObject } from '../json-fields.ts';
import type { RecordIssues } from '../record-issues.ts';

/** The versions that an affected entry covers: all below a fixed version, or all. */
export type AffectedVersions = VersionsBelow | { readonly kind: 'all' };

interface VersionsBelow {
  readonly kind: 'below';
  readonly version: string;
  readonly key: Uint8Array;
}

/** Input of reading versions besides the entry: the version scheme and the issue list. */
export interface VersionReading {
  readonly scheme: VersionScheme;
  /** As in OsvDialect. */
  readonly fixedVersionOf?: ((stated: string) => string) | undefined;
  readonly fields: JsonFieldReader;
  readonly issues: RecordIssues;
}

const maxRanges = 100;
const maxEvents = 1000;
const maxVersionCharacters = 300;

/**
 * Reads the ranges of one affected entry. Ranges decide; `versions` only lists what they cover. Events can be in any
 * order. Several ranges or intervals become their union from the first version on, because a statement has one fixed
 * version: a later `introduced`, `last_affected`, `limit` or a bare version list is widened to affected and noted as
 * an issue. Null, with an issue, if they cannot be read.
 */
export function readAffectedVersions(
  { entry, pointer }: LocatedObject,
  reading: VersionReading,
): AffectedVersions | null {
  const { fields, issues } = reading;
  let union: AffectedVersions | null = null;
  const ranges = fields
    .objects(entry, 'ranges', maxRanges, pointer)
    .filter((range) => fieldOf(range.entry, 'type') !== 'GIT');
  for (const range of ranges) {
    const read = readRange(range, reading);
    if (read === null) return null;
    union = union === null ? read : unionOf(union, read);
  }
  if (union !== null) return union;
  const versions = fieldOf(entry, 'versions');
  if (Array.isArray(versions) && versions.length > 0) {
    issues.add(`${pointer}/versions`, 'versions_without_range');
    return { kind: 'all' };
  }
  issues.add(`${pointer}/ranges`, 'no_range');
  return null;
}

/** The versions that at least one of two statements calls affected. */
export function unionOf(a: AffectedVersions, b: AffectedVersions): AffectedVersions {
  if (a.kind === 'all' || b.kind === 'all') return { kind: 'all' };
  return compareKeys(a.key, b.key) >= 0 ? a : b;
}

/**
 * The versions that both statements call affected: of two fixed versions the lower, of two equal statements the first.
 */
export function intersectionOf(a: AffectedVersions, b: AffectedVersions): AffectedVersions {
  if (b.kind === 'all') return a;
  if (a.kind === 'all') return b;
  return compareKeys(b.key, a.key) < 0 ? b : a;
}

/** The later of two fixes, of two equal ones the first; a fix takes precedence over no fix. */
export function latestFixOf(a: AffectedVersions, b: AffectedVersions): AffectedVersions {
  if (b.kind === 'all') return a;
  if (a.kind === 'all') return b;
  return compareKeys(b.key, a.key) > 0 ? b : a;
}

function readRange(range: LocatedObject, reading: VersionReading): AffectedVersions | null {
  const { fields, issues } = reading;
  if (fieldOf(range.entry, 'type') !== 'ECOSYSTEM') {
    issues.add(`${range.pointer}/type`, 'unknown_range_type');
    return null;
  }
  const events: RangeEvents = { introduced: 0, starts: [], fixes: [], open: false, broken: false };
  for (const event of fields.objects(range.entry, 'events', maxEvents, range.pointer)) {
    gatherEvent(event, events, reading);
  }
  if (events.broken) return null;
  if (events.introduced === 0) issues.add(`${range.pointer}/events`, 'no_introduced');
  const [last, ...others] = events.fixes;
  if (last === undefined || events.open) return { kind: 'all' };
  const highest = others.reduce((a, b) => (compareKeys(a.key, b.key) >= 0 ? a : b), last);
  // A range that starts at or after the last fix has no fix.
  const reopened = events.starts.some((start) => compareKeys(start, highest.key) >= 0);
  return reopened ? { kind: 'all' } : highest;
}

interface RangeEvents {
  introduced: number;
  readonly starts: Uint8Array[];
  readonly fixes: VersionsBelow[];
  /** Affected versions end, but not at a fixed version. */
  open: boolean;
  broken: boolean;
}

function gatherEvent({ entry, pointer }: LocatedObject, events: RangeEvents, reading: VersionReading): void {
  const { fields, issues, scheme, fixedVersionOf = (stated) => stated } = reading;
  const introduced = fields.text(entry, 'introduced', maxVersionCharacters, pointer);
  if (introduced !== null) events.introduced += 1;
  if (introduced !== null && introduced !== '0') {
    issues.add(`${pointer}/introduced`, 'introduced_later');
    const start = versionKey(scheme, introduced);
    if (start.kind === 'key') events.starts.push(start.key);
    else events.open = true;
  }
  const stated = fields.text(entry, 'fixed', maxVersionCharacters, pointer);
  const fixed = stated === null ? null : fixedVersionOf(stated);
  if (fixed !== null) {
    const end = versionKey(scheme, fixed);
    if (end.kind === 'key') events.fixes.push({ kind: 'below', version: fixed, key: end.key });
    else issues.add(`${pointer}/fixed`, 'unparseable_version');
    events.broken ||= end.kind === 'unparseable';
  } else if (fieldOf(entry, 'fixed') !== undefined) {
    events.broken = true;
  }
  if (fieldOf(entry, 'last_affected') !== undefined) {
    issues.add(`${pointer}/last_affected`, 'last_affected');
    events.open = true;
  }
  if (fieldOf(entry, 'limit') !== undefined) issues.add(`${pointer}/limit`, 'limited');
}
