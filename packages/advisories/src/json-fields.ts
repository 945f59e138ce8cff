import { isJsonObject, type JsonObject } from '@plimsoll/model';
import type { RecordIssues } from './record-issues.ts';

/** Returns the value as an object; null for every other type. */
export function objectOf(value: unknown): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

/** Returns the value as a list; empty for every other type. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A field's value; undefined if the object does not have it as its own property. */
export function fieldOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** An object in a record with its position (RFC 6901). */
export interface LocatedObject {
  readonly entry: JsonObject;
  readonly pointer: string;
}

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)$/;

/** Reads fields of untrusted JSON: a field of a wrong type or over its limit is an issue and reads as missing. */
export class JsonFieldReader {
  private readonly issues: RecordIssues;

  constructor(issues: RecordIssues) {
    this.issues = issues;
  }

  /** The text of a field, at most `maxCharacters`; null if missing. */
  text(object: JsonObject, key: string, maxCharacters: number, pointer: string): string | null {
    const value = fieldOf(object, key);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') this.issues.add(`${pointer}/${key}`, 'wrong_type');
    else if (value.length > maxCharacters) this.issues.add(`${pointer}/${key}`, 'too_long');
    else return value;
    return null;
  }

  /** The first `maxEntries` entries of a list; empty if missing. */
  list(object: JsonObject, key: string, maxEntries: number, pointer: string): readonly unknown[] {
    const value = fieldOf(object, key);
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      this.issues.add(`${pointer}/${key}`, 'wrong_type');
      return [];
    }
    if (value.length <= maxEntries) return value;
    this.issues.add(`${pointer}/${key}`, 'too_many');
    return value.slice(0, maxEntries);
  }

  /** The objects of a list, each with its pointer; other entries are issues. */
  objects(object: JsonObject, key: string, maxEntries: number, pointer: string): readonly LocatedObject[] {
    const located: LocatedObject[] = [];
    for (const [index, value] of this.list(object, key, maxEntries, pointer).entries()) {
      const entry = objectOf(value);
      const at = `${pointer}/${key}/${index}`;
      if (entry === null) this.issues.add(at, 'wrong_type');
      else located.push({ entry, pointer: at });
    }
    return located;
  }

  /** A field's object; empty if missing. */
  object(object: JsonObject, key: string, pointer: string): JsonObject {
    const value = fieldOf(object, key);
    if (value === undefined || value === null) return {};
    const read = objectOf(value);
    if (read === null) this.issues.add(`${pointer}/${key}`, 'wrong_type');
    return read ?? {};
  }

  /** An RFC 3339 time in UTC; null if missing or invalid. */
  time(object: JsonObject, key: string): Date | null {
    const text = this.text(object, key, 40, '');
    if (text === null) return null;
    const time = utcTime.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(time)) return new Date(time);
    this.issues.add(`/${key}`, 'invalid_time');
    return null;
  }
}
