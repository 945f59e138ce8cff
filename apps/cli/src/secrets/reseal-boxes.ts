import { openSealed, type SealingKey, SecretsError, seal, sealedKeyId } from '@plimsoll/secrets';

/** Records per page. */
const pageLength = 200;

/** Sealed boxes in the database. A box's id is its associated data. */
export interface SealedBoxes {
  /** Records sealed to another key than `notUnder`, with an id above `after`, in order of id. */
  sealed(page: {
    readonly notUnder: string;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly { readonly id: string; readonly sealed: Buffer }[]>;
  /** Replaces `before` by `after`; false if the box has changed or was deleted. */
  reseal(id: string, before: Uint8Array, after: Uint8Array, keyId: string): Promise<boolean>;
}

/** A box that could not be decrypted. */
export interface UnopenedBox {
  readonly id: string;
  /** The key that it names; null without one. */
  readonly keyId: string | null;
  readonly reason: string;
}

/** The result of one pass over all boxes. */
export interface Sweep {
  readonly resealed: number;
  /** Records that were changed or deleted while they were sealed again. */
  readonly changed: number;
  readonly unopened: readonly UnopenedBox[];
}

/** Seals all boxes of other keys to the first key of the ring, in one pass. `proceed` may throw between boxes. */
export async function resealBoxes(
  boxes: SealedBoxes,
  ring: readonly [SealingKey, ...SealingKey[]],
  proceed: () => void,
): Promise<Sweep> {
  const { publicKey } = ring[0];
  const sweep = { resealed: 0, changed: 0, unopened: [] as UnopenedBox[] };
  for (let after: string | null = null; ; ) {
    const page = await boxes.sealed({ notUnder: publicKey.keyId, after, limit: pageLength });
    for (const { id, sealed } of page) {
      proceed();
      const anew = sealedAnew(ring, id, sealed);
      if (!Buffer.isBuffer(anew)) sweep.unopened.push(anew);
      else if (await boxes.reseal(id, sealed, anew, publicKey.keyId)) sweep.resealed += 1;
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
): Buffer | UnopenedBox {
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
