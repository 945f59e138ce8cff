import { randomBytes } from 'node:crypto';
import type { ChallengeOwner, ChallengePurpose, ChallengeStore, User, UserStore } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { hashSecret } from '../auth/authenticate.ts';

/** Enough to find a telephone; too short to be of use in a log. */
const lifetimeSeconds = 5 * 60;

/** A challenge to be answered: 32 random bytes in base64url. A passkey signs exactly these bytes. */
export interface MadeChallenge {
  readonly challenge: string;
  readonly expiresAt: Date;
}

/** Makes a challenge. The database has only its SHA-256. */
export async function makeChallenge(
  store: ChallengeStore,
  purpose: ChallengePurpose,
  owner: ChallengeOwner | null,
): Promise<MadeChallenge> {
  const challenge = randomBytes(32).toString('base64url');
  const digest = hashSecret(challenge);
  return { challenge, expiresAt: await store.add({ digest, purpose, owner, lifetimeSeconds }) };
}

/** A challenge whose answer is being checked. */
export interface OpenChallenge {
  /** Null: any user's answer is accepted. */
  readonly owner: ChallengeOwner | null;
  /** Ends the challenge after a right answer. Throws `invalid_credentials` if another request did so first. */
  consume(): Promise<void>;
}

/** Counts an attempt at a challenge. Throws `invalid_credentials` if it does not exist, was used or has expired. */
export async function openChallenge(
  store: ChallengeStore,
  purpose: ChallengePurpose,
  challenge: string,
): Promise<OpenChallenge> {
  const digest = hashSecret(challenge);
  const found = await store.attempt(digest, purpose);
  if (found === null) throw challengeOver();
  return {
    owner: found.owner,
    async consume() {
      if (!(await store.consume(digest))) throw challengeOver();
    },
  };
}

/** The owner of a challenge, unless the account was changed, disabled or deleted meanwhile (`invalid_credentials`). */
export async function requireOwner({ owner }: OpenChallenge, users: UserStore): Promise<User> {
  const user = owner === null ? null : await users.findById(owner.id);
  if (user === null || user.disabledAt !== null || user.tokenGeneration !== owner?.tokenGeneration) {
    throw challengeOver();
  }
  return user;
}

function challengeOver(): AppError {
  return new AppError(
    'invalid_credentials',
    'This step was completed, had too many wrong answers or took too long. Begin again.',
  );
}
