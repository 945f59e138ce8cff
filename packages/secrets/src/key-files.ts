import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createFile, type FileContent, readGuarded, replaceFile } from './guarded-file.ts';
import { readPublicText, readRingText, writePublicText, writeRingText } from './key-file-text.ts';
import { generateSealingKey, type SealingKey, type SealingPublicKey } from './sealing-key.ts';
import { SecretsError } from './secrets-error.ts';

/** Other users must not read, write or search a ring. Access for a group is the operator's choice. */
const refusedOfRing = 0o007;
/** A user who can change the public key could decrypt all private halves sealed from then on. */
const refusedOfPublicKey = 0o002;

/** Where the keys are. */
export interface KeyFilePaths {
  /** The key ring: private keys, newest first. */
  readonly keysFile: string;
  /** The public key used for sealing. */
  readonly publicKeyFile: string;
}

/** A key ring file as read. */
export interface LoadedRing {
  readonly keys: readonly [SealingKey, ...SealingKey[]];
  /** A different stamp means that the file may have changed. */
  readonly stamp: string;
}

/** What createKeyFiles found or made. */
export interface KeyFiles {
  /** The id of the key in the public key file. */
  readonly keyId: string;
  readonly ringMade: boolean;
  readonly publicKeyMade: boolean;
}

/**
 * The public key to seal to; a rotation changes the file, so read it for every box. Throws SecretsError:
 * `file_missing`, `file_unreadable`, `file_malformed`, or `file_exposed` if everybody may write it.
 */
export async function readSealingPublicKey(file: string): Promise<SealingPublicKey> {
  const { text } = await readGuarded(file, refusedOfPublicKey);
  try {
    return readPublicText(text, file);
  } finally {
    // In case it is a private key by mistake.
    text.fill(0);
  }
}

/**
 * The keys of a ring file, newest first. Throws SecretsError as readSealingPublicKey; `file_exposed` for any permission
 * of other users.
 */
export async function loadRing(file: string): Promise<LoadedRing> {
  let content: FileContent | undefined;
  try {
    content = await readGuarded(file, refusedOfRing);
    return { keys: readRingText(content.text, file), stamp: content.stamp };
  } finally {
    content?.text.fill(0);
  }
}

/**
 * Makes what is missing: a ring (0600) with one new key, and its public key file (0644). Existing files stay unchanged;
 * concurrent calls are safe. Throws SecretsError `keys_differ` rather than seal to a key that the ring lacks, and as
 * the readers do.
 */
export async function createKeyFiles({ keysFile, publicKeyFile }: KeyFilePaths): Promise<KeyFiles> {
  let published = await readIfThere(publicKeyFile);
  const ringMade = published === null && (await createRing(keysFile));
  const { keys } = await loadRing(keysFile).catch((error: unknown) => {
    if (published === null || !isMissing(error)) throw error;
    throw new SecretsError(
      'keys_differ',
      `${keysFile} does not exist, but data sealed to ${publicKeyFile} needs its keys. Put it back from a backup; ` +
        `where there is none, remove ${publicKeyFile} too: hosts then need new SSH keys.`,
      { cause: error },
    );
  });
  // The oldest of the ring: readers of copies of the file certainly have it.
  const wanted = keys[keys.length - 1] ?? keys[0];
  const publicKeyMade = published === null && (await createPublicKey(publicKeyFile, wanted.publicKey));
  published ??= await readSealingPublicKey(publicKeyFile);
  requireInRing(keys, published, { keysFile, publicKeyFile });
  return { keyId: published.keyId, ringMade, publicKeyMade };
}

/** Replaces the content of a ring file. Throws SecretsError `file_unwritable`. One process at a time. */
export async function replaceRing(file: string, keys: readonly SealingKey[]): Promise<void> {
  const text = writeRingText(keys);
  try {
    await replaceFile(file, text, refusedOfRing);
  } finally {
    text.fill(0);
  }
}

/** Makes `key` the sealing key. Throws SecretsError `file_unwritable`. One process at a time. */
export async function replaceSealingPublicKey(file: string, key: SealingPublicKey): Promise<void> {
  await replaceFile(file, writePublicText(key), refusedOfPublicKey);
}

/** Throws SecretsError `keys_differ` if the ring could not decrypt what is sealed to a public key. */
export function requireInRing(
  keys: readonly SealingKey[],
  published: SealingPublicKey,
  { keysFile, publicKeyFile }: KeyFilePaths,
): void {
  if (keys.some(({ publicKey }) => publicKey.bytes.equals(published.bytes))) return;
  throw new SecretsError(
    'keys_differ',
    `${publicKeyFile} has key ${published.keyId}, which is not in ${keysFile}: the two do not belong together.`,
  );
}

async function createRing(file: string): Promise<boolean> {
  await makeFolder(path.dirname(file), 0o700);
  const text = writeRingText([generateSealingKey()]);
  try {
    return await createFile(file, text, 0o600);
  } finally {
    text.fill(0);
  }
}

async function createPublicKey(file: string, key: SealingPublicKey): Promise<boolean> {
  await makeFolder(path.dirname(file), 0o755);
  return createFile(file, writePublicText(key), 0o644);
}

async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode });
  } catch (cause) {
    throw new SecretsError('file_unwritable', `The folder ${folder} cannot be made.`, { cause });
  }
}

async function readIfThere(file: string): Promise<SealingPublicKey | null> {
  try {
    return await readSealingPublicKey(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof SecretsError && error.code === 'file_missing';
}
