/** Rows made before other requests run. */
const batchRows = 200;

/** Makes the rows of an answer in batches, as its client reads them. */
export async function* inBatches<From, To>(
  items: readonly From[],
  rowOf: (item: From) => To,
): AsyncIterable<readonly To[]> {
  for (let n = 0; n < items.length; n += batchRows) yield items.slice(n, n + batchRows).map(rowOf);
}
