import {
  generateSealingKey,
  type KeyFilePaths,
  loadRing,
  readSealingPublicKey,
  replaceRing,
  replaceSealingPublicKey,
  requireInRing,
  type SealingKey,
  type SealingPublicKey,
} from '@plimsoll/secrets';
import { StartError } from '../service/start-error.ts';
import { resealRecords, type SealedRecords, type UnopenedRecord } from './reseal-records.ts';

/** As often the records are looked through before it is clear that somebody goes on sealing to an old key. */
const roundLimit = 20;

/** What is rotated, and how. */
export interface RotationOptions {
  readonly files: KeyFilePaths;
  readonly records: SealedRecords;
  /** Whether old keys stay in the ring, for those who still read a copy of the old public key. */
  readonly keepOld: boolean;
  /** Waits until whoever has read the old public key by now has stored what it sealed. */
  readonly lapse: () => Promise<void>;
  /** Throws when nothing more may be changed. */
  readonly proceed: () => void;
}

/** What a rotation came to. */
export interface Rotation {
  /** The key that everything is sealed to now. */
  readonly keyId: string;
  /** Where it came from: made now, made by `--prepare`, or by a rotation that did not come to its end. */
  readonly origin: 'made' | 'prepared' | 'resumed';
  readonly resealed: number;
  /** Ids of the keys that the ring has lost. */
  readonly dropped: readonly string[];
  /** Ids of the old keys that the ring still has. */
  readonly kept: readonly string[];
  /** Records that no key opens, by id; the keys they name are kept. */
  readonly unopened: readonly UnopenedRecord[];
}

/**
 * Moves everything sealed to a new key while the service runs: the ring gets the key, the public key file names it,
 * every record is sealed anew, the ring drops the old ones. Whoever runs it holds the rotation lock. Wherever it is
 * broken off, every record can be opened, and the next call goes on from there. Throws SecretsError for key files that
 * cannot be used, and StartError when records under an old key do not stop coming.
 */
export async function rotateKeys(options: RotationOptions): Promise<Rotation> {
  const { files, keepOld, proceed } = options;
  const { ring, published } = await readKeys(files);
  const { keys, origin } = nextRing(ring, published);
  const [newest] = keys;
  const { keyId } = newest.publicKey;
  if (origin === 'made') {
    proceed();
    await replaceRing(files.keysFile, keys);
  }
  if (origin !== 'resumed') {
    proceed();
    await replaceSealingPublicKey(files.publicKeyFile, newest.publicKey);
  }
  const { resealed, unopened } = await resealAll(options, keys);
  const isKept = ({ publicKey }: SealingKey): boolean =>
    keepOld || publicKey.keyId === keyId || unopened.some((record) => record.keyId === publicKey.keyId);
  const kept = keys.filter(isKept);
  const dropped = keys.filter((key) => !isKept(key));
  if (dropped.length > 0) {
    proceed();
    await replaceRing(files.keysFile, kept);
  }
  return { keyId, origin, resealed, dropped: idsOf(dropped), kept: idsOf(kept.slice(1)), unopened };
}

/**
 * Puts a new key into the ring and nothing more: the next rotation seals to it, when all who read a copy of the ring
 * have the new one. A key that waits there already is enough. Needs the lock and throws as rotateKeys does.
 */
export async function prepareRotation(files: KeyFilePaths): Promise<{ keyId: string; made: boolean }> {
  const { ring, published } = await readKeys(files);
  const [newest] = ring;
  if (newest.publicKey.keyId !== published.keyId) return { keyId: newest.publicKey.keyId, made: false };
  const key = generateSealingKey();
  await replaceRing(files.keysFile, [key, ...ring]);
  return { keyId: key.publicKey.keyId, made: true };
}

type Ring = readonly [SealingKey, ...SealingKey[]];

async function readKeys(files: KeyFilePaths): Promise<{ ring: Ring; published: SealingPublicKey }> {
  const { keys: ring } = await loadRing(files.keysFile);
  const published = await readSealingPublicKey(files.publicKeyFile);
  requireInRing(ring, published, files);
  return { ring, published };
}

function nextRing(ring: Ring, published: SealingPublicKey): { keys: Ring; origin: Rotation['origin'] } {
  if (ring[0].publicKey.keyId !== published.keyId) return { keys: ring, origin: 'prepared' };
  if (ring.length > 1) return { keys: ring, origin: 'resumed' };
  return { keys: [generateSealingKey(), ...ring], origin: 'made' };
}

async function resealAll(
  { files, records, keepOld, lapse, proceed }: RotationOptions,
  keys: Ring,
): Promise<{ resealed: number; unopened: readonly UnopenedRecord[] }> {
  let resealed = 0;
  let waited = keepOld;
  for (let round = 0; round < roundLimit; round += 1) {
    const swept = await resealRecords(records, keys, proceed);
    resealed += swept.resealed;
    const isQuiet = swept.resealed === 0 && swept.changed === 0;
    if (isQuiet && waited) return { resealed, unopened: swept.unopened };
    waited = keepOld || isQuiet;
    if (isQuiet) await lapse();
  }
  throw new StartError(
    `Keys are still being sealed to an old public key: does every API read ${files.publicKeyFile}? ` +
      'The old private keys stay until that ends: see to it, and run this again.',
  );
}

function idsOf(keys: readonly SealingKey[]): readonly string[] {
  return keys.map(({ publicKey }) => publicKey.keyId);
}
