import { pipeline, Readable } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { createGunzip } from 'node:zlib';
import type { BackedUpTable } from '@plimsoll/db';
import { StartError } from '../service/start-error.ts';
import {
  keyNames,
  type Manifest,
  manifestName,
  parseManifest,
  pieceName,
  settingsName,
  sumLine,
  sumsName,
} from './backup-format.ts';
import { readTar, type TarEntry } from './tar.ts';

/** A part of a backup. `rows`: lines in PostgreSQL's text format of COPY, to be read to their end before the next part. */
export type BackupPart =
  | { readonly kind: 'table'; readonly table: BackedUpTable; readonly rows: AsyncIterable<Buffer> }
  /** With keys, or the settings. */
  | { readonly kind: 'file'; readonly name: string; readonly bytes: Buffer };

/** A line is a row: a raw report of 32 MiB takes twice that. */
const longestLineBytes = 2 ** 28;
const damaged = 'The backup is damaged';

/**
 * Reads a backup once, from its beginning, holding a few MiB of it. `use` must read all parts, in their order, before it is
 * known that they are sound: `parts` throws StartError if a part is missing, too much or changed, by its checksum and the
 * number of its rows. At their end, all is known to be as it was written.
 */
export async function readBackup<T>(
  source: AsyncIterable<Buffer>,
  use: (manifest: Manifest, parts: AsyncIterable<BackupPart>) => Promise<T>,
): Promise<T> {
  const tar = readTar(source);
  const sums: string[] = [];
  const next = async (): Promise<TarEntry> => {
    const { value } = await tar.next();
    if (value === undefined) throw new StartError(`${damaged}: it has no ${sumsName}.`);
    if (value.name !== sumsName) sums.push(sumLine(value));
    return value;
  };
  try {
    let entry = await next();
    if (entry.name !== manifestName) throw new StartError('This is not a backup of "plimsoll backup".');
    const manifest = parseManifest(entry.bytes);
    entry = await next();
    async function* piecesOf(table: string): AsyncGenerator<Buffer> {
      for (let n = 1; entry.name === pieceName(table, n); n += 1) {
        yield entry.bytes;
        entry = await next();
      }
    }
    async function* parts(): AsyncGenerator<BackupPart> {
      for (const table of manifest.tables) {
        const gunzip = createGunzip({ chunkSize: 2 ** 18 });
        // What fails is thrown by `gunzip`.
        pipeline(Readable.from(piecesOf(table.name), { highWaterMark: 1 }), gunzip, () => undefined);
        yield { kind: 'table', table, rows: counted(gunzip, table) };
      }
      for (; isFile(entry.name); entry = await next()) yield { kind: 'file', ...entry };
      if (entry.name !== sumsName)
        throw new StartError(`${damaged}: it has a file ${JSON.stringify(entry.name)}.`);
      if (entry.bytes.toString('latin1') !== sums.join(''))
        throw new StartError(`${damaged}: its checksums are not those of its ${sumsName}.`);
    }
    return await use(manifest, parts());
  } finally {
    await tar.return();
  }
}

function isFile(name: string): boolean {
  return name === settingsName || keyNames.some((key) => key === name);
}

/** Passes rows on. Throws StartError unless there are as many as expected, also for what is not gzip. */
async function* counted(
  chunks: AsyncIterable<Buffer>,
  { name, rows }: BackedUpTable,
): AsyncGenerator<Buffer> {
  let lines = 0;
  let lineBytes = 0;
  try {
    for await (const chunk of chunks) {
      let begin = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, begin)) {
        lines += 1;
        lineBytes = 0;
        begin = end + 1;
      }
      lineBytes += chunk.length - begin;
      if (lines > rows || lineBytes > longestLineBytes) break;
      yield chunk;
    }
  } catch (cause) {
    if (!isNativeError(cause) || !('code' in cause && String(cause.code).startsWith('Z_'))) throw cause;
    throw new StartError(`${damaged} in its table ${name}: ${cause.message}.`, { cause });
  }
  if (lines === rows && lineBytes === 0) return;
  throw new StartError(`${damaged}: its table ${name} has not the ${rows} rows that its manifest says.`);
}
