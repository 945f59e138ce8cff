import type { Operation } from '@plimsoll/contract';
import type { User } from '@plimsoll/db';
import { AppError, type UserRole } from '@plimsoll/model';
import type { Request } from 'express';
import { sentHeaders } from '../http/request-fields.ts';
import type { SignedInUser } from './signed-in-user.ts';

/** What users must prove besides a password, and how often. */
export interface ProofSettings {
  /** Roles whose users can do nothing without a second factor but set one up. */
  readonly secondFactorRoles: readonly UserRole[];
  /** Minutes after a proof of the user in which a session may call operations marked `recent`. */
  readonly reauthenticateMinutes: number;
}

/** Whether users with a role need a second factor. */
export function needsFactor(role: UserRole, { secondFactorRoles }: ProofSettings): boolean {
  return secondFactorRoles.includes(role);
}

/**
 * Throws `second_factor_required` for a user whose role needs a second factor and who has none, unless the operation is
 * one of those to set one up, or an identity provider signed the user in. Throws `reauthentication_required` for an
 * operation marked `recent` if the user proved itself too long ago; both times are of the database clock.
 */
export function requireProof(
  { user, session }: SignedInUser,
  { recent, withoutFactor }: Operation,
  settings: ProofSettings,
): void {
  const lacksFactor =
    needsFactor(user.role, settings) && user.secondFactorAt === null && session.method !== 'oidc';
  if (lacksFactor && !withoutFactor) {
    throw new AppError(
      'second_factor_required',
      `Users with the role ${user.role} need a second factor. Set up an authenticator app (POST /auth/totp) or a ` +
        'passkey (POST /auth/passkeys/options) first; the dashboard does so under “Your account”.',
    );
  }
  const age = session.checkedAt.getTime() - session.authenticatedAt.getTime();
  if (recent && age > settings.reauthenticateMinutes * 60_000) {
    throw new AppError(
      'reauthentication_required',
      `This needs a proof of who you are that is at most ${settings.reauthenticateMinutes} minutes old. Send your ` +
        'second factor, or your password if you have none, to POST /auth/reauthenticate, or sign in again, and ' +
        'repeat the request.',
    );
  }
}

/**
 * Throws `second_factor_required` for API keys with a role that needs a second factor, while their owner has none. Owners
 * without a password are exempt: only their identity provider signs them in, which asks for its own factors.
 */
export function requireFactorOfOwner(
  role: UserRole,
  owner: Pick<User, 'secondFactorAt' | 'passwordHash'>,
  settings: ProofSettings,
): void {
  if (isFactorMissing(role, owner, settings)) {
    throw new AppError(
      'second_factor_required',
      `API keys with the role ${role} work only while their owner has a second factor. Set up an authenticator app or a passkey; ` +
        'the dashboard does so under “Your account”.',
    );
  }
}

/** Whether requireFactorOfOwner throws. */
export function isFactorMissing(
  role: UserRole,
  { secondFactorAt, passwordHash }: Pick<User, 'secondFactorAt' | 'passwordHash'>,
  settings: ProofSettings,
): boolean {
  return needsFactor(role, settings) && secondFactorAt === null && passwordHash !== null;
}

/** Whether an address belongs to a trusted proxy; Express makes it from `trust proxy`. */
type IsTrusted = (address: string, hop: number) => boolean;

/**
 * Throws `unauthenticated` unless a trusted proxy says that the client has the certificate of `hostname`: in one header
 * named `header`, with the name alone, upper or lower case. Null: no certificate is required.
 */
export function requireClientName(request: Request, hostname: string, header: string | null): void {
  if (header === null) return;
  const isTrusted = request.app.get('trust proxy fn') as IsTrusted; // Express documents no other way.
  const [name, ...more] = sentHeaders(request, header.toLowerCase());
  const isFromProxy = isTrusted(request.socket.remoteAddress ?? '', 0);
  const isSame = name !== undefined && more.length === 0 && name.toLowerCase() === hostname.toLowerCase();
  if (isFromProxy && isSame) return;
  throw new AppError('unauthenticated', "The request needs the host's own client certificate.");
}
