import fc from 'fast-check';

/** Any JSON of words and field names that a reader expects, in other places. */
export function hostileTrees(words: readonly string[], fields: readonly string[]): fc.Arbitrary<unknown> {
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.constantFrom(...words),
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...fields), tie('tree'), { maxKeys: 6 }),
    ),
  }));
  return tree;
}

/** Any value, including such trees. */
export function hostileValues(trees: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(fc.jsonValue(), trees, fc.anything());
}

/** Records with one part, or the whole record, replaced by a tree. */
export function brokenRecords(
  records: readonly unknown[],
  trees: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const places = records.flatMap((record) => pathsOf(record, []).map((path) => ({ record, path })));
  return fc
    .tuple(fc.constantFrom(...places), trees)
    .map(([{ record, path }, value]) => replaced(record, path, value));
}

function pathsOf(value: unknown, prefix: readonly string[]): string[][] {
  if (typeof value !== 'object' || value === null) return [[...prefix]];
  return [[...prefix], ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...prefix, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>; // An object or array: the path leads into it.
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}
