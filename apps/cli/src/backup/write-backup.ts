import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Config } from '@plimsoll/config';
import { type BackupSnapshot, openBackupSnapshot } from '@plimsoll/db';
import { productVersion, systemErrorCode } from '@plimsoll/model';
import { StartError } from '../service/start-error.ts';
import {
  backupFormat,
  keyNames,
  type Manifest,
  manifestName,
  pieceName,
  settingsName,
  sumLine,
  sumsName,
} from './backup-format.ts';
import { keyPlaces } from './key-places.ts';
import { longestEntryBytes, type TarEntry, tarEnd, tarEntry } from './tar.ts';

/** What to back up. */
export interface BackupSource {
  /** Of a user who may read every table. */
  readonly databaseUrl: string;
  readonly config: Config;
  /** The file that the configuration was read from; null: none. */
  readonly settingsFile: string | null;
  readonly withKeys: boolean;
  /** Gives the backup up. */
  readonly stop?: AbortSignal;
  /** Prints what has been done so far, at most every two seconds. */
  readonly say: (line: string) => void;
}

/** What a backup has. */
export interface Written {
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
  /** Why keys are missing; null: all are there. */
  readonly keysMissing: string | null;
}

const saidEveryMs = 2_000;

/**
 * The bytes of a backup of one state of the database, while the service runs. Its generator returns what it has. Throws
 * StartError and BackupError.
 */
export async function* writeBackup(source: BackupSource): AsyncGenerator<Buffer, Written> {
  const now = new Date();
  const { files, keysMissing, snapshot } = await openAtOneTime(source);
  const sums: string[] = [];
  let bytes = 0;
  const pack = async (entry: TarEntry): Promise<Buffer> => {
    if (entry.name !== sumsName) sums.push(sumLine(entry));
    const packed = await tarEntry(entry, now);
    bytes += packed.length;
    return packed;
  };
  try {
    const { tables } = snapshot.contents;
    const manifest: Manifest = {
      format: backupFormat,
      version: productVersion,
      created_at: now.toISOString(),
      ...snapshot.contents,
      keys_missing: keysMissing,
    };
    yield await pack({ name: manifestName, bytes: Buffer.from(`${JSON.stringify(manifest)}\n`) });
    let saidAt = performance.now();
    for (const [index, table] of tables.entries()) {
      for await (const piece of piecesOf(snapshot, table)) {
        yield await pack(piece);
        if (performance.now() - saidAt < saidEveryMs) continue;
        saidAt = performance.now();
        source.say(`Table ${index + 1} of ${tables.length}, ${table.name}: ${megabytesOf(bytes)} written`);
      }
    }
    for (const file of files) yield await pack(file);
    yield await pack({ name: sumsName, bytes: Buffer.from(sums.join('')) });
    yield tarEnd;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return { tables: tables.length, rows, bytes: bytes + tarEnd.length, keysMissing };
  } finally {
    await snapshot.close();
  }
}

const mostTries = 5;

/**
 * Opens the snapshot of the database between two readings of the key files that are equal: a rotation of keys meanwhile would
 * leave secrets in it that no key of the backup opens. Throws StartError.
 */
async function openAtOneTime(source: BackupSource) {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await readFiles(source);
    const snapshot = await openBackupSnapshot(source.databaseUrl);
    try {
      const after = await readFiles(source);
      const isSame = (file: TarEntry, at: number) => after.files[at]?.bytes.equals(file.bytes) === true;
      if (before.files.length === after.files.length && before.files.every(isSame))
        return { ...after, snapshot };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
    await snapshot.close();
  }
  throw new StartError('Keys are being rotated: back up when that has ended.');
}

/** For example `1.4 MB`. */
export function megabytesOf(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}

/** The gzipped rows of a table, at least one piece. */
async function* piecesOf(
  snapshot: BackupSnapshot,
  table: Manifest['tables'][number],
): AsyncGenerator<TarEntry> {
  // Level 1 takes a third of the time of the default and a tenth more space: most bytes are reports, compressed already.
  const gzip = createGzip({ level: 1, chunkSize: 2 ** 18 });
  const copy = snapshot.copy(table);
  // What fails is thrown by `gzip`.
  pipeline(copy, gzip, () => undefined);
  let held: Buffer[] = [];
  let size = 0;
  let n = 1;
  const piece = (): TarEntry => ({ name: pieceName(table.name, n), bytes: Buffer.concat(held) });
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    held.push(chunk);
    size += chunk.length;
    if (size < longestEntryBytes / 2) continue;
    yield piece();
    held = [];
    size = 0;
    n += 1;
  }
  yield piece();
}

async function readFiles({ config, settingsFile, withKeys }: BackupSource): Promise<{
  readonly files: readonly TarEntry[];
  readonly keysMissing: string | null;
}> {
  const files: TarEntry[] = [];
  const missing: string[] = [];
  const places = keyPlaces(config);
  for (const name of withKeys ? keyNames : []) {
    const given = name === 'keys/api.jwt_secret_key' ? config['api.jwt_secret_key'] : null;
    const bytes = given === null ? await readKey(places[name]) : Buffer.from(given);
    if (bytes === null) missing.push(places[name]);
    else files.push({ name, bytes });
  }
  // They may have passwords.
  if (settingsFile !== null && withKeys)
    files.push({ name: settingsName, bytes: await readFile(settingsFile) });
  const without = withKeys
    ? `These files were not there: ${missing.join(', ')}.`
    : 'They were left out (--without-keys), and the settings with them.';
  return { files, keysMissing: withKeys && missing.length === 0 ? null : without };
}

async function readKey(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === 'ENOENT') return null;
    throw new StartError(
      `${file} cannot be read: ${code ?? String(cause)}. Back up as the user who runs the service, or with --without-keys.`,
      { cause },
    );
  }
}
