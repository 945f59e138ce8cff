import type { AuditActor, User } from '@plimsoll/db';

/** A user with the token of the request. */
export interface SignedInUser {
  readonly user: User;
  readonly token: { readonly jti: string; readonly expiresAt: Date };
}

/** Where a request comes from. */
interface Origin {
  readonly address: string;
  readonly requestId: string;
}

/** The audit actor of a request by a signed-in user. */
export function auditActorOf({ caller, ...origin }: Origin & { readonly caller: SignedInUser }): AuditActor {
  return userActor(caller.user.id, caller.user.email, origin);
}

/** A user who is not signed in yet; `id` is null if the e-mail address belongs to no account. */
export function userActor(id: string | null, email: string, { address, requestId }: Origin): AuditActor {
  return { kind: 'user', id, name: email, ipAddress: address || null, requestId };
}
