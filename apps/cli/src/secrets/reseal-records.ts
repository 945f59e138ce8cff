import { openSealed, type SealingKey, SecretsError, seal, sealedKeyId } from '@plimsoll/secrets';

/** Records at a time. */
const pageLength = 200;

/** What is sealed in the database. The id of a record is its associated data. */
export interface SealedRecords {
  /** Records that are sealed to another key than `notUnder`, with an id above `after`, in the order of their ids. */
  sealed(page: {
    readonly notUnder: string;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly { readonly id: string; readonly sealed: Buffer }[]>;
  /** Replaces `before` by `after`; false when the record is another by now, or gone. */
  reseal(id: string, before: Uint8Array, after: Uint8Array, keyId: string): Promise<boolean>;
}

/** A record that could not be opened. */
export interface UnopenedRecord {
  readonly id: string;
  /** The key it names; null where it names none. */
  readonly keyId: string | null;
  readonly reason: string;
}

/** What came of looking through all records once. */
export interface Sweep {
  readonly resealed: number;
  /** Records that changed or went while they were sealed anew. */
  readonly changed: number;
  readonly unopened: readonly UnopenedRecord[];
}

/** Seals to the first key of the ring what is sealed to any other, once through. `proceed` may throw between records. */
export async function resealRecords(
  records: SealedRecords,
  ring: readonly [SealingKey, ...SealingKey[]],
  proceed: () => void,
): Promise<Sweep> {
  const { publicKey } = ring[0];
  const sweep = { resealed: 0, changed: 0, unopened: [] as UnopenedRecord[] };
  for (let after: string | null = null; ; ) {
    const page = await records.sealed({ notUnder: publicKey.keyId, after, limit: pageLength });
    for (const { id, sealed } of page) {
      proceed();
      const anew = sealedAnew(ring, id, sealed);
      if (!Buffer.isBuffer(anew)) sweep.unopened.push(anew);
      else if (await records.reseal(id, sealed, anew, publicKey.keyId)) sweep.resealed += 1;
      else sweep.changed += 1;
    }
    const last = page.at(-1);
    if (last === undefined) return sweep;
    after = last.id;
  }
}

function sealedAnew(
  ring: readonly [SealingKey, ...SealingKey[]],
  id: string,
  sealed: Buffer,
): Buffer | UnopenedRecord {
  let keyId: string | null = null;
  try {
    keyId = sealedKeyId(sealed);
    const plaintext = openSealed(ring, sealed, id);
    try {
      return seal(ring[0].publicKey, plaintext, id);
    } finally {
      plaintext.fill(0);
    }
  } catch (error) {
    if (error instanceof SecretsError) return { id, keyId, reason: error.message };
    throw error;
  }
}
