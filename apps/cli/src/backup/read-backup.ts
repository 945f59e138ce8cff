import { pipeline, Readable } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { createGunzip } from 'node:zlib';
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

/** Receives the parts of a backup in their order. */
export interface BackupReader {
  /** Must read the rows, lines in PostgreSQL's text format of COPY, to their end. */
  table(name: string, rows: AsyncIterable<Buffer>): Promise<void>;
  /** A file with keys, or the settings file. */
  file(name: string, bytes: Buffer): void;
}

/** A line is a row: a raw report of 32 MiB takes twice that. */
const longestLineBytes = 2 ** 28;
const damaged = 'The backup is damaged';

/**
 * Reads a backup once, from its beginning, holding a few MiB of it. What `begin` returns gets its parts, before it is known
 * that they are sound: this function throws StartError if a part is missing, too much or changed, by its checksum and the
 * number of its rows. Returns once all is known to be as it was written.
 */
export async function readBackup(
  source: AsyncIterable<Buffer>,
  begin: (manifest: Manifest) => BackupReader,
): Promise<Manifest> {
  const tar = readTar(source);
  const sums: string[] = [];
  const next = async (): Promise<TarEntry> => {
    const { value } = await tar.next();
    if (value === undefined) throw new StartError(`${damaged}: it has no ${sumsName}.`);
    if (value.name !== sumsName) sums.push(sumLine(value));
    return value;
  };
  let entry = await next();
  async function* piecesOf(table: string): AsyncGenerator<Buffer> {
    for (let n = 1; entry.name === pieceName(table, n); n += 1) {
      yield entry.bytes;
      entry = await next();
    }
  }
  try {
    if (entry.name !== manifestName) throw new StartError('This is not a backup of "plimsoll backup".');
    const manifest = parseManifest(entry.bytes);
    entry = await next();
    const reader = begin(manifest);
    for (const { name, rows } of manifest.tables) {
      const gunzip = createGunzip({ chunkSize: 2 ** 18 });
      // What fails is thrown by `gunzip`.
      pipeline(Readable.from(piecesOf(name), { highWaterMark: 1 }), gunzip, () => undefined);
      await reader.table(name, counted(gunzip, name, rows));
    }
    for (; isFile(entry.name); entry = await next()) reader.file(entry.name, entry.bytes);
    if (entry.name !== sumsName)
      throw new StartError(`${damaged}: it has a file ${JSON.stringify(entry.name)}.`);
    if (entry.bytes.toString('latin1') !== sums.join(''))
      throw new StartError(`${damaged}: its checksums are not those of its ${sumsName}.`);
    return manifest;
  } finally {
    await tar.return();
  }
}

function isFile(name: string): boolean {
  return name === settingsName || keyNames.some((key) => key === name);
}

/** Passes rows on. Throws StartError unless there are as many as expected, also for what is not gzip. */
async function* counted(chunks: AsyncIterable<Buffer>, table: string, rows: number): AsyncGenerator<Buffer> {
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
    throw new StartError(`${damaged} in its table ${table}: ${cause.message}.`, { cause });
  }
  if (lines === rows && lineBytes === 0) return;
  throw new StartError(`${damaged}: its table ${table} has not the ${rows} rows that its manifest says.`);
}
