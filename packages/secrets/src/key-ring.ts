import { stat } from 'node:fs/promises';
import { stampOf, unreadable } from './guarded-file.ts';
import { type LoadedRing, loadRing } from './key-files.ts';
import { openSealed, sealedKeyId } from './sealed-box.ts';

/** Decrypts boxes with the keys of a file that may change meanwhile. */
export interface KeyRing {
  /**
   * Returns the plaintext, which the caller overwrites. Reads the file again if it has changed or a box names an
   * unknown key, so that rotations need no restart. Throws SecretsError of openSealed and loadRing. If a box that
   * was read some time ago gives `unknown_key`, it may have been sealed again: read it once more.
   */
  open(box: Uint8Array, associatedData: string): Promise<Buffer>;
}

/** The ring of a file, read when the first box is opened. */
export function createKeyRing(file: string): KeyRing {
  let loaded: LoadedRing | null = null;
  return {
    async open(box, associatedData) {
      const keyId = sealedKeyId(box);
      const has = ({ keys }: LoadedRing): boolean => keys.some(({ publicKey }) => publicKey.keyId === keyId);
      let ring = loaded;
      // A coarse or reset clock can hide a change from the stamp.
      if (ring === null || !has(ring) || ring.stamp !== (await currentStamp(file))) {
        ring = await loadRing(file);
        loaded = ring;
      }
      return openSealed(ring.keys, box, associatedData);
    },
  };
}

async function currentStamp(file: string): Promise<string> {
  try {
    return stampOf(await stat(file, { bigint: true }));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}
