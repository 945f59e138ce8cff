import { checkManifest } from '@plimsoll/secrets';
import yauzl from 'yauzl';

/** A pack of evidence whose manifest is signed. */
export async function readPack(answer: Response) {
  const files = await readArchive(Buffer.from(await answer.arrayBuffer()));
  const of = (name: string) => files.get(name) ?? Buffer.alloc(0);
  const checked = checkManifest(of('manifest.json'), of('manifest.sig'));
  if (checked.kind !== 'signed') throw new Error(checked.kind);
  const textOf = (name: string) => of(name).toString();
  return { ...checked, files, textOf, jsonOf: (name: string) => JSON.parse(textOf(name)) };
}

/** The files of an evidence pack, by name. */
async function readArchive(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const archive = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk);
    files.set(entry.fileName, Buffer.concat(chunks));
  }
  return files;
}
