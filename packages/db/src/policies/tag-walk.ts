import { inTransaction, statementsIn } from '../connection/transaction.ts';
import type { Database } from '../database.ts';
import { lockHosts } from '../hosts/locked-hosts.ts';
import { beforeTagsChange } from '../terms/change-terms.ts';

/** Gives all hosts their tags by rules that were changed. */
export interface TagWalk {
  /**
   * Changes the tags of hosts that differ from what the rules in force say, some per transaction; returns the number of
   * these hosts. Nothing to do: 0. May run several times at once, and goes on after it was stopped midway.
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
    const hosts = await lockHosts(tx, ids, false);
    await statementsIn(tx).query('UPDATE hosts SET set_tags = set_tags WHERE id = ANY($1::uuid[])', [
      hosts.map(({ id }) => id),
    ]);
    return hosts.length;
  });
}

/** Notes that all hosts follow the rules, unless they were changed again meanwhile. */
async function end({ pool }: Database, changedAt: string): Promise<void> {
  await pool.query(
    `UPDATE policies SET document = document || '{"applying": false}'
     WHERE name = 'tags' AND changed_at = $1::timestamptz`,
    [changedAt],
  );
}
