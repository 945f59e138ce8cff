import yauzl from 'yauzl';

/** The files of an evidence pack, by name. */
export async function readArchive(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const archive = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk);
    files.set(entry.fileName, Buffer.concat(chunks));
  }
  return files;
}
