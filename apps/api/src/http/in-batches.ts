/** Rows made at a time, before other requests have their turn. */
const batchRows = 200;

/** Makes the rows of an answer a few at a time, as its client takes them. */
export async function* inBatches<From, To>(
  items: readonly From[],
  rowOf: (item: From) => To,
): AsyncIterable<readonly To[]> {
  for (let n = 0; n < items.length; n += batchRows) yield items.slice(n, n + batchRows).map(rowOf);
}
