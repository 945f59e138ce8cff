import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Operator } from './operator.ts';

/** What a running service changes by itself from minute to minute, and what its rounds derive from the rest. */
const restless = [
  'instances',
  'rounds',
  'rate_limits',
  'sessions',
  'fleet_days',
  'fleet_tag_days',
  'notification_conditions',
  'retention_clock',
  'exposure_walk_state',
  'exposure_counts',
  'patch_rhythms',
  'set_postings',
  'posted_blocks',
];

/** The rows of each table of an operator's running service. */
export async function tableCounts({ folder }: Operator): Promise<Readonly<Record<string, number>>> {
  const url = new URL((await readFile(path.join(folder, 'data/database.url'), 'utf8')).trim());
  url.username = 'plimsoll';
  url.password = (await readFile(path.join(folder, 'data/postgres/password'), 'utf8')).trim();
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of rows.filter((row) => !restless.includes(row.name))) {
      const counted = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${name}"`);
      counts[name] = counted.rows[0]?.n ?? 0;
    }
    return counts;
  } finally {
    await client.end();
  }
}

/** The files below `data/secrets` with their contents, without the passwords of roles, which each machine has of its own. */
export async function secretsOf(operator: Operator): Promise<string> {
  const { output } = await operator.run(
    'cd data/secrets; find . -type f | grep -v /database/ | sort | xargs sha256sum',
  );
  return output;
}
