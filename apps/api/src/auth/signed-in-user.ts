import type { AuditActor, LiveSession, SessionClaims, User } from '@plimsoll/db';
import type { ApiKeyId, HostScope, UserId, UserRole } from '@plimsoll/model';

/** What a caller may do and see: decided once, by `authenticate`. */
interface Rights {
  /** The least of the roles of the user and of the credential. */
  readonly role: UserRole;
  /** The hosts that exist for the caller: those that exist for both the user and the credential. */
  readonly scope: HostScope;
}

/** A user with the session and access token of the request. */
export interface SignedInUser extends Rights {
  readonly user: User;
  readonly session: LiveSession;
  readonly claims: SessionClaims;
  readonly apiKey: null;
}

/**
 * A script with an API key. It acts as itself within the rights of its owner: what belongs to the owner as a person does not exist for it, so it
 * has no `user` to compare with.
 */
export interface ApiKeyCaller extends Rights {
  readonly session: null;
  readonly claims: null;
  readonly apiKey: {
    readonly id: ApiKeyId;
    readonly name: string;
    readonly owner: User;
    /** Both by the database clock. */
    readonly expiresAt: Date;
    readonly checkedAt: Date;
  };
}

/** A user, in person or by an API key. */
export type UserCaller = SignedInUser | ApiKeyCaller;

/** Where a request comes from. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
}

/** The audit actor of a request by a user or an API key. */
export function auditActorOf({ caller, ...origin }: Origin & { readonly caller: UserCaller }): AuditActor {
  const { apiKey } = caller;
  if (apiKey === null) return userActor(caller.user.id, caller.user.email, origin);
  return { ...userActor(null, nameOf(caller), origin), kind: 'api_key', id: apiKey.id };
}

/** The name of a caller in the audit log and in documents. */
export function nameOf(caller: UserCaller): string {
  const { apiKey } = caller;
  return apiKey === null ? caller.user.email : `${apiKey.name} (${apiKey.owner.email})`;
}

/** The account whose limits a caller uses up. */
export function accountOf(caller: UserCaller): UserId {
  return caller.apiKey === null ? caller.user.id : caller.apiKey.owner.id;
}

/** Whose own things exist for a caller; null for an API key: none. */
export function personOf(caller: UserCaller): UserId | null {
  return caller.apiKey === null ? caller.user.id : null;
}

/** A user who is not signed in yet; `id` is null if the e-mail address belongs to no account. */
export function userActor(id: string | null, email: string, { address, requestId }: Origin): AuditActor {
  return { kind: 'user', id, name: email, ipAddress: address || null, requestId };
}
