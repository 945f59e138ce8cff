import { compareText } from '@plimsoll/model';
import { textLimits } from '../limits.ts';
import { cutText } from './cut-text.ts';
import { sortDistinct } from './order.ts';
import type { Problems } from './problems.ts';
import { dateOf, type WireTimestamp } from './timestamp.ts';

const controls = /\p{Cc}/gu;
const space = /\s/;

/**
 * Turns single fields of one decoded message into model values, and says what is wrong with them and where.
 *
 * What tells packages apart (names, versions) is taken to the letter or refused: PostgreSQL's text holds no U+0000, and
 * a name changed in any way would match no advisory and so look safe. What people read is cleaned instead: each
 * control character becomes a space, the ends are trimmed, what is too long is cut.
 */
export class FieldReader {
  private readonly problems: Problems;
  private list = '';
  private index = -1;

  constructor(problems: Problems) {
    this.problems = problems;
  }

  /** Says where the fields read from now on stand: `/platform`, or one entry of a list. Returns itself. */
  at(list: string, index = -1): this {
    this.list = list;
    this.index = index;
    return this;
  }

  /** A name; an error if it is empty and required, too long, or holds white space or control characters. */
  name(field: string, value: string, presence: 'required' | 'optional'): string {
    if (value === '' && presence === 'required') this.error(field, 'is empty');
    if (value.length > textLimits.name) this.error(field, `is longer than ${textLimits.name} characters`);
    else if (space.test(value) || hasControl(value))
      this.error(field, 'holds white space or control characters');
    return value;
  }

  /** A version; an error if it is empty and required, too long, or holds control characters. Its syntax is not judged. */
  version(field: string, value: string, presence: 'required' | 'optional'): string {
    if (value === '' && presence === 'required') this.error(field, 'is empty');
    if (value.length > textLimits.version)
      this.error(field, `is longer than ${textLimits.version} characters`);
    else if (hasControl(value)) this.error(field, 'holds control characters');
    return value;
  }

  /** Text for people, cleaned; a warning if it was cut. */
  text(field: string, value: string, maxLength: number = textLimits.text): string {
    if (value === '') return value;
    const clean = (hasControl(value) ? value.replace(controls, ' ') : value).trim();
    if (clean.length <= maxLength) return clean;
    this.warn(field, `cut to ${maxLength} characters`);
    return cutText(clean, maxLength);
  }

  /** A set of texts, cleaned, without empty and repeated ones, sorted. */
  textSet(field: string, values: readonly string[]): readonly string[] {
    if (values.length === 0) return [];
    const clean = values.map((value) => this.text(field, value)).filter((value) => value !== '');
    return sortDistinct(clean, compareText);
  }

  /** A moment; null, with a warning, if no calendar has it. */
  time(field: string, value: WireTimestamp | undefined): Date | null {
    if (value === undefined) return null;
    const date = dateOf(value);
    if (date === null) this.warn(field, 'is no time between the years 1 and 9999; left out');
    return date;
  }

  /** Notes an error of one field of the current place. */
  error(field: string, detail: string): void {
    this.problems.error(this.pointer(field), detail);
  }

  /** Notes a warning on one field of the current place, or on the place itself where `field` is empty. */
  warn(field: string, detail: string): void {
    this.problems.warn(this.pointer(field), detail);
  }

  private pointer(field: string): string {
    const place = this.index < 0 ? this.list : `${this.list}/${this.index}`;
    return field === '' ? place : `${place}/${field}`;
  }
}

/** Whether a character of Unicode's category Cc is in it: a loop, as this runs over every field of every package. */
function hasControl(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || (code > 0x7e && code < 0xa0)) return true;
  }
  return false;
}
