/**
 * The chunks of a stream that were already read, then the rest. Ending the iteration ends the stream, too.
 */
export async function* putBack(read: Iterable<Buffer>, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* read;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
