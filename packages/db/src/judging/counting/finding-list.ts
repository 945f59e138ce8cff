import { hash } from 'node:crypto';
import type { FindingEntry, FindingMark } from '@plimsoll/advisories';
import { type AdvisoryKey, type FixState, fixStates, type PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import type { IdRow } from '../../ingest/interned-rows.ts';

/** A host's finding list identified by its content: equal lists give equal bytes and an equal digest. */
export interface EncodedFindingList {
  /** First 16 bytes of SHA-256 over `bytes`. */
  readonly digest: Buffer;
  /** The number of package versions. */
  readonly size: number;
  /**
   * Ascending versions. Numbers are in groups of seven bits, lowest first. Of each version: its difference to the
   * previous one; the mark; if it has exceptions, their number, and of each the difference to the previous advisory and
   * its mark. A mark is the place of its state in `storedStates`, plus bits; with `hasDue`, the difference of
   * its minute to the previous one of the list, of which an odd number is negative. With `hasInstalled` follows the same of
   * the minute in which the host got the version: only if the due dates of single advisories depend on it.
   */
  readonly bytes: Buffer;
}

/** In the order of their numbers in stored lists, which never change; null: no state. */
const storedStates: readonly (FixState | null)[] = [
  'installable',
  'held',
  'phased',
  'pending_reboot',
  'needs_subscription',
  'not_in_repositories',
  'fix_published',
  'livepatched',
  'will_not_fix',
  'under_investigation',
  'no_fix',
  null,
  'unfinished',
];
const noState = storedStates.indexOf(null);
const stateBits = 0b1111;
const waivedBit = 1 << 4;
const hasDue = 1 << 5;
const hasExceptions = 1 << 6;
/** Only in the mark of a version. */
const hasInstalled = 1 << 7;

const places: Readonly<Record<string, number>> = Object.fromEntries(
  storedStates.flatMap((state, place) => (state === null ? [] : [[state, place]])),
);

/** By the number of a state: its place in `fixStates`, or above all of them. */
const placeOfNumber = storedStates.map((state) =>
  state === null ? fixStates.length : fixStates.indexOf(state),
);

function placeIn(mark: number): number {
  return placeOfNumber[mark & stateBits] ?? fixStates.length;
}

/** An entry as it is in every list, except for the difference to the version before and its due minute. */
export interface EncodedEntry {
  readonly versionId: PackageVersionId;
  /** Of a finding without a due minute, and of one with it. */
  readonly undated: EncodedMarks;
  readonly dated: EncodedMarks;
}

interface EncodedMarks {
  readonly head: number;
  /** What follows the due minute; null: nothing. */
  readonly exceptions: Buffer | null;
}

/** The head of a version without exceptions and due minute. */
function headOf({ state, waived }: FindingMark): number {
  const place = state === null ? noState : (places[state] ?? noState);
  return place | (waived ? waivedBit : 0);
}

/** Encodes an entry for any list. */
export function encodeEntry(entry: FindingEntry): EncodedEntry {
  return {
    versionId: entry.versionId,
    undated: encodeMarks(entry, false),
    dated: encodeMarks(entry, true),
  };
}

/** Nothing that is waived is due; everything else of an entry is due in the same minute. */
function encodeMarks({ mark, exceptions }: FindingEntry, isDated: boolean): EncodedMarks {
  const isDue = isDated && !mark.waived;
  const dueOf = ({ waived }: FindingMark): number => (isDue && !waived ? hasDue : 0);
  const head = headOf(mark) | dueOf(mark);
  if (exceptions.length === 0) return { head, exceptions: null };
  const writer = new Bytes(3 * exceptions.length);
  writer.number(exceptions.length);
  let before = 0;
  for (const { advisory, mark: own } of exceptions) {
    writer.number(advisory - before);
    writer.number(headOf(own) | dueOf(own));
    if (dueOf(own) !== 0) writer.number(0);
    before = advisory;
  }
  return { head: head | hasExceptions, exceptions: writer.written() };
}

/** Writes a finding list, in ascending order of versions. */
export class FindingListWriter {
  readonly #bytes: Bytes;
  #size = 0;
  #previous = 0;
  #minute = 0;
  #installedMinute = 0;

  /** @param size about how many versions follow. */
  constructor(size: number) {
    this.#bytes = new Bytes(4 * size);
  }

  /**
   * A version as encodeEntry returns it. Times are in milliseconds since 1970. `dueAt` is infinite: it is not due.
   * @param installedAt as installationIn returns it.
   */
  entry({ versionId, undated, dated }: EncodedEntry, dueAt: number, installedAt = 0): void {
    const { head, exceptions } = dueAt === Number.POSITIVE_INFINITY ? undated : dated;
    this.#head(versionId, head, installedAt);
    if ((head & hasDue) !== 0) this.#due(dueAt);
    this.#installed(installedAt);
    if (exceptions !== null) this.#bytes.all(exceptions);
  }

  written(): EncodedFindingList {
    const bytes = this.#bytes.written();
    return { digest: hash('sha256', bytes, 'buffer').subarray(0, 16), size: this.#size, bytes };
  }

  #head(id: PackageVersionId, head: number, installedAt: number): void {
    this.#bytes.number(id - this.#previous);
    this.#bytes.number(installedAt === 0 ? head : head | hasInstalled);
    this.#previous = id;
    this.#size += 1;
  }

  #due(dueAt: number): void {
    const minute = Math.ceil(dueAt / 60_000);
    this.#bytes.difference(minute - this.#minute);
    this.#minute = minute;
  }

  #installed(installedAt: number): void {
    if (installedAt === 0) return;
    const minute = Math.ceil(installedAt / 60_000);
    this.#bytes.difference(minute - this.#installedMinute);
    this.#installedMinute = minute;
  }
}

/** Bytes that grow. */
class Bytes {
  private bytes: Buffer;
  private length = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size + 16);
  }

  number(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  difference(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value);
  }

  all(more: Buffer): void {
    this.reserve(more.length);
    more.copy(this.bytes, this.length);
    this.length += more.length;
  }

  written(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed > this.bytes.length) this.bytes = Buffer.concat([this.bytes], 2 * needed);
  }
}

/** Takes the parts of a finding list, without an object for each. */
export interface FindingReader {
  /**
   * A version with its mark. `place` is the place of the state in `fixStates`, or above all of them without a state;
   * `dueMinute` is NaN without one. `installedMinute`, rounded up, is 0 unless due dates of its advisories depend on it.
   */
  version(
    id: PackageVersionId,
    place: number,
    waived: boolean,
    dueMinute: number,
    installedMinute: number,
  ): void;
  /** An exception of the version before. */
  exception(advisory: AdvisoryKey, place: number, waived: boolean, dueMinute: number): void;
}

/** Reads an encoded list: each version, and after it its exceptions. Accepts only the output of FindingListWriter. */
export function readFindingList(bytes: Uint8Array, reader: FindingReader): void {
  let at = 0;
  let minute = 0;
  let installedMinute = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const difference = (): number => {
    const value = number();
    return (value & 1) === 1 ? -((value + 1) / 2) : value / 2;
  };
  const due = (head: number): number => {
    if ((head & hasDue) === 0) return Number.NaN;
    minute += difference();
    return minute;
  };
  const installed = (head: number): number => {
    if ((head & hasInstalled) === 0) return 0;
    installedMinute += difference();
    return installedMinute;
  };
  let id = 0;
  while (at < bytes.length) {
    id += number();
    const head = number();
    // The encoded values are ids.
    const versionId = id as PackageVersionId;
    reader.version(versionId, placeIn(head), (head & waivedBit) !== 0, due(head), installed(head));
    if ((head & hasExceptions) === 0) continue;
    let advisory = 0;
    for (let left = number(); left > 0; left -= 1) {
      advisory += number();
      const mark = number();
      const isWaived = (mark & waivedBit) !== 0;
      reader.exception(advisory as AdvisoryKey, placeIn(mark), isWaived, due(mark));
    }
  }
}

/** A mark with the minute since 1970 in which what it is of is due; null: at no time. */
export interface ListedMark extends FindingMark {
  readonly dueMinute: number | null;
}

/** An entry of an encoded list. */
export interface ListedEntry {
  readonly versionId: PackageVersionId;
  readonly mark: ListedMark;
  /** When the host got the version; 0 unless due dates of its advisories depend on it. */
  readonly installedMinute: number;
  readonly exceptions: readonly { readonly advisory: AdvisoryKey; readonly mark: ListedMark }[];
}

/** The entries of an encoded list, ascending. */
export function decodeFindingList(bytes: Uint8Array): readonly ListedEntry[] {
  const entries: (Omit<ListedEntry, 'exceptions'> & { exceptions: ListedEntry['exceptions'][number][] })[] =
    [];
  readFindingList(bytes, {
    version: (versionId, place, waived, dueMinute, installedMinute) =>
      entries.push({
        versionId,
        mark: markFrom(place, waived, dueMinute),
        installedMinute,
        exceptions: [],
      }),
    exception: (advisory, ...mark) => entries.at(-1)?.exceptions.push({ advisory, mark: markFrom(...mark) }),
  });
  return entries;
}

function markFrom(place: number, waived: boolean, dueMinute: number): ListedMark {
  const state: FixState | null = fixStates[place] ?? null;
  return { state, waived, dueMinute: Number.isNaN(dueMinute) ? null : dueMinute };
}

/**
 * The ids of finding lists in the order of `lists`; stores those that are missing. The transaction must store the ids
 * in `host_state`, whose reference protects them from deletion. Lock order: hosts, then their states, then lists by
 * digest.
 */
export async function internFindingLists(
  tx: PgTransaction,
  lists: readonly EncodedFindingList[],
): Promise<readonly number[]> {
  const distinct = new Map(lists.map((list) => [keyOf(list), list]));
  const ids = new Map<string, number>();
  const find = async (): Promise<EncodedFindingList[]> => {
    const missing = [...distinct].filter(([key]) => !ids.has(key)).map(([, list]) => list);
    if (missing.length === 0) return [];
    const { rows } = await tx.query<IdRow>(
      'SELECT id, digest FROM finding_lists WHERE digest = ANY($1::bytea[]) AND NOT condemned',
      [missing.map(({ digest }) => digest)],
    );
    for (const row of rows) ids.set(keyOf(row), row.id);
    return missing.filter((list) => !ids.has(keyOf(list)));
  };
  const added = (await find()).sort((a, b) => a.digest.compare(b.digest));
  if (added.length > 0) {
    const { rows } = await tx.query<IdRow>(
      `INSERT INTO finding_lists (digest, n, entries) SELECT * FROM unnest($1::bytea[], $2::int[], $3::bytea[])
       ON CONFLICT (digest) DO UPDATE SET condemned = false WHERE finding_lists.condemned RETURNING id, digest`,
      [added.map(({ digest }) => digest), added.map(({ size }) => size), added.map(({ bytes }) => bytes)],
    );
    for (const row of rows) ids.set(keyOf(row), row.id);
    // Another transaction stored the others meanwhile.
    await find();
  }
  return lists.map((list) => {
    const id = ids.get(keyOf(list));
    if (id === undefined) throw new Error('a finding list was not stored');
    return id;
  });
}

function keyOf({ digest }: Pick<EncodedFindingList, 'digest'>): string {
  return digest.toString('latin1');
}
