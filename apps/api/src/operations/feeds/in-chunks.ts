/** The same bytes in pieces of one size, the last may be smaller; no pieces for no bytes. */
export async function* inChunks(pieces: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes < size) continue;
    const all = Buffer.concat(held);
    let start = 0;
    for (; heldBytes - start >= size; start += size) yield all.subarray(start, start + size);
    held = [all.subarray(start)];
    heldBytes -= start;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
