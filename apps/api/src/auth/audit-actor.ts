import type { AuditActor } from '@plimsoll/db';
import type { SignedInUser } from './signed-in-user.ts';

/** From where something was asked for. */
interface Origin {
  readonly address: string;
  readonly requestId: string;
}

/** Who is told to have done what a user asked for. */
export function auditActorOf({ caller, ...origin }: Origin & { readonly caller: SignedInUser }): AuditActor {
  return userActor(caller.user.id, caller.user.email, origin);
}

/** A user who is not signed in yet; `id` is null for whoever only says to be one. */
export function userActor(id: string | null, email: string, { address, requestId }: Origin): AuditActor {
  return { kind: 'user', id, name: email, ipAddress: address || null, requestId };
}
