import { z } from 'zod';
import { createTextSeal } from '../http/text-seal.ts';

/** Seconds that a user has for signing in at the provider. */
export const pendingSeconds = 10 * 60;

const pendingSchema = z.strictObject({
  id: z.uuid(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  back: z.string(),
  again: z.boolean(),
  /** Milliseconds since 1970. */
  endsAt: z.int(),
});

/** A sign-in that waits for the user at the provider. */
export type PendingSignIn = Readonly<z.output<typeof pendingSchema>>;

/** Encrypts pending sign-ins, so that the browser can keep them. */
export interface PendingSeal {
  /** Text for a cookie. */
  seal(pending: PendingSignIn): string;
  /** Null for text that is not from `seal` with the same secret, or has expired at `now`. */
  open(text: string, now: Date): PendingSignIn | null;
}

/** A seal with a key derived from the secret that signs the users' tokens. */
export function createPendingSeal(secret: string): PendingSeal {
  const { seal, open } = createTextSeal(secret, 'plimsoll pending sign-in');
  return {
    seal: (pending) => seal(JSON.stringify(pending)),
    open(text, now) {
      const opened = open(text);
      if (opened === null) return null;
      const pending = pendingSchema.parse(JSON.parse(opened)); // from `seal`
      return pending.endsAt > now.getTime() ? pending : null;
    },
  };
}
