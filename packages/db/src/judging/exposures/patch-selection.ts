import { isSilentBySql } from './silent-hosts.ts';
import type { TimeToPatchQuestion } from './time-to-patch-question.ts';

/** SQL: `hosts h` is approved, or was until after the time in a parameter, when it was retired. */
export function wasInService(from: string): string {
  return `(h.approval_status = 'approved' OR h.retired_at > ${from})`;
}

type Asked = Pick<TimeToPatchQuestion, 'tags' | 'hosts'>;

/** SQL: `hosts h` has a tag of each list and is one of the hosts of a question, in parameters from `first` on. */
export function areAsked({ tags, hosts }: Asked, first: number): string {
  const conditions = tags.map((_list, n) => `AND h.tags && $${first + n}::text[]`);
  if (hosts !== undefined) conditions.push(`AND h.id = ANY($${first + tags.length}::uuid[])`);
  return conditions.join(' ');
}

/** The values of these parameters. */
export function askedValues({ tags, hosts }: Asked): readonly unknown[] {
  return hosts === undefined ? tags : [...tags, hosts];
}

/**
 * SQL: the hosts of a question, as (id, is_silent, retired_at, first_snapshot_at, release_id). The parameters are the start and the
 * end of the period, now, and `more` others of the caller; then `askedValues`. A host is silent if the content that it had at the end of
 * the period was neither received nor confirmed since the start of the period.
 */
export function chosenHosts(asked: Asked, more: number): string {
  return `SELECT h.id, h.retired_at, hs.first_snapshot_at, hs.release_id, ${isSilentBySql} AS is_silent
    FROM hosts h LEFT JOIN host_state hs ON hs.host_id = h.id LEFT JOIN host_contacts c ON c.host_id = h.id
    WHERE ${wasInService('$1')} AND h.created_at < $2 ${areAsked(asked, 4 + more)}`;
}
