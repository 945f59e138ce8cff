import { createHash } from 'node:crypto';
import type { RepositoryIdentity } from '@plimsoll/advisories';
import type { PgTransaction } from '../connection/pg-transaction.ts';

/** A repository, as its copies refer to it. */
export interface KnownRepository {
  readonly id: number;
  readonly newestAt: Date | null;
}

/** Stores new repositories, in the order of their digests to avoid deadlocks; returns all by key. */
export async function internRepositories(
  tx: PgTransaction,
  identities: readonly RepositoryIdentity[],
): Promise<ReadonlyMap<string, KnownRepository>> {
  const byDigest = new Map(identities.map((identity) => [digestOf(identity.key), identity]));
  const digests = [...byDigest.keys()].sort();
  const found = await load(tx, digests);
  const missing = digests.filter((digest) => !found.has(digest));
  if (missing.length > 0) {
    const column = (name: keyof RepositoryIdentity) =>
      missing.map((digest) => byDigest.get(digest)?.[name] ?? '');
    await tx.query(
      `INSERT INTO repositories (key, name, origin, suite, component, architecture, base)
       SELECT decode(d, 'hex'), n, o, s, c, a, b
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
         AS r (d, n, o, s, c, a, b) ORDER BY d
       ON CONFLICT (key) DO NOTHING`,
      [missing, ...(['name', 'origin', 'suite', 'component', 'architecture', 'base'] as const).map(column)],
    );
    for (const [digest, repository] of await load(tx, missing)) found.set(digest, repository);
  }
  return new Map(
    [...found].map(([digest, repository]) => [byDigest.get(digest)?.key ?? '', repository] as const),
  );
}

async function load(tx: PgTransaction, digests: readonly string[]): Promise<Map<string, KnownRepository>> {
  const { rows } = await tx.query<KnownRepository & { digest: string }>(
    `SELECT encode(key, 'hex') AS digest, id, newest_at AS "newestAt" FROM repositories
     WHERE key IN (SELECT decode(d, 'hex') FROM unnest($1::text[]) d)`,
    [digests],
  );
  return new Map(rows.map(({ digest, id, newestAt }) => [digest, { id, newestAt }]));
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
