import { type HostScope, narrowScope } from '@plimsoll/model';
import { type Database, isUuid } from '../core/database.ts';
import { type GroupFilter, isWithin } from '../fleet/hosts/group-store.ts';
import type { HostFilters } from '../fleet/hosts/query.ts';
import { scopeOfRow } from '../people/change-user.ts';

/** Reads the filter of a group; null: it has a filter that is not known any more. */
export type ParseGroup = (filter: GroupFilter) => HostFilters | null;

/** What a bulletin may be about at this moment, or why it is about nothing, as a sentence. */
export type BulletinRights =
  | {
      readonly kind: 'allowed';
      readonly name: string;
      readonly scope: HostScope;
      readonly filters: HostFilters;
      readonly about: { readonly kind: 'all' | 'group' | 'tag'; readonly name: string };
      /** What the last one said; not parsed. */
      readonly base: unknown;
    }
  | { readonly kind: 'refused'; readonly reason: string };

interface Row {
  readonly name: string;
  readonly groupId: string | null;
  readonly tag: string | null;
  readonly base: unknown;
  readonly own: { readonly isLimited: boolean; readonly tags: string[] };
  readonly channel: { readonly isLimited: boolean; readonly tags: string[] };
  readonly owner: {
    readonly email: string;
    readonly role: string;
    readonly isLimited: boolean;
    readonly tags: string[];
    readonly isActive: boolean;
  } | null;
  readonly group: {
    readonly name: string;
    readonly filter: GroupFilter;
    readonly shared: boolean;
    readonly isOwn: boolean;
  } | null;
}

/**
 * The rights of a bulletin: the hosts that its maker may see now, by the credential with which it was made, and that its
 * channel may be told about. Null if it does not exist.
 */
export async function loadRights(
  { pool }: Database,
  id: string,
  parseGroup: ParseGroup,
): Promise<BulletinRights | null> {
  if (!isUuid(id)) return null;
  const { rows } = await pool.query<Row>(
    `SELECT b.name, b.group_id AS "groupId", b.tag, b.base,
       jsonb_build_object('isLimited', b.is_limited, 'tags', b.tags) AS own,
       jsonb_build_object('isLimited', c.is_limited, 'tags', c.tags) AS channel,
       CASE WHEN u.id IS NOT NULL THEN jsonb_build_object('email', u.email, 'role', u.role, 'isLimited', u.is_limited,
         'tags', u.tags, 'isActive', u.disabled_at IS NULL AND u.access_withdrawn_at IS NULL) END AS owner,
       CASE WHEN g.id IS NOT NULL THEN jsonb_build_object('name', g.name, 'filter', g.filter,
         'shared', g.shared, 'isOwn', coalesce(g.owner_id = b.owner_id, false)) END AS "group"
     FROM notification_bulletins b JOIN notification_channels c ON c.id = b.channel_id
     LEFT JOIN users u ON u.id = b.owner_id LEFT JOIN host_groups g ON g.id = b.group_id WHERE b.id = $1`,
    [id],
  );
  const [row] = rows;
  return row === undefined ? null : rightsOf(row, parseGroup);
}

function rightsOf(
  { name, groupId, tag, base, own, channel, owner, group }: Row,
  parseGroup: ParseGroup,
): BulletinRights {
  if (owner === null) return refused('The user who made this report was deleted: make it again.');
  if (!owner.isActive || (owner.role !== 'operator' && owner.role !== 'admin'))
    return refused(`${owner.email}, who made this report, may not send reports any more: make it again.`);
  const makerScope = narrowScope(scopeOfRow(owner), scopeOfRow(own));
  const scope = narrowScope(makerScope, scopeOfRow(channel));
  const allowed = { kind: 'allowed', name, scope, base } as const;
  if (groupId !== null) {
    const isSeen = group !== null && (group.isOwn || (group.shared && isWithin(group.filter, makerScope)));
    const filters = isSeen ? parseGroup(group.filter) : null;
    if (group === null || filters === null)
      return refused(
        'The group of this report was deleted, is not shared any more, has hosts that its maker may not see, or has an unknown filter.',
      );
    return { ...allowed, filters, about: { kind: 'group', name: group.name } };
  }
  if (tag !== null) return { ...allowed, filters: { tag }, about: { kind: 'tag', name: tag } };
  return { ...allowed, filters: {}, about: { kind: 'all', name: '' } };
}

function refused(reason: string): BulletinRights {
  return { kind: 'refused', reason };
}
