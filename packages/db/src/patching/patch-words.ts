import type { CountReader } from './patch-counts.ts';

/**
 * Counted exposures as 32-bit words. A row is three words and its entries: the number of entries and the code of the row;
 * the hour of its end since 1970; the milliseconds after that hour. An entry of open exposures has the first two of these
 * words, one of ended ones and of time spans the first five. An entry of a row of continuing exposures has two more words
 * behind these: the hour since 1970 from which on its time counts, and the milliseconds after that hour.
 *
 * | word | bits, the highest first |
 * |---|---|
 * | 0 | 27 milliseconds of the start after its hour, 1 unused, 1 has a fix, 3 severity |
 * | 1 | 20 hour of the start since 1970, 12 count |
 * | 2 | 16 hours, 16 stage `running` |
 * | 3 | 16 stage `offered`, 16 stage `installed` |
 * | 4 | stage `known` |
 *
 * Stages are stored plus one; 0: null.
 */
export interface PatchRow {
  readonly words: Uint32Array;
  /** The places of its entries, from the first one to behind the last one. */
  readonly first: number;
  readonly last: number;
  /** Words of an entry. */
  readonly width: number;
  /** Whether its exposures continue others. */
  readonly isContinuing: boolean;
}

export const rowWords = 3;
export const openWords = 2;
export const endedWords = 5;
/** Words behind those of an entry that continues others. */
export const timedWords = 2;
export const hourMs = 3_600_000;

const hoursFit = 2 ** 20;
const countsFit = 2 ** 12;
const halfWord = 2 ** 16;

/** Whether an entry fits into words. Only exposures of more than seven years, or of thousands of packages, do not. */
export function fits({ count, from, hours, stages }: CountReader): boolean {
  const [known = -1, ...others] = stages;
  return (
    count < countsFit &&
    from < hoursFit * hourMs &&
    hours < halfWord &&
    known < 2 ** 32 - 1 &&
    others.every((stage) => stage < halfWord - 1)
  );
}

/** Writes an entry at a place, and returns the place behind it. */
export function writeEntry(words: Uint32Array, at: number, one: CountReader, isOpen: boolean): number {
  const hour = Math.floor(one.from / hourMs);
  const said = one.severity + (one.hasFix ? 8 : 0);
  words[at] = (one.from - hour * hourMs) * 32 + said;
  words[at + 1] = hour * countsFit + one.count;
  if (isOpen) return writeTimed(words, at + openWords, one);
  const [known = -1, offered = -1, installed = -1, running = -1] = one.stages;
  words[at + 2] = one.hours * halfWord + running + 1;
  words[at + 3] = (offered + 1) * halfWord + installed + 1;
  words[at + 4] = known + 1;
  return writeTimed(words, at + endedWords, one);
}

function writeTimed(words: Uint32Array, at: number, { from, timedFrom }: CountReader): number {
  if (timedFrom === from) return at;
  const hour = Math.floor(timedFrom / hourMs);
  words[at] = hour;
  words[at + 1] = timedFrom - hour * hourMs;
  return at + timedWords;
}
