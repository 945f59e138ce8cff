import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

/** A file of an archive. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** A zip archive of texts. `isLarge`: in the form of archives beyond 4 GiB, ZIP64. */
export async function zipOf(files: readonly TextFile[], { isLarge = false } = {}): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  const options = { mtime: new Date('2026-11-23T09:00:00Z'), forceZip64Format: isLarge };
  for (const { name, text } of files) archive.addBuffer(Buffer.from(text), name, options);
  archive.end({ forceZip64Format: isLarge, comment: '' });
  return buffer(archive.outputStream);
}
