import type { AuditActor, LiveSession, SessionClaims, User } from '@plimsoll/db';
import type { ApiKeyId, HostScope, UserRole } from '@plimsoll/model';

/** What a caller may do and see: decided once, by `authenticate`. */
interface Rights {
  readonly user: User;
  /** The least of the roles of the user and of the credential. */
  readonly role: UserRole;
  /** The hosts that exist for the caller: those that exist for both the user and the credential. */
  readonly scope: HostScope;
}

/** A user with the session and access token of the request. */
export interface SignedInUser extends Rights {
  readonly session: LiveSession;
  readonly claims: SessionClaims;
  readonly apiKey: null;
}

/** A script with an API key of a user. */
export interface ApiKeyCaller extends Rights {
  readonly session: null;
  readonly claims: null;
  readonly apiKey: {
    readonly id: ApiKeyId;
    readonly name: string;
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
  const { user, apiKey } = caller;
  if (apiKey === null) return userActor(user.id, user.email, origin);
  return { ...userActor(null, `${apiKey.name} (${user.email})`, origin), kind: 'api_key', id: apiKey.id };
}

/** A user who is not signed in yet; `id` is null if the e-mail address belongs to no account. */
export function userActor(id: string | null, email: string, { address, requestId }: Origin): AuditActor {
  return { kind: 'user', id, name: email, ipAddress: address || null, requestId };
}
