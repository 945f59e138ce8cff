import { AppError, type HostScope, isInScope, tagsOfScope } from '@plimsoll/model';
import type { Database } from '../../core/database.ts';
import type { Statements } from '../../core/transaction.ts';

/**
 * SQL: whether a column with the tags of a host is in a scope.
 * @param tags the parameter with `tagsOfScope`, e.g. `$2`
 */
export function inScopeBySql(column: string, tags: string): string {
  return `(${tags}::text[] IS NULL OR ${column} && ${tags}::text[])`;
}

/** The ids of the hosts of a scope: those among `ids`, or all if it is null. */
export async function findHostsInScope(
  { pool }: Pick<Database, 'pool'>,
  scope: HostScope,
  ids: readonly string[] | null,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM hosts WHERE ($1::uuid[] IS NULL OR id = ANY($1)) AND ${inScopeBySql('tags', '$2')}`,
    [ids, tagsOfScope(scope)],
  );
  return rows.map(({ id }) => id);
}

/** Whether a host exists and is in a scope. */
export async function isSeen(client: Statements, scope: HostScope, hostId: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM hosts WHERE id = $1 AND ${inScopeBySql('tags', '$2')}`, [
    hostId,
    tagsOfScope(scope),
  ]);
  return rows.length === 1;
}

/**
 * The tags of a host that a caller with a limited scope creates: a single tag of the scope is added by itself. Throws
 * `validation_failed` if the host would not be in the scope.
 */
export function tagsInScope(scope: HostScope, tags: readonly string[]): string[] {
  if (isInScope(scope, tags)) return [...tags];
  const own = tagsOfScope(scope) ?? [];
  if (own.length === 1) return [...tags, ...own];
  throw outOfScope(own);
}

/** Throws `validation_failed` for tags with which a host would leave the scope of the caller. */
export function requireInScope(scope: HostScope, tags: readonly string[]): void {
  if (!isInScope(scope, tags)) throw outOfScope(tagsOfScope(scope) ?? []);
}

function outOfScope(own: readonly string[]): AppError {
  const detail =
    own.length === 0
      ? 'none is allowed: this API key and its user share no tag'
      : `must contain at least one of: ${own.join(', ')}`;
  return new AppError('validation_failed', 'The host would not be visible to you.', {
    errors: [{ pointer: '/tags', detail }],
  });
}
