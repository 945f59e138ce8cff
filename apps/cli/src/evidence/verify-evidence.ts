import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  checkManifest,
  type EvidenceFile,
  type EvidenceManifest,
  manifestName,
  signatureName,
} from '@plimsoll/secrets';
import yauzl from 'yauzl';

/** What a check of an evidence pack found. */
export interface EvidenceVerdict {
  /**
   * `valid`: signed by the expected key, and every file is as signed. `key_not_compared`: the same, but no key was
   * expected. `not_valid`: something is wrong. `unreadable`: it is not an evidence pack. `not_read`: the system did not
   * let the file be read.
   */
  readonly result: 'valid' | 'key_not_compared' | 'not_valid' | 'unreadable' | 'not_read';
  /** What is wrong with the archive or its signature, as sentences. */
  readonly faults: readonly string[];
  /** Of the key that signed; null: not known. */
  readonly fingerprint: string | null;
  /** Null: no signed manifest. */
  readonly manifest: EvidenceManifest | null;
  readonly valid: readonly string[];
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  /** Files that the manifest does not have, and second ones of the same name. */
  readonly added: readonly string[];
}

const mostEntries = 1_000;
const mostManifestBytes = 4 * 1024 * 1024;

/**
 * Checks an evidence pack without unpacking more than its signed manifest says: the signature first, then each file by its
 * SHA-256. Never throws for the content of a file. @param expected the fingerprint of the key; null: not known.
 */
export async function verifyEvidence(file: string, expected: string | null): Promise<EvidenceVerdict> {
  let archive: yauzl.ZipFile;
  try {
    archive = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (error) {
    return failed('It is not a zip archive', error);
  }
  try {
    return await verifyArchive(archive, expected);
  } catch (error) {
    return failed('The archive is damaged', error);
  } finally {
    archive.close();
  }
}

function failed(what: string, error: unknown): EvidenceVerdict {
  // A call of the system failed (no such file, no permission, a folder). Errors of zlib have a code, but no call.
  if (typeof error === 'object' && error !== null && 'syscall' in error)
    return { ...unreadable(messageOf(error)), result: 'not_read' };
  return unreadable(`${what}: ${messageOf(error)}`);
}

async function verifyArchive(archive: yauzl.ZipFile, expected: string | null): Promise<EvidenceVerdict> {
  if (archive.entryCount > mostEntries) return unreadable(`It has more than ${mostEntries} files.`);
  const entries = new Map<string, yauzl.Entry>();
  const added: string[] = [];
  for await (const entry of archive.eachEntry()) {
    if (entries.has(entry.fileName)) added.push(`${entry.fileName} (a second file of this name)`);
    else entries.set(entry.fileName, entry);
  }
  const [manifest, signature] = await Promise.all([
    readWhole(archive, entries.get(manifestName)),
    readWhole(archive, entries.get(signatureName)),
  ]);
  if (manifest === null || signature === null)
    return unreadable(`It has no readable ${manifest === null ? manifestName : signatureName}.`);
  const checked = checkManifest(manifest, signature);
  if (checked.kind === 'malformed') return unreadable(checked.detail);
  if (checked.kind === 'not_authentic')
    return {
      ...unreadable(
        `The signature is not over this ${manifestName}: the manifest or the signature was changed.`,
      ),
      result: 'not_valid',
      fingerprint: checked.fingerprint,
    };
  const signed = new Map(checked.manifest.files.map((one) => [one.name, one]));
  for (const name of entries.keys())
    if (!signed.has(name) && name !== manifestName && name !== signatureName) added.push(name);
  const files = await checkFiles(archive, entries, checked.manifest.files);
  const isOtherKey = expected !== null && expected !== checked.fingerprint;
  const isWhole = files.changed.length + files.missing.length + added.length === 0;
  return {
    result: isOtherKey || !isWhole ? 'not_valid' : expected === null ? 'key_not_compared' : 'valid',
    faults: isOtherKey ? [`It is signed by the key ${checked.fingerprint}, not by ${expected}.`] : [],
    fingerprint: checked.fingerprint,
    manifest: checked.manifest,
    ...files,
    added: added.map((name) => shown(name)),
  };
}

async function checkFiles(
  archive: yauzl.ZipFile,
  entries: ReadonlyMap<string, yauzl.Entry>,
  files: readonly EvidenceFile[],
): Promise<Pick<EvidenceVerdict, 'valid' | 'changed' | 'missing'>> {
  const found = { valid: [] as string[], changed: [] as string[], missing: [] as string[] };
  for (const file of files) {
    const entry = entries.get(file.name);
    if (entry === undefined) found.missing.push(shown(file.name));
    else found[(await isAsSigned(archive, entry, file)) ? 'valid' : 'changed'].push(shown(file.name));
  }
  return found;
}

/** Unpacks at most the bytes that the manifest states. */
async function isAsSigned(
  archive: yauzl.ZipFile,
  entry: yauzl.Entry,
  { bytes, sha256 }: EvidenceFile,
): Promise<boolean> {
  if (entry.uncompressedSize !== bytes || !isPlain(entry)) return false;
  const hash = createHash('sha256');
  return (
    (await readEntry(archive, entry, bytes, (chunk) => void hash.update(chunk))) &&
    hash.digest('hex') === sha256
  );
}

async function readWhole(archive: yauzl.ZipFile, entry: yauzl.Entry | undefined): Promise<Buffer | null> {
  if (entry === undefined || entry.uncompressedSize > mostManifestBytes || !isPlain(entry)) return null;
  const chunks: Buffer[] = [];
  const isWhole = await readEntry(archive, entry, mostManifestBytes, (chunk) => void chunks.push(chunk));
  return isWhole ? Buffer.concat(chunks) : null;
}

/** Whether an entry is stored or deflated, and not encrypted. */
function isPlain(entry: yauzl.Entry): boolean {
  return !entry.isEncrypted() && (entry.compressionMethod === 0 || entry.compressionMethod === 8);
}

/** False if the data is damaged or longer than `most`; stops reading there. */
async function readEntry(
  archive: yauzl.ZipFile,
  entry: yauzl.Entry,
  most: number,
  take: (chunk: Buffer) => void,
): Promise<boolean> {
  try {
    const stream = await archive.openReadStreamPromise(entry);
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > most) stream.destroy(new Error('longer than stated'));
      else take(chunk);
    });
    await once(stream, 'end');
    return true;
  } catch {
    return false; // yauzl rejects damaged data and sizes that differ from those of the archive.
  }
}

function unreadable(fault: string): EvidenceVerdict {
  return {
    result: 'unreadable',
    faults: [fault],
    fingerprint: null,
    manifest: null,
    valid: [],
    changed: [],
    missing: [],
    added: [],
  };
}

/** A text from the archive as one line without control characters, cut after `most` characters. */
export function shown(text: string, most = 200): string {
  return text.replace(/\p{C}/gu, '?').slice(0, most);
}

function messageOf(error: unknown): string {
  return shown(error instanceof Error ? error.message : String(error));
}
