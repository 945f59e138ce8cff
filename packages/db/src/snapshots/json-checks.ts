/** Tells whether a value read from JSON has a type. */
export type Check<T> = (value: unknown) => value is T;

/** A check of every field of an object; fields without a check are allowed, because other versions may write more. */
export function objectOf<T extends object>(fields: { readonly [K in keyof T]-?: Check<T[K]> }): Check<T> {
  const names = Object.keys(fields);
  const checks = Object.values<Check<unknown>>(fields);
  return (value): value is T => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const object = value as Readonly<Record<string, unknown>>; // Checked.
    // A loop over two arrays: every host that is counted comes by here.
    for (let n = 0; n < names.length; n++) if (!checks[n]?.(object[names[n] ?? ''])) return false;
    return true;
  };
}

/** A check of every entry of a list. */
export function listOf<T>(entry: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(entry);
}

/** A check that allows what either of two checks allows. */
export function either<A, B>(one: Check<A>, other: Check<B>): Check<A | B> {
  return (value): value is A | B => one(value) || other(value);
}

/** A check that allows null as well. */
export function nullOr<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** A check that allows a missing field as well. */
export function missingOr<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

/** A check for one of some words. */
export function wordOf<W extends string>(words: readonly W[]): Check<W> {
  const known: ReadonlySet<unknown> = new Set(words);
  return (value): value is W => known.has(value);
}

export const isText: Check<string> = (value) => typeof value === 'string';

export const isFlag: Check<boolean> = (value) => typeof value === 'boolean';
