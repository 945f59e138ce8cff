import { hostCount } from '@plimsoll/model';
import { beforeTagsChange } from '../../core/change-terms.ts';
import type { Database } from '../../core/database.ts';
import { inTransaction, statementsIn } from '../../core/transaction.ts';
import { recordAuditEvent, systemActor } from '../../people/audit-events.ts';
import { type LockedHost, lockHosts } from './locked-hosts.ts';

/** Gives all hosts their tags by rules that were changed. */
export interface TagWalk {
  /**
   * Changes the tags of hosts that differ from what the rules in force say, some per transaction; returns the number of
   * these hosts. Nothing to do: 0. May run several times at once, and goes on after it was stopped midway. Each transaction
   * writes one audit event with its hosts.
   */
  apply(): Promise<number>;
}

/** Hosts changed in one transaction. */
const hostsPerStep = 500;
/** Hosts judged in one statement. */
const hostsPerLook = 5_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/** The walk over the hosts of one database. */
export function createTagWalk(database: Database): TagWalk {
  return {
    async apply() {
      const changedAt = await dueSince(database);
      if (changedAt === null) return 0;
      let changed = 0;
      for (let after: string | null = firstId; after !== null; ) {
        const { last, differing }: Look = await look(database, after);
        for (let first = 0; first < differing.length; first += hostsPerStep)
          changed += await retag(database, differing.slice(first, first + hostsPerStep));
        after = last;
      }
      await end(database, changedAt);
      return changed;
    },
  };
}

/** When the rules were changed that not all hosts follow yet, as text with microseconds; null: there are none. */
async function dueSince({ pool }: Database): Promise<string | null> {
  const { rows } = await pool.query<{ at: string }>(
    `SELECT changed_at::text AS at FROM policies WHERE name = 'tags' AND document @> '{"applying": true}'`,
  );
  return rows[0]?.at ?? null;
}

interface Look {
  /** The last host that was looked at; null: there are no more. */
  readonly last: string | null;
  readonly differing: readonly string[];
}

async function look({ pool }: Database, after: string): Promise<Look> {
  const { rows } = await pool.query<{ last: string | null; differing: string[] | null }>(
    `SELECT max(id::text) AS last, array_agg(id::text ORDER BY id) FILTER (
       WHERE h.tags IS DISTINCT FROM h.set_tags || tags_by_rule(h, s.os_name, s.os_version)) AS differing
     FROM (SELECT id FROM hosts WHERE id > $1 ORDER BY id LIMIT $2) AS part JOIN hosts h USING (id)
     JOIN host_state s ON s.host_id = h.id`,
    [after, hostsPerLook],
  );
  return { last: rows[0]?.last ?? null, differing: rows[0]?.differing ?? [] };
}

/** The trigger of the table derives the tags, by the rules in force now, and has the hosts counted again. */
async function retag({ prisma }: Database, ids: readonly string[]): Promise<number> {
  return inTransaction(prisma, async (tx) => {
    await beforeTagsChange(statementsIn(tx));
    const before = await lockHosts(tx, ids, false);
    const { rows: after } = await statementsIn(tx).query<{ id: string; tags: readonly string[] }>(
      'UPDATE hosts SET set_tags = set_tags WHERE id = ANY($1::uuid[]) RETURNING id::text AS id, tags',
      [before.map(({ id }) => id)],
    );
    const changes = changesOf(before, new Map(after.map(({ id, tags }) => [id, tags])));
    if (changes.length > 0)
      await recordAuditEvent(tx, {
        action: 'tag_rules.applied',
        actor: systemActor('scheduler'),
        target: { kind: 'policy', id: 'tags', name: null },
        details: {
          hosts: changes.length,
          gained: byTag(changes.map(({ name, gained }) => ({ name, tags: gained }))),
          lost: byTag(changes.map(({ name, lost }) => ({ name, tags: lost }))),
        },
      });
    return changes.length;
  });
}

interface TagChange {
  readonly name: string;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** The hosts whose tags differ afterwards. */
function changesOf(
  before: readonly LockedHost[],
  after: ReadonlyMap<string, readonly string[]>,
): readonly TagChange[] {
  return before.flatMap(({ id, name, tags: had }) => {
    const has = after.get(id) ?? had;
    const gained = has.filter((tag) => !had.includes(tag));
    const lost = had.filter((tag) => !has.includes(tag));
    return gained.length + lost.length === 0 ? [] : [{ name, gained, lost }];
  });
}

/** Of one audit event: tags, and hosts that are named for each of them. */
const mostTags = 50;
const mostNames = 20;
/** Characters of a host's name. */
const longestName = 80;

/** One text per tag, the tags with most hosts first: `web (2 hosts: alpha, bravo)`. */
function byTag(
  changes: readonly { readonly name: string; readonly tags: readonly string[] }[],
): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { name, tags } of changes)
    for (const tag of tags) {
      const known = names.get(tag) ?? [];
      known.push(name);
      names.set(tag, known);
    }
  const sorted = [...names].sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  const lines = sorted.slice(0, mostTags).map(([tag, hosts]) => {
    const named = hosts.slice(0, mostNames).map((name) => Array.from(name).slice(0, longestName).join(''));
    const more = hosts.length - named.length;
    return `${tag} (${hostCount(hosts.length)}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
  });
  const left = sorted.length - lines.length;
  return left > 0 ? [...lines, `and ${left} more tags`] : lines;
}

/** Notes that all hosts follow the rules, unless they were changed again meanwhile. */
async function end({ pool }: Database, changedAt: string): Promise<void> {
  await pool.query(
    `UPDATE policies SET document = document || '{"applying": false}'
     WHERE name = 'tags' AND changed_at = $1::timestamptz`,
    [changedAt],
  );
}
