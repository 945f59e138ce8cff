import type { AuditActor } from '@plimsoll/db';
import type { SignedInUser } from '../auth/signed-in-user.ts';

/** Who is told to have done what a user asked for. */
export function auditActorOf({
  caller,
  address,
}: {
  readonly caller: SignedInUser;
  readonly address: string;
}): AuditActor {
  return { id: caller.user.id, name: caller.user.email, ipAddress: address || null };
}
