import { type HostScope, tagsOfScope } from '@plimsoll/model';

/**
 * Whether a caller may see and change what belongs to a channel: a limited caller only channels that are limited to
 * tags of the caller.
 */
export function isOwnChannel(scope: HostScope, channel: HostScope): boolean {
  if (scope.kind === 'whole_fleet') return true;
  return channel.kind === 'tagged' && channel.tags.every((tag) => scope.tags.includes(tag));
}

/** SQL: the same for a table with the columns is_limited and tags. `parameter` is `tagsOfScope`, e.g. `$2`. */
export function ownChannelBySql(table: string, parameter: string): string {
  return `(${parameter}::text[] IS NULL OR (${table}.is_limited AND ${table}.tags <@ ${parameter}::text[]))`;
}

/** The parameter of `ownChannelBySql`. */
export function ownTags(scope: HostScope): string[] | null {
  return tagsOfScope(scope);
}
