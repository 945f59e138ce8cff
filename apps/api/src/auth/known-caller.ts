import type { AuditActor, AuthenticatedHost, EnrolmentStore, UserStore } from '@plimsoll/db';
import { AppError, type HostId, type UserId } from '@plimsoll/model';
import { accountOf, auditActorOf, type UserCaller } from './signed-in-user.ts';

/** A caller with a valid credential. */
export type AuthenticatedCaller = UserCaller | AuthenticatedHost;

/** A caller whose credential is genuine, even if it has ended or does not suffice. */
export interface KnownCaller {
  readonly kind: 'user' | 'api_key' | 'host';
  /** The id of the user, API key or host. */
  readonly id: string;
  /** The name for the audit log; null if it has to be looked up. */
  readonly name: string | null;
  /** A host whose token another one has replaced. A copy of the old token may be in use. */
  readonly reused?: true;
}

const callers = new WeakMap<AppError, KnownCaller>();

/** Notes with an error of authentication which caller it is about; returns the error. */
export function aboutCaller(error: AppError, caller: KnownCaller): AppError {
  callers.set(error, caller);
  return error;
}

/** An authenticated caller as the audit log names it. */
export function callerKnownAs(caller: AuthenticatedCaller): KnownCaller {
  if ('hostId' in caller) return { kind: 'host', id: caller.hostId, name: null };
  const { kind, id, name } = auditActorOf({ caller, address: '', requestId: '' });
  return { kind: kind === 'api_key' ? kind : 'user', id: id ?? accountOf(caller), name };
}

/** The known caller of a request that failed: as authenticated, or as noted with the error; null if the request names none. */
export function knownCallerOf(error: unknown, caller: AuthenticatedCaller | null): KnownCaller | null {
  if (caller !== null) return callerKnownAs(caller);
  return (error instanceof AppError ? callers.get(error) : undefined) ?? null;
}

/**
 * Whether an error says that the caller may not do something. To a caller that is limited to tags, a host that it may not
 * see does not exist.
 */
export function isDenial({ code }: AppError, caller: AuthenticatedCaller | null): boolean {
  if (code === 'forbidden' || code === 'unauthenticated') return true;
  return code === 'not_found' && caller !== null && 'scope' in caller && caller.scope.kind !== 'whole_fleet';
}

/** The stores with the names of callers. */
export interface CallerNames {
  readonly users: Pick<UserStore, 'findById'>;
  readonly enrolments: Pick<EnrolmentStore, 'hostName'>;
}

/** The audit actor for a known caller; its id is also its name if it was deleted. */
export async function actorOfKnown(
  caller: KnownCaller,
  { address, requestId }: { readonly address: string; readonly requestId: string },
  { users, enrolments }: CallerNames,
): Promise<AuditActor> {
  // The kind says whose id it is.
  const found =
    caller.name ??
    (caller.kind === 'host'
      ? await enrolments.hostName(caller.id as HostId)
      : (await users.findById(caller.id as UserId))?.email);
  const { kind, id } = caller;
  return { kind, id, name: found ?? id, ipAddress: address || null, requestId };
}
