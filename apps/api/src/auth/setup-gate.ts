import type { UserStore } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';

/** Allows requests while no user exists. */
export interface SetupGate {
  /** Throws `setup_complete` once a user exists. */
  requireOpen(): Promise<void>;
}

/** The gate before setup. It never reopens: the last admin cannot be removed. */
export function createSetupGate(users: Pick<UserStore, 'anyUserExists'>): SetupGate {
  let closed = false;
  return {
    async requireOpen() {
      closed ||= await users.anyUserExists();
      if (closed) throw new AppError('setup_complete', 'The setup is already complete. Sign in.');
    },
  };
}
