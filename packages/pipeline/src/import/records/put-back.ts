/** What was read of a stream already, followed by the rest of it. Whoever stops reading ends the stream, too. */
export async function* putBack(read: Iterable<Buffer>, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* read;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
