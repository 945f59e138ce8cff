import { stat } from 'node:fs/promises';
import { stampOf, unreadable } from './guarded-file.ts';
import { type LoadedRing, loadRing } from './key-files.ts';
import { openSealed, sealedKeyId } from './sealed-record.ts';

/** Opens records with the keys of a file, whatever becomes of that file meanwhile. */
export interface KeyRing {
  /**
   * What was sealed, for the caller to overwrite. Looks at the file again when it has changed and when a record names
   * a key it did not have, so that rotations need no restart. Throws SecretsError of openSealed and loadRing. Where a
   * record that was read a while ago is `unknown_key`, it may have been sealed anew since: read it once more.
   */
  open(record: Uint8Array, associatedData: string): Promise<Buffer>;
}

/** The ring of a file, which is read when the first record is opened. */
export function createKeyRing(file: string): KeyRing {
  let loaded: LoadedRing | null = null;
  return {
    async open(record, associatedData) {
      const keyId = sealedKeyId(record);
      const has = ({ keys }: LoadedRing): boolean => keys.some(({ publicKey }) => publicKey.keyId === keyId);
      let ring = loaded;
      // A clock that is coarse or set back can hide a change from the stamp.
      if (ring === null || !has(ring) || ring.stamp !== (await currentStamp(file))) {
        ring = await loadRing(file);
        loaded = ring;
      }
      return openSealed(ring.keys, record, associatedData);
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
