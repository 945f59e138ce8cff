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
import { resealBoxes, type SealedBoxes, type UnopenedBox } from './reseal-boxes.ts';

/** Passes after which a process evidently still seals to an old key. */
const roundLimit = 20;

/** The parameters of a rotation. */
export interface RotationOptions {
  readonly files: KeyFilePaths;
  readonly boxes: SealedBoxes;
  /** Whether old keys stay in the ring, for processes that still read a copy of the old public key. */
  readonly keepOld: boolean;
  /** Waits until processes that have read the old public key have stored what they sealed. */
  readonly lapse: () => Promise<void>;
  /** Throws when changes are no longer allowed. */
  readonly proceed: () => void;
}

/** The result of a rotation. */
export interface Rotation {
  /** The key that all boxes are now sealed to. */
  readonly keyId: string;
  /** How the key was made: now, by `--prepare`, or by an unfinished rotation. */
  readonly origin: 'made' | 'prepared' | 'resumed';
  readonly resealed: number;
  /** Ids of the keys removed from the ring. */
  readonly dropped: readonly string[];
  /** Ids of the old keys still in the ring. */
  readonly kept: readonly string[];
  /** Ids of boxes that no key decrypts; the keys they name are kept. */
  readonly unopened: readonly UnopenedBox[];
}

/**
 * Moves all boxes to a new key while the service runs: adds the key to the ring, names it in the public key file,
 * seals every box again, removes the old keys from the ring. The caller holds the rotation lock. If it is
 * interrupted at any point, every box can be decrypted, and the next call continues. Throws SecretsError for
 * unusable key files, and StartError if new boxes under an old key keep arriving.
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
    keepOld || publicKey.keyId === keyId || unopened.some((box) => box.keyId === publicKey.keyId);
  const kept = keys.filter(isKept);
  const dropped = keys.filter((key) => !isKept(key));
  if (dropped.length > 0) {
    proceed();
    await replaceRing(files.keysFile, kept);
  }
  return { keyId, origin, resealed, dropped: idsOf(dropped), kept: idsOf(kept.slice(1)), unopened };
}

/**
 * Adds a new key to the ring only: the next rotation seals to it, once all readers of a copy of the ring have it. Does
 * nothing if such a key exists. Requires the lock and throws as rotateKeys does.
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
  { files, boxes, keepOld, lapse, proceed }: RotationOptions,
  keys: Ring,
): Promise<{ resealed: number; unopened: readonly UnopenedBox[] }> {
  let resealed = 0;
  let waited = keepOld;
  for (let round = 0; round < roundLimit; round += 1) {
    const swept = await resealBoxes(boxes, keys, proceed);
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
