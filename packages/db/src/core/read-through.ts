/**
 * Values by key: those that are kept, and those that `load` finds for the other keys, which are kept from then on. `load` is called
 * only if there are other keys; a key that it leaves out has no entry.
 */
export async function readThrough<Key, Value>(
  kept: { get(key: Key): NoInfer<Value> | undefined; set(key: Key, value: NoInfer<Value>): unknown },
  keys: Iterable<Key>,
  load: (missing: readonly Key[]) => Promise<Iterable<readonly [Key, Value]>>,
): Promise<ReadonlyMap<Key, Value>> {
  // Storing what is missing can drop what was found.
  const found = new Map<Key, Value>();
  const missing = new Set<Key>();
  for (const key of keys) {
    const value = kept.get(key);
    if (value === undefined) missing.add(key);
    else found.set(key, value);
  }
  for (const [key, value] of missing.size === 0 ? [] : await load([...missing])) {
    found.set(key, value);
    kept.set(key, value);
  }
  return found;
}
