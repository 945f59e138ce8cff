import { createHash } from 'node:crypto';
import type { PackageVersionId } from '@plimsoll/model';

/** A set of package versions identified by its content: equal ids give equal bytes and an equal digest. */
export interface EncodedPackageSet {
  /** First 16 bytes of SHA-256 over `ids`. */
  readonly digest: Buffer;
  readonly size: number;
  /** Ascending ids. Each is stored as its difference to the previous one, in groups of seven bits, lowest first. */
  readonly ids: Buffer;
}

/** Encodes ids in any order, with or without duplicates. Takes about 1.1 bytes per id for sets of 1,000. */
export function encodePackageSet(ids: Iterable<PackageVersionId>): EncodedPackageSet {
  const sorted = sortedIds(ids);
  const encoded = encodeSorted(sorted);
  return {
    digest: createHash('sha256').update(encoded).digest().subarray(0, 16),
    size: sorted.length,
    ids: encoded,
  };
}

/** Encodes ids of any table, in any order, as those of an `EncodedPackageSet`. */
export function encodeIds(ids: Iterable<number>): Buffer {
  return encodeSorted(sortedIds(ids));
}

/** Ascending, each once. */
function sortedIds(ids: Iterable<number>): Int32Array {
  const sorted = Int32Array.from(ids).sort();
  let length = 0;
  for (const id of sorted) if (length === 0 || sorted[length - 1] !== id) sorted[length++] = id;
  return sorted.subarray(0, length);
}

/** The number of ids that only one has: an encoded set, or some ids in any order. */
export function countDifferences(set: Uint8Array, ids: Iterable<number>): number {
  const sorted = sortedIds(ids);
  const ofSet = idsOf(set);
  let shared = 0;
  let at = 0;
  for (const id of ofSet) {
    while (at < sorted.length && (sorted[at] ?? id) < id) at += 1;
    if (sorted[at] === id) shared += 1;
  }
  return ofSet.length + sorted.length - 2 * shared;
}

function encodeSorted(sorted: Int32Array): Buffer {
  const bytes = Buffer.allocUnsafe(sorted.length * 5);
  let length = 0;
  let previous = 0;
  for (const id of sorted) {
    let delta = id - previous;
    previous = id;
    while (delta > 127) {
      bytes[length++] = (delta & 127) | 128;
      delta >>>= 7;
    }
    bytes[length++] = delta;
  }
  return Buffer.from(bytes.subarray(0, length));
}

/** The ids of a set, ascending. Accepts only the output of `encodePackageSet` or `encodeIds`. */
export function decodePackageSet(bytes: Uint8Array): PackageVersionId[] {
  const ids: PackageVersionId[] = [];
  for (const id of idsOf(bytes)) ids.push(id as PackageVersionId); // The encoded values are ids.
  return ids;
}

/**
 * Writes the ids, ascending, to the start of `into`, which has room for all, and returns their number. Accepts only the
 * output of `encodePackageSet` or `encodeIds`.
 */
export function readIds(bytes: Uint8Array, into: Int32Array): number {
  let count = 0;
  let id = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    let delta = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      at += 1;
      byte = bytes[at] ?? 0;
      delta |= (byte & 127) << shift;
    }
    id += delta;
    into[count] = id;
    count += 1;
  }
  return count;
}

function idsOf(bytes: Uint8Array): Int32Array {
  const ids = new Int32Array(bytes.length); // An id takes at least one byte.
  return ids.subarray(0, readIds(bytes, ids));
}

/** The ids of `some` that `others` lacks; both are ascending, each id once. */
export function idsWithout(
  some: readonly PackageVersionId[],
  others: readonly PackageVersionId[],
): PackageVersionId[] {
  const rest: PackageVersionId[] = [];
  let n = 0;
  for (const id of some) {
    while (n < others.length && (others[n] ?? id) < id) n++;
    if (others[n] !== id) rest.push(id);
  }
  return rest;
}

/** The highest of some ids, for `heldOf`; 0 if there is none. */
export function highestOf(ids: Iterable<PackageVersionId>): number {
  let highest = 0;
  for (const id of ids) highest = Math.max(highest, id);
  return highest;
}

/** A set of package versions that is asked about very often. */
export class VersionMarks {
  /** 0 if there is none. */
  readonly highest: number;
  private readonly marks: Uint8Array;

  constructor(ids: Iterable<PackageVersionId>) {
    const all = [...ids];
    this.highest = highestOf(all);
    this.marks = new Uint8Array(this.highest + 1);
    for (const id of all) this.marks[id] = 1;
  }

  has(id: number): boolean {
    return this.marks[id] === 1;
  }
}

/** Whether an encoded set contains any of some versions. Accepts only the output of `encodePackageSet`. */
export function holdsAny(bytes: Uint8Array, wanted: VersionMarks): boolean {
  return heldOf(bytes, wanted, wanted.highest, 1).length > 0;
}

/**
 * The ids of `wanted` that an encoded set contains, ascending, at most `most` of them. Decodes no further than `highest`, the
 * highest of them. Accepts only the output of `encodePackageSet`.
 */
export function heldOf(
  bytes: Uint8Array,
  wanted: { has(id: PackageVersionId): boolean },
  highest: number,
  most = Number.POSITIVE_INFINITY,
): PackageVersionId[] {
  const held: PackageVersionId[] = [];
  let id = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    let delta = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      at += 1;
      byte = bytes[at] ?? 0;
      delta |= (byte & 127) << shift;
    }
    id += delta;
    if (id > highest) break;
    const version = id as PackageVersionId; // The encoded values are ids.
    if (wanted.has(version) && held.push(version) >= most) break;
  }
  return held;
}
