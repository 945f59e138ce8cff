import {
  AppError,
  type HostScope,
  type SignInRefusal,
  tagsOfScope,
  type UserId,
  type UserRole,
} from '@plimsoll/model';
import { type Database, newId } from '../core/database.ts';
import { databaseTime, inTransaction, type Transaction } from '../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from './audit-events.ts';
import { changeUser, lockUsers, requireAnAdmin, scopeRow, type UserChanges } from './change-user.ts';

/** A user whom an OpenID Connect provider has authenticated, with the access that its groups grant. */
export interface AdmittedIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  /** The hosts that exist for the user. */
  readonly scope: HostScope;
  /** Whether an account with this e-mail address may be taken over: the setting allows it, and the address is verified. */
  readonly linksByEmail: boolean;
}

/** The origin of the request in the audit events. */
type Origin = Pick<AuditActor, 'ipAddress' | 'requestId'>;

/** The user of an identity, or why there is none. */
export type Admission =
  | { readonly kind: 'admitted'; readonly userId: UserId }
  | { readonly kind: 'refused'; readonly reason: SignInRefusal; readonly userId: UserId | null };

/** Stores which users an OpenID Connect provider knows. */
export interface IdentityStore {
  /**
   * The user of an identity: the known one, an account with the same e-mail address if that is allowed, or a new one.
   * Gives the user the role, and the name and e-mail address of the provider. An address that another user has is not
   * taken over. Writes the audit events of the changes.
   */
  admit(identity: AdmittedIdentity, from: Origin): Promise<Admission>;
  /**
   * Ends the sessions of a user whom the provider grants nothing any more, and stops the user's API keys until the next
   * session starts. The first such call writes the audit event `user.access_withdrawn`. Unknown identities are ignored.
   */
  withdraw(identity: Pick<AdmittedIdentity, 'issuer' | 'subject'>, from: Origin): Promise<void>;
  /** The issuers of the users that have one, by id of the user. */
  issuersOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Marks a pending sign-in as used; false if it was used before. */
  spend(id: string, expiresAt: Date): Promise<boolean>;
}

/** The identities of one database. */
export function createIdentityStore({ prisma }: Database): IdentityStore {
  return {
    async admit(identity, from) {
      try {
        return await inTransaction(prisma, async (tx) => {
          await lockUsers(tx);
          return admitIn(tx, identity, from);
        });
      } catch (error) {
        if (!(error instanceof AdmissionRefused)) throw error;
        return { kind: 'refused', reason: error.reason, userId: error.userId };
      }
    },
    withdraw: (identity, from) => inTransaction(prisma, (tx) => withdrawIn(tx, identity, from)),
    async issuersOf(userIds) {
      const rows = await prisma.userIdentity.findMany({
        where: { userId: { in: [...userIds] } },
        select: { userId: true, issuer: true },
        orderBy: { createdAt: 'asc' },
      });
      return new Map(rows.map(({ userId, issuer }) => [userId, issuer]));
    },
    async spend(id, expiresAt) {
      const spent = await prisma.spentSignIn.createMany({ data: { id, expiresAt }, skipDuplicates: true });
      return spent.count === 1;
    },
  };
}

/** Ends the transaction of an admission. */
class AdmissionRefused extends Error {
  readonly reason: SignInRefusal;
  readonly userId: UserId | null;

  constructor(reason: SignInRefusal, userId: UserId | null) {
    super(reason);
    this.reason = reason;
    this.userId = userId;
  }
}

async function admitIn(tx: Transaction, identity: AdmittedIdentity, from: Origin): Promise<Admission> {
  const { issuer, subject, email, role, scope, name } = identity;
  const known = await tx.userIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { userId: true },
  });
  if (known !== null) return update(tx, known.userId as UserId, identity, from); // Only this store writes it.
  const owner = await tx.user.findUnique({
    where: { email },
    select: { id: true, identities: { where: { issuer }, select: { subject: true } } },
  });
  if (owner !== null) {
    // With another subject of this issuer it is another person's account.
    if (!identity.linksByEmail || owner.identities.length > 0)
      throw new AdmissionRefused('email_taken', null);
    const userId = owner.id as UserId; // Only the user store writes it.
    await link(tx, userId, identity, from);
    return update(tx, userId, identity, from);
  }
  const userId = newId<UserId>();
  await tx.user.createMany({
    data: { id: userId, email, name, role, ...scopeRow(scope), passwordHash: null },
  });
  await requireAnAdmin(tx).catch(refuseConflict('no_admin_yet', null));
  await tx.userIdentity.createMany({ data: { issuer, subject, userId } });
  await recordAuditEvent(tx, {
    action: 'user.created',
    actor: actorOf(userId, email, from),
    target: { kind: 'user', id: userId, name: email },
    details: { name, role, tags: tagsOfScope(scope), issuer },
  });
  return { kind: 'admitted', userId };
}

async function link(
  tx: Transaction,
  userId: UserId,
  { issuer, subject, email }: AdmittedIdentity,
  from: Origin,
): Promise<void> {
  await tx.userIdentity.createMany({ data: { issuer, subject, userId } });
  await recordAuditEvent(tx, {
    action: 'user.identity_linked',
    actor: actorOf(userId, email, from),
    target: { kind: 'user', id: userId, name: email },
    details: { issuer },
  });
}

async function update(
  tx: Transaction,
  userId: UserId,
  { email, name, role, scope }: AdmittedIdentity,
  from: Origin,
): Promise<Admission> {
  const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true, disabledAt: true } });
  if (user === null || user.disabledAt !== null) throw new AdmissionRefused('disabled', userId);
  const other = await tx.user.findFirst({ where: { email, id: { not: userId } }, select: { id: true } });
  const changes: UserChanges = {
    role,
    scope,
    ...(other === null ? { email } : {}),
    ...(name === '' ? {} : { name }),
  };
  await changeUser(tx, userId, changes, actorOf(userId, user.email, from)).catch(
    refuseConflict('last_admin', userId),
  );
  return { kind: 'admitted', userId };
}

async function withdrawIn(
  tx: Transaction,
  { issuer, subject }: Pick<AdmittedIdentity, 'issuer' | 'subject'>,
  from: Origin,
): Promise<void> {
  await lockUsers(tx);
  const known = await tx.userIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { user: { select: { id: true, email: true, accessWithdrawnAt: true } } },
  });
  if (known === null) return;
  const { id, email, accessWithdrawnAt } = known.user;
  await tx.user.updateMany({
    where: { id },
    data: {
      tokenGeneration: { increment: 1 },
      accessWithdrawnAt: accessWithdrawnAt ?? (await databaseTime(tx)),
    },
  });
  if (accessWithdrawnAt !== null) return;
  await recordAuditEvent(tx, {
    action: 'user.access_withdrawn',
    actor: actorOf(id as UserId, email, from), // Only the user store writes it.
    target: { kind: 'user', id, name: email },
    details: { issuer },
  });
}

/** A conflict is the rule that an admin remains: free e-mail addresses were checked before. */
function refuseConflict(reason: SignInRefusal, userId: UserId | null) {
  return (error: unknown): never => {
    throw error instanceof AppError && error.code === 'conflict'
      ? new AdmissionRefused(reason, userId)
      : error;
  };
}

function actorOf(id: UserId, name: string, from: Origin): AuditActor {
  return { kind: 'user', id, name, ...from };
}
