import { compareText, type FieldError } from '@plimsoll/model';
import { maxProblems, textLimits } from '../limits.ts';
import type { SnapshotFields } from './snapshot-fields.ts';

/** Collects a snapshot's faults (`errors`) and corrections (`warnings`), each in the order found. */
export class Problems {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];
  /** The number of faults for which an entry is left out. */
  leftOut = 0;
  /** The number of faults and corrections, also of those beyond `maxProblems`. */
  count = 0;
  /** The lists of which entries were left out, each with the first one. */
  readonly incomplete = new Map<string, FieldError>();
  private readonly leavesOut: boolean;

  /** @param leavesOut whether an entry of a list that breaks a rule is left out, instead of refusing the whole. */
  constructor(leavesOut = false) {
    this.leavesOut = leavesOut;
  }

  /** Records a violation, up to `maxProblems`. */
  error(pointer: string, detail: string): void {
    const list = this.leavesOut ? /^(\/[a-z_]+)\/\d+/.exec(pointer)?.[1] : undefined;
    if (list !== undefined) {
      if (!this.incomplete.has(list)) this.incomplete.set(list, { pointer, detail });
      this.leftOut += 1;
      this.warn(pointer, `${detail}; left out`);
      return;
    }
    this.count += 1;
    if (this.errors.length < maxProblems) this.errors.push({ pointer, detail });
  }

  /** Records a correction, up to `maxProblems`. */
  warn(pointer: string, detail: string): void {
    this.count += 1;
    if (this.warnings.length < maxProblems) this.warnings.push({ pointer, detail });
  }
}

const controls = /\p{Cc}/gu;
const space = /\s/;

/**
 * Converts single fields of a decoded message to model values, and records faults with their locations.
 *
 * Identifying text (names, versions) is kept exactly or refused: PostgreSQL's text cannot contain U+0000, and a
 * changed name would match no advisory and so look safe. Text for people is cleaned: control characters become spaces,
 * the ends are trimmed, long text is cut.
 */
export class FieldReader {
  private readonly problems: Problems;
  private list = '';
  private index = -1;

  constructor(problems: Problems) {
    this.problems = problems;
  }

  /** The number of faults and corrections recorded so far, for all fields. */
  get faults(): number {
    return this.problems.count;
  }

  /** What `read` makes of an entry; null if it has a fault for which it is left out. */
  entry<T>(read: () => T): T | null {
    const before = this.problems.leftOut;
    const value = read();
    return this.problems.leftOut === before ? value : null;
  }

  /** Sets the location of the fields read next: `/platform`, or one entry of a list. Returns itself. */
  at(list: string, index = -1): this {
    this.list = list;
    this.index = index;
    return this;
  }

  /** A name; an error if it is required but empty, too long, or contains white space or control characters. */
  name(field: string, value: string, presence: 'required' | 'optional'): string {
    if (value === '' && presence === 'required') this.error(field, 'is empty');
    if (value.length > textLimits.name) this.error(field, `is longer than ${textLimits.name} characters`);
    else if (space.test(value) || hasControl(value))
      this.error(field, 'contains white space or control characters');
    return value;
  }

  /**
   * A version; an error if it is required but empty, too long, or contains control characters. Its syntax is not
   * checked.
   */
  version(field: string, value: string, presence: 'required' | 'optional'): string {
    if (value === '' && presence === 'required') this.error(field, 'is empty');
    if (value.length > textLimits.version)
      this.error(field, `is longer than ${textLimits.version} characters`);
    else if (hasControl(value)) this.error(field, 'contains control characters');
    return value;
  }

  /** Cleaned text for people; a warning if it was cut. */
  text(field: string, value: string, maxLength: number = textLimits.text): string {
    if (value === '') return value;
    const clean = (hasControl(value) ? value.replace(controls, ' ') : value).trim();
    if (clean.length <= maxLength) return clean;
    this.warn(field, `cut to ${maxLength} characters`);
    return cutText(clean, maxLength);
  }

  /** Cleaned, distinct, non-empty texts, sorted. */
  textSet(field: string, values: readonly string[]): readonly string[] {
    if (values.length === 0) return [];
    const clean = values.map((value) => this.text(field, value)).filter((value) => value !== '');
    return sortDistinct(clean, compareText);
  }

  /** A time; null, with a warning, if it is out of range. */
  time(field: string, value: WireTimestamp | undefined): Date | null {
    if (value === undefined) return null;
    const date = dateOf(value);
    if (date === null) this.warn(field, 'is no time between the years 1 and 9999; left out');
    return date;
  }

  /** Records an error of one field at the current location. */
  error(field: string, detail: string): void {
    this.problems.error(this.pointer(field), detail);
  }

  /** Records a warning on one field at the current location, or on the location itself if `field` is empty. */
  warn(field: string, detail: string): void {
    this.problems.warn(this.pointer(field), detail);
  }

  private pointer(field: string): string {
    const place = this.index < 0 ? this.list : `${this.list}/${this.index}`;
    return field === '' ? place : `${place}/${field}`;
  }
}

/**
 * Whether a text contains a character of Unicode's category Cc. A loop, because it runs for every field of every
 * package.
 */
function hasControl(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || (code > 0x7e && code < 0xa0)) return true;
  }
  return false;
}

/** google.protobuf.Timestamp, as the generated messages hold it. */
export type WireTimestamp = NonNullable<SnapshotFields['collectedAt']>;

const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;

/**
 * The time in milliseconds, rounded down; null outside the range of google.protobuf.Timestamp and ISO 8601 (years 1 to
 * 9999, nanoseconds 0 to 999,999,999).
 */
export function dateOf(timestamp: WireTimestamp): Date | null {
  const { seconds, nanos } = timestamp;
  if (seconds < firstSecond || seconds > lastSecond || nanos < 0 || nanos > 999_999_999) return null;
  return new Date(Number(seconds) * 1000 + Math.floor(nanos / 1_000_000));
}

/** The inverse of `dateOf`. Requires a valid date. */
export function timestampOf(date: Date): { seconds: bigint; nanos: number } {
  const milliseconds = date.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}

/** Orders by the given keys; the first difference decides. */
export function byKeys<T>(...keys: readonly ((item: T) => string)[]): (a: T, b: T) => number {
  return (a, b) => {
    for (const key of keys) {
      const order = compareText(key(a), key(b));
      if (order !== 0) return order;
    }
    return 0;
  };
}

/**
 * Sorts, and keeps the first of entries that `same` (default: the order itself) calls equal; `same` may only merge
 * entries that the order makes adjacent.
 */
export function sortDistinct<T>(
  items: readonly T[],
  order: (a: T, b: T) => number,
  same: ((a: T, b: T) => boolean) | null = null,
): T[] {
  // Most hosts send their lists in this order.
  return distinctOf(items, order, same) ?? distinctOf(items.toSorted(order), order, same) ?? [];
}

/** The first of equal entries; null if the entries are not in order. */
function distinctOf<T>(
  items: readonly T[],
  order: (a: T, b: T) => number,
  same: ((a: T, b: T) => boolean) | null,
): T[] | null {
  const distinct: T[] = [];
  let last: T | undefined;
  let previous: T | undefined;
  for (const item of items) {
    const step = previous === undefined ? -1 : order(previous, item);
    if (step > 0) return null;
    const isSame = same === null ? step === 0 : last !== undefined && same(last, item);
    previous = item;
    if (isSame) continue;
    distinct.push(item);
    last = item;
  }
  return distinct;
}

/**
 * Cuts a text to `maxLength` UTF-16 code units, without white space at the cut. Never splits a surrogate pair, because
 * half of one is not UTF-8.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength).trimEnd();
}
