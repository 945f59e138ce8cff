import { AppError, type HostGroupId, type HostScope, isInScope, type UserId } from '@plimsoll/model';
import { type Database, isUuid } from '../../core/database.ts';
import { inTransaction, type Transaction } from '../../core/transaction.ts';
import type { HostGroup as GroupRow } from '../../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';
import { changedFields } from '../../people/changed-fields.ts';

/** The filters of GET /hosts by name, as text. */
export type GroupFilter = Readonly<Record<string, string>>;

/** A saved selection of hosts. */
export interface HostGroup {
  readonly id: HostGroupId;
  readonly name: string;
  readonly filter: GroupFilter;
  /** Whether everybody sees it; otherwise only its owner does. */
  readonly shared: boolean;
  /** Null: the user was deleted. */
  readonly owner: { readonly id: UserId; readonly email: string } | null;
  readonly createdAt: Date;
}

/** Fields of a group that can be changed. */
export type GroupChanges = Partial<Pick<HostGroup, 'name' | 'filter' | 'shared'>>;

/** The most groups of one user, and of all users together. */
export const mostGroups = { ofUser: 100, shared: 200 };

/**
 * Which groups exist for a caller: its own (person null, an API key: none) and, of shared ones, all or, for a caller who is
 * limited to tags, those with a filter for one of them, which can have no other hosts.
 */
export interface GroupReader {
  readonly person: UserId | null;
  readonly scope: HostScope;
}

/** A caller who makes groups, and whose limits they use up. */
export interface GroupMaker extends GroupReader {
  readonly account: UserId;
}

/** Stores groups: selections, not lists of hosts, so that what a reader sees depends on the reader's own tags alone. */
export interface GroupStore {
  /** The groups that exist for a reader, by name. */
  list(reader: GroupReader): Promise<readonly HostGroup[]>;
  /** Null if it does not exist for the reader. */
  find(id: string, reader: GroupReader): Promise<HostGroup | null>;
  /** The account becomes the owner. Throws `conflict` for a name that the maker sees already, or too many groups. */
  create(
    group: Pick<HostGroup, 'id' | 'name' | 'filter' | 'shared'>,
    maker: GroupMaker,
    by: AuditActor,
  ): Promise<void>;
  /** Null as in `find`. Throws as `create`. */
  update(id: string, changes: GroupChanges, reader: GroupMaker, by: AuditActor): Promise<HostGroup | null>;
  /** False where `find` gives null. */
  delete(id: string, reader: GroupReader, by: AuditActor): Promise<boolean>;
}

/** The groups of one database. */
export function createGroupStore({ prisma }: Database): GroupStore {
  const find = async (on: Pick<Transaction, 'hostGroup'>, id: string, reader: GroupReader) =>
    isUuid(id) ? ((await groupsOf(on, reader, { id }))[0] ?? null) : null;
  return {
    list: (reader) => groupsOf(prisma, reader, {}),
    find: (id, reader) => find(prisma, id, reader),
    create: (group, maker, by) =>
      inTransaction(prisma, async (tx) => {
        const { id, name, filter, shared } = group;
        await requireRoom(tx, { name, shared, id }, maker);
        await tx.hostGroup.createMany({ data: { id, name, filter, shared, ownerId: maker.account } });
        await recordAuditEvent(tx, {
          action: 'group.created',
          actor: by,
          target: { kind: 'group', id, name },
          details: { shared, filter: wordsOf(filter) },
        });
      }),
    update: (id, changes, reader, by) =>
      inTransaction(prisma, async (tx) => {
        const before = await find(tx, id, reader);
        if (before === null) return null;
        const { name = before.name, filter = before.filter, shared = before.shared } = changes;
        const details = changedFields(
          { name: before.name, filter: wordsOf(before.filter), shared: before.shared },
          { name, filter: wordsOf(filter), shared },
        );
        if (details === null) return before;
        await requireRoom(tx, { name, shared, id }, reader);
        const { count } = await tx.hostGroup.updateMany({ where: { id }, data: { name, filter, shared } });
        if (count === 0) return null;
        const target = { kind: 'group', id, name: before.name } as const;
        await recordAuditEvent(tx, { action: 'group.updated', actor: by, target, details });
        return { ...before, name, filter, shared };
      }),
    delete: (id, reader, by) =>
      inTransaction(prisma, async (tx) => {
        const group = await find(tx, id, reader);
        if (group === null) return false;
        const { count } = await tx.hostGroup.deleteMany({ where: { id } });
        if (count === 0) return false;
        const target = { kind: 'group', id, name: group.name } as const;
        await recordAuditEvent(tx, { action: 'group.deleted', actor: by, target, details: {} });
        return true;
      }),
  };
}

const withOwner = { include: { owner: { select: { id: true, email: true } } } } as const;

/** The groups with some fields that exist for a reader, by name. There are only hundreds. */
async function groupsOf(
  on: Pick<Transaction, 'hostGroup'>,
  { person, scope }: GroupReader,
  fields: { readonly id?: string; readonly name?: string },
): Promise<readonly HostGroup[]> {
  const seen = { OR: [{ shared: true }, ...(person === null ? [] : [{ ownerId: person }])] };
  const orderBy = [{ name: 'asc' }, { id: 'asc' }] as const;
  const rows = await on.hostGroup.findMany({
    where: { ...fields, ...seen },
    orderBy: [...orderBy],
    ...withOwner,
  });
  return rows
    .map(toGroup)
    .filter(({ owner, filter }) => (owner !== null && owner.id === person) || isWithin(filter, scope));
}

/** Whether a filter can select no host outside of a scope. */
export function isWithin({ tag }: GroupFilter, scope: HostScope): boolean {
  return isInScope(scope, tag === undefined ? [] : [tag]);
}

/** Throws `conflict` for a second group of a name, or one group too many. One group at a time is added or changed. */
async function requireRoom(
  tx: Transaction,
  {
    id,
    name,
    shared,
  }: Pick<HostGroup, 'id' | 'name' | 'shared'> | { id: string; name: string; shared: boolean },
  reader: GroupMaker,
): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('plimsoll host groups', 0))::text AS locked`;
  const others = { id: { not: id } };
  const named = await groupsOf(tx, reader, { name });
  if (named.some((other) => other.id !== id)) throw new AppError('conflict', 'Another group has this name.');
  const [own, all] = [
    await tx.hostGroup.count({ where: { ...others, ownerId: reader.account } }),
    await tx.hostGroup.count({ where: { ...others, shared: true } }),
  ];
  if (own >= mostGroups.ofUser)
    throw new AppError(
      'conflict',
      `A user has at most ${mostGroups.ofUser} groups. Delete one that is not used.`,
    );
  if (shared && all >= mostGroups.shared)
    throw new AppError(
      'conflict',
      `There are at most ${mostGroups.shared} shared groups. Delete one that is not used.`,
    );
}

/** A filter as the audit log shows it: `tag=web`. */
function wordsOf(filter: GroupFilter): readonly string[] {
  return Object.entries(filter)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
}

type RowWithOwner = GroupRow & { readonly owner: { readonly id: string; readonly email: string } | null };

/** Only this store writes ids and filters. */
function toGroup({ id, name, filter, shared, owner, createdAt }: RowWithOwner): HostGroup {
  return {
    id: id as HostGroupId,
    name,
    filter: filter as GroupFilter,
    shared,
    owner: owner === null ? null : { id: owner.id as UserId, email: owner.email },
    createdAt,
  };
}
