/** Compares by UTF-16 code units, for `sort`: the order does not depend on the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Items by key: keys in order of their first item, items in their order. Takes linear time. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
