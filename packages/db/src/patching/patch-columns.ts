import { matchCauses } from '@plimsoll/model';
import type { EndCause } from './host-walk.ts';
import { CountReader } from './patch-counts.ts';
import type { PatchTimes } from './patch-times.ts';
import { endedWords, fits, hourMs, openWords, rowWords, timedWords, writeEntry } from './patch-words.ts';

/** A period, and what of a host counts in it. */
export interface HostPeriod {
  /** In milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly isSilent: boolean;
}

/** Why exposures ended: the code of a row is the place of its cause. */
export const endCauses: readonly EndCause[] = ['patched', 'continued', ...matchCauses];
/**
 * The causes of rows by their codes: the last two end no exposure, but a time in which it was waived, or in which whether it
 * has a fix was known otherwise than it is last.
 */
export const rowCauses = [...endCauses, 'waived', 'restated'] as const;
const waivedCode = endCauses.length;
const restatedCode = waivedCode + 1;
/** The code of a row with the exposures that are open. */
export const openCode = 127;
/** In memory, added to the code of a row: its exposures continue others. */
const continuingCode = 128;
/** Of a row: eight bytes for its time (milliseconds since 1970), one for its code, four for the length of its counts. */
const headBytes = 13;

/** A row of a host as it is stored. */
interface StoredRow {
  readonly bytes: Buffer;
  /** Its time. */
  readonly end: number;
  readonly code: number;
  /** The bytes of its counts. */
  readonly first: number;
  readonly last: number;
  /** Which of its exposures to write: those that continue others, or those that do not. */
  readonly isContinuing: boolean;
}

const chunkWords = 2 ** 18;
/** Words of hosts that were stored again, in proportion to those in use, before memory is given back. */
const mostGarbage = 0.5;

interface Place {
  readonly chunk: number;
  readonly first: number;
  readonly last: number;
}

/**
 * The counted exposures of many hosts as 32-bit words: to sum them up takes a third of the time that reading
 * variable-length numbers takes, in as much memory. What does not fit is kept as it is stored.
 */
export class PatchColumns {
  private chunks: Uint32Array[] = [];
  /** Words in use of the last chunk. */
  private end = chunkWords;
  private places = new Map<string, Place>();
  private words = 0;
  private garbage = 0;
  /** Rows with numbers that are too large for the words above: exposures of more than seven years, and the like. */
  private readonly odd = new Map<string, Buffer>();
  private readonly reader = new CountReader();
  private buffer = new Uint32Array(1_024);

  /** Stores the rows of a host in place of those before. @param rows as selected by PatchMemory */
  set(hostId: string, rows: Buffer): void {
    this.drop(hostId);
    const length = this.encode(rows);
    if (length === null) {
      // A copy, because the rows of several hosts can share memory.
      this.odd.set(hostId, Buffer.from(rows));
      return;
    }
    const place = this.reserve(length);
    this.chunks[place.chunk]?.set(this.buffer.subarray(0, length), place.first);
    this.places.set(hostId, place);
    this.words += length;
    if (this.garbage > chunkWords + mostGarbage * this.words) this.compact();
  }

  /** The size of all words, in use or not. */
  get bytes(): number {
    return this.chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Adds the exposures of a host to sums. Nothing if it is not stored. */
  addTo(times: PatchTimes, hostId: string, period: HostPeriod): void {
    const place = this.places.get(hostId);
    if (place !== undefined) this.addWords(times, place, period);
    const rows = this.odd.get(hostId);
    if (rows !== undefined) addRows(times, rows, period);
  }

  private addWords(times: PatchTimes, place: Place, { from, to, isSilent }: HostPeriod): void {
    const words = this.chunks[place.chunk];
    if (words === undefined) return;
    for (let at = place.first; at < place.last; ) {
      const head = words[at] ?? 0;
      const hour = words[at + 1] ?? 0;
      const rest = words[at + 2] ?? 0;
      const code = head & (continuingCode - 1);
      const isContinuing = (head & continuingCode) !== 0;
      const width = (code === openCode ? openWords : endedWords) + (isContinuing ? timedWords : 0);
      const first = at + rowWords;
      at = first + (head >>> 8) * width;
      const end = hour * hourMs + rest;
      if (code !== openCode && end < from) continue;
      const row = { words, first, last: at, width, isContinuing };
      if (code === waivedCode) {
        if (end > to) times.addWaivedWords(row, isSilent);
      } else if (code === restatedCode) {
        if (end > to) times.addRestatedWords(row, isSilent);
      } else if (code === openCode || end >= to) times.addOpenWords(row, isSilent);
      else times.addEndedWords(row, endCauses[code] ?? 'patched', Math.floor(hour / 24));
    }
  }

  /** Writes rows as words to `buffer` and returns their number; null: a number is too large. */
  private encode(rows: Buffer): number | null {
    let length = 0;
    for (let at = 0; at < rows.length; ) {
      const row = {
        bytes: rows,
        end: endOf(rows, at),
        code: rows[at + 8] ?? openCode,
        first: at + headBytes,
      };
      at = row.first + rows.readUInt32BE(at + 9);
      const single = this.encodeRow({ ...row, last: at, isContinuing: false }, length);
      if (single === null) return null;
      length = single.length;
      if (single.left === 0) continue;
      const continuing = this.encodeRow({ ...row, last: at, isContinuing: true }, length);
      if (continuing === null) return null;
      length = continuing.length;
    }
    return length;
  }

  /** Writes the entries of a row that continue others, or those that do not, behind `start` words; null: a number is too large. */
  private encodeRow(
    { bytes, end, code, first, last, isContinuing }: StoredRow,
    start: number,
  ): { readonly length: number; readonly left: number } | null {
    const one = this.reader.read(bytes, first, last);
    let length = start + rowWords;
    let entries = 0;
    let left = 0;
    while (one.next()) {
      if (one.timedFrom < one.from !== isContinuing) {
        left += 1;
        continue;
      }
      if (!fits(one)) return null;
      this.grow(length + endedWords + timedWords);
      length = writeEntry(this.buffer, length, one, code === openCode);
      entries += 1;
    }
    if (entries >= 2 ** 24) return null;
    this.grow(length);
    this.buffer[start] = entries * 256 + code + (isContinuing ? continuingCode : 0);
    this.buffer[start + 1] = Math.floor(end / hourMs);
    this.buffer[start + 2] = end % hourMs;
    return { length, left };
  }

  private grow(words: number): void {
    if (words <= this.buffer.length) return;
    const larger = new Uint32Array(words * 2);
    larger.set(this.buffer);
    this.buffer = larger;
  }

  private drop(hostId: string): void {
    this.odd.delete(hostId);
    const before = this.places.get(hostId);
    if (before === undefined) return;
    this.places.delete(hostId);
    this.words -= before.last - before.first;
    this.garbage += before.last - before.first;
  }

  private reserve(length: number): Place {
    if (this.end + length > (this.chunks.at(-1)?.length ?? 0)) {
      this.chunks.push(new Uint32Array(Math.max(chunkWords, length)));
      this.end = 0;
    }
    const place = { chunk: this.chunks.length - 1, first: this.end, last: this.end + length };
    this.end = place.last;
    return place;
  }

  /** Copies what is in use into new chunks. */
  private compact(): void {
    const { chunks, places } = this;
    this.chunks = [];
    this.end = chunkWords;
    this.places = new Map();
    this.garbage = 0;
    for (const [hostId, { chunk, first, last }] of places) {
      const place = this.reserve(last - first);
      const words = chunks[chunk]?.subarray(first, last);
      if (words !== undefined) this.chunks[place.chunk]?.set(words, place.first);
      this.places.set(hostId, place);
    }
  }
}

function endOf(rows: Buffer, at: number): number {
  return rows.readUInt32BE(at) * 2 ** 32 + rows.readUInt32BE(at + 4);
}

/** The same from rows as they are stored. */
function addRows(times: PatchTimes, rows: Buffer, { from, to, isSilent }: HostPeriod): void {
  for (let at = 0; at < rows.length; ) {
    const end = endOf(rows, at);
    const code = rows[at + 8] ?? openCode;
    const first = at + headBytes;
    at = first + rows.readUInt32BE(at + 9);
    if (code !== openCode && end < from) continue;
    if (code === waivedCode) {
      if (end > to) times.addWaived(rows, isSilent, first, at);
    } else if (code === restatedCode) {
      if (end > to) times.addRestated(rows, isSilent, first, at);
    } else if (code === openCode || end >= to) times.addOpen(rows, isSilent, first, at);
    else times.addEnded(rows, endCauses[code] ?? 'patched', end, first, at);
  }
}
