import type { UserStore } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';

/** Lets requests through while no user exists. */
export interface SetupGate {
  /** Throws `setup_complete` once there is a user. */
  requireOpen(): Promise<void>;
}

/** The gate before the setup. Closed for good once it was closed: the last admin cannot be removed. */
export function createSetupGate(users: Pick<UserStore, 'anyUserExists'>): SetupGate {
  let closed = false;
  return {
    async requireOpen() {
      closed ||= await users.anyUserExists();
      if (closed) throw new AppError('setup_complete', 'The setup is already complete. Sign in.');
    },
  };
}
