import { createHash } from 'node:crypto';
import type { FindingEntry, FindingList, FindingMark } from '@plimsoll/advisories';
import { type AdvisoryKey, type FixState, fixStates, type PackageVersionId } from '@plimsoll/model';

/** A host's finding list identified by its content: equal lists give equal bytes and an equal digest. */
export interface EncodedFindingList {
  /** First 16 bytes of SHA-256 over `bytes`. */
  readonly digest: Buffer;
  /** The number of package versions. */
  readonly size: number;
  /**
   * Ascending versions. Numbers are in groups of seven bits, lowest first. Of each version: its difference to the
   * previous one; the mark; if it has exceptions, their number, and of each the difference to the previous advisory and
   * its mark. A mark is the place of its state in `fixStates` or `noState`, plus bits; with `hasDue`, the difference of
   * its minute to the previous one of the list, of which an odd number is negative.
   */
  readonly bytes: Buffer;
}

const noState = fixStates.length;
const stateBits = 0b1111;
const waivedBit = 1 << 4;
const hasDue = 1 << 5;
const hasExceptions = 1 << 6;
/** Above every head. */
const headSpan = 1 << 7;

const places: Readonly<Record<string, number>> = Object.fromEntries(
  fixStates.map((state, place) => [state, place]),
);

/** Encodes a finding list. The order of groups and entries does not matter. */
export function encodeFindingList({ groups, entries }: FindingList): EncodedFindingList {
  let size = entries.length;
  for (const { versionIds } of groups) size += versionIds.length;
  const keys = new Float64Array(size);
  /** The entries that are more than a version and its head. */
  const detailed = new Map<PackageVersionId, Pick<FindingEntry, 'mark' | 'exceptions'>>();
  let next = 0;
  for (const { versionIds, mark } of groups) {
    const head = headOf(mark);
    for (const id of versionIds) {
      keys[next++] = id * headSpan + head;
      if (mark.dueMinute !== null) detailed.set(id, { mark, exceptions: [] });
    }
  }
  for (const entry of entries) {
    const { versionId, mark, exceptions } = entry;
    const head = headOf(mark) | (exceptions.length > 0 ? hasExceptions : 0);
    keys[next++] = versionId * headSpan + head;
    if (head >= hasDue) detailed.set(versionId, entry);
  }
  keys.sort();
  const writer = new Writer(3 * size);
  let previous = 0;
  for (const key of keys) {
    const id = Math.floor(key / headSpan);
    const head = key - id * headSpan;
    writer.number(id - previous);
    writer.number(head);
    previous = id;
    const entry = head >= hasDue ? detailed.get(id as PackageVersionId) : undefined; // Keys have ids of versions.
    if (entry === undefined) continue;
    writer.due(entry.mark);
    if (entry.exceptions.length === 0) continue;
    writer.number(entry.exceptions.length);
    let before = 0;
    for (const { advisory, mark } of entry.exceptions) {
      writer.number(advisory - before);
      writer.number(headOf(mark));
      writer.due(mark);
      before = advisory;
    }
  }
  const bytes = writer.written();
  return { digest: createHash('sha256').update(bytes).digest().subarray(0, 16), size, bytes };
}

function headOf({ state, waived, dueMinute }: FindingMark): number {
  const place = state === null ? noState : (places[state] ?? noState);
  return place | (waived ? waivedBit : 0) | (dueMinute === null ? 0 : hasDue);
}

class Writer {
  private bytes: Buffer;
  private length = 0;
  private minute = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size + 16);
  }

  number(value: number): void {
    if (this.length + 8 > this.bytes.length) this.bytes = Buffer.concat([this.bytes], 2 * this.bytes.length);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  due({ dueMinute }: FindingMark): void {
    if (dueMinute === null) return;
    const difference = dueMinute - this.minute;
    this.minute = dueMinute;
    this.number(difference < 0 ? -2 * difference - 1 : 2 * difference);
  }

  written(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }
}

/** Takes the parts of a finding list, without an object for each. */
export interface FindingReader {
  /**
   * A version with its mark. `place` is the place of the state in `fixStates`, or above all of them without a state;
   * `dueMinute` is NaN without one.
   */
  version(id: PackageVersionId, place: number, waived: boolean, dueMinute: number): void;
  /** An exception of the version before. */
  exception(advisory: AdvisoryKey, place: number, waived: boolean, dueMinute: number): void;
}

/** Reads an encoded list: each version, and after it its exceptions. Accepts only the output of encodeFindingList. */
export function readFindingList(bytes: Uint8Array, reader: FindingReader): void {
  let at = 0;
  let minute = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const due = (head: number): number => {
    if ((head & hasDue) === 0) return Number.NaN;
    const difference = number();
    minute += (difference & 1) === 1 ? -((difference + 1) / 2) : difference / 2;
    return minute;
  };
  let id = 0;
  while (at < bytes.length) {
    id += number();
    const head = number();
    // The encoded values are ids.
    reader.version(id as PackageVersionId, head & stateBits, (head & waivedBit) !== 0, due(head));
    if ((head & hasExceptions) === 0) continue;
    let advisory = 0;
    for (let left = number(); left > 0; left -= 1) {
      advisory += number();
      const mark = number();
      const isWaived = (mark & waivedBit) !== 0;
      reader.exception(advisory as AdvisoryKey, mark & stateBits, isWaived, due(mark));
    }
  }
}

/** The entries of an encoded list, ascending. */
export function decodeFindingList(bytes: Uint8Array): readonly FindingEntry[] {
  const entries: { versionId: PackageVersionId; mark: FindingMark; exceptions: Exception[] }[] = [];
  readFindingList(bytes, {
    version: (versionId, ...mark) => entries.push({ versionId, mark: markFrom(...mark), exceptions: [] }),
    exception: (advisory, ...mark) => entries.at(-1)?.exceptions.push({ advisory, mark: markFrom(...mark) }),
  });
  return entries;
}

type Exception = FindingEntry['exceptions'][number];

function markFrom(place: number, waived: boolean, dueMinute: number): FindingMark {
  const state: FixState | null = fixStates[place] ?? null;
  return { state, waived, dueMinute: Number.isNaN(dueMinute) ? null : dueMinute };
}
