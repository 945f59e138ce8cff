/** Whether a value parsed from JSON has the type. */
export type Check<T> = (value: unknown) => value is T;

/** Checks every listed field of an object. Allows other fields, because other versions may write more. */
export function objectOf<T extends object>(fields: { readonly [K in keyof T]-?: Check<T[K]> }): Check<T> {
  const names = Object.keys(fields);
  const checks = Object.values<Check<unknown>>(fields);
  return (value): value is T => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const object = value as Readonly<Record<string, unknown>>; // Checked above.
    // A loop over two arrays for speed: counting calls this for every host.
    for (let n = 0; n < names.length; n++) if (!checks[n]?.(object[names[n] ?? ''])) return false;
    return true;
  };
}

/** Checks every entry of a list. */
export function listOf<T>(entry: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(entry);
}

/** Allows the values that either of two checks allows. */
export function either<A, B>(one: Check<A>, other: Check<B>): Check<A | B> {
  return (value): value is A | B => one(value) || other(value);
}

/** Allows null in addition. */
export function nullOr<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** Allows a missing field in addition. */
export function missingOr<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

/** Allows one of the given words. */
export function wordOf<W extends string>(words: readonly W[]): Check<W> {
  const known: ReadonlySet<unknown> = new Set(words);
  return (value): value is W => known.has(value);
}

export const isText: Check<string> = (value) => typeof value === 'string';

export const isFlag: Check<boolean> = (value) => typeof value === 'boolean';
