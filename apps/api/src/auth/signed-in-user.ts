import type { User } from '@plimsoll/db';

/** A user with the token of the request. */
export interface SignedInUser {
  readonly user: User;
  readonly token: { readonly jti: string; readonly expiresAt: Date };
}
