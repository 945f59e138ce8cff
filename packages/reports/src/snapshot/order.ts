import { compareText } from '@plimsoll/model';

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
  same: (a: T, b: T) => boolean = (a, b) => order(a, b) === 0,
): T[] {
  const distinct: T[] = [];
  let last: T | undefined;
  for (const item of items.toSorted(order)) {
    if (last !== undefined && same(last, item)) continue;
    distinct.push(item);
    last = item;
  }
  return distinct;
}
