import { z } from 'zod';
import type { Database } from '../core/database.ts';
import { queryRows } from '../core/transaction.ts';
import { Prisma } from '../generated/client.ts';

/**
 * What a challenge is for. `second_factor`: the second step after a right password. `passkey_sign_in`: a sign-in with a
 * passkey alone. `passkey_registration`: a new passkey of a signed-in user. `reauthentication`: a signed-in user proves
 * itself again.
 */
export type ChallengePurpose =
  | 'second_factor'
  | 'passkey_sign_in'
  | 'passkey_registration'
  | 'reauthentication';

/** The owner of a challenge, as it was when the challenge was made. */
export interface ChallengeOwner {
  readonly id: string;
  readonly tokenGeneration: number;
}

/** A challenge to be stored. */
export interface NewChallenge {
  /** SHA-256 of the challenge. */
  readonly digest: Uint8Array<ArrayBuffer>;
  readonly purpose: ChallengePurpose;
  /** Null: the answer says which user it is. */
  readonly owner: ChallengeOwner | null;
  readonly lifetimeSeconds: number;
}

/** Challenges: each is answered rightly once, in a limited number of attempts and a limited time. */
export interface ChallengeStore {
  /** Stores a challenge; returns when it expires. */
  add(challenge: NewChallenge): Promise<Date>;
  /**
   * Counts an attempt to answer a challenge. Null if there is no such challenge for this purpose, it has expired, or it
   * had its last attempt.
   */
  attempt(
    digest: Uint8Array<ArrayBuffer>,
    purpose: ChallengePurpose,
  ): Promise<{ readonly owner: ChallengeOwner | null } | null>;
  /** Ends a challenge that was answered rightly. False: another request ended it first, so this one must fail. */
  consume(digest: Uint8Array<ArrayBuffer>): Promise<boolean>;
}

/** The attempts at one challenge. */
const mostAttempts = 5;

const expiryRow = z.object({ expires_at: z.date() });
const ownerRow = z.object({ user_id: z.string().nullable(), token_generation: z.number().nullable() });

/** The challenges of one database. */
export function createChallengeStore({ prisma }: Database): ChallengeStore {
  return {
    async add({ digest, purpose, owner, lifetimeSeconds }) {
      const [row] = await queryRows(
        prisma,
        expiryRow,
        Prisma.sql`
          INSERT INTO sign_in_challenges (digest, purpose, user_id, token_generation, expires_at)
          VALUES (${digest}, ${purpose}, ${owner?.id ?? null}::uuid, ${owner?.tokenGeneration ?? null}::int,
            now() + make_interval(secs => ${lifetimeSeconds}))
          RETURNING expires_at`,
      );
      if (row === undefined) throw new Error('the database stored no challenge');
      return row.expires_at;
    },
    async attempt(digest, purpose) {
      const [row] = await queryRows(
        prisma,
        ownerRow,
        Prisma.sql`
          UPDATE sign_in_challenges SET attempts = attempts + 1
          WHERE digest = ${digest} AND purpose = ${purpose} AND attempts < ${mostAttempts} AND expires_at > now()
          RETURNING user_id, token_generation`,
      );
      if (row === undefined) return null;
      const { user_id: id, token_generation: tokenGeneration } = row;
      return { owner: id === null || tokenGeneration === null ? null : { id, tokenGeneration } };
    },
    async consume(digest) {
      return (await prisma.signInChallenge.deleteMany({ where: { digest } })).count === 1;
    },
  };
}
