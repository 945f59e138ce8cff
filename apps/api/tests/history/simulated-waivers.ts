import type { WaiverKind } from '@plimsoll/model';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import type { SeededRandom } from './seeded-random.ts';
import { binaries } from './simulated-hosts.ts';

/** A waiver of packages, and when it applied. */
export interface NaiveWaiver {
  readonly id: string;
  readonly kind: WaiverKind;
  /** Names of source or binary packages. */
  readonly packages: readonly string[];
  /** Ids of hosts; null: all. */
  readonly hosts: readonly string[] | null;
  readonly from: Date;
  readonly until: Date;
}

/** Invents waivers that applied between two times, some of them until later, and stores them. */
export async function addWaivers(
  pool: Pool,
  random: SeededRandom,
  of: { readonly hosts: readonly string[]; readonly from: Date; readonly to: Date },
): Promise<readonly NaiveWaiver[]> {
  const names = Object.values(binaries).flat();
  const spanMs = of.to.getTime() - of.from.getTime();
  const at = (percent: number) => new Date(of.from.getTime() + (spanMs * percent) / 100);
  const waivers = Array.from({ length: 24 }, (_, n): NaiveWaiver => {
    const [name, source] = random.pick(names);
    const start = random.between(0, 90);
    return {
      id: v7(),
      kind: n % 3 === 0 ? 'snoozed_until_fix' : 'risk_accepted',
      packages: [n % 2 === 0 ? name : source],
      hosts: n % 4 === 0 ? null : of.hosts.filter(() => random.chance(0.6)),
      from: at(start),
      until: at(start + random.between(2, 60)),
    };
  });
  for (const { id, kind, packages, hosts, from, until } of waivers)
    await pool.query(
      `INSERT INTO waivers (id, kind, advisories, packages, host_ids, tags, all_hosts, reason, created_by, created_at, expires_at, ended_at, end_cause)
       VALUES ($1, $2, '{}', $3, $4, '{}', $5, 'simulated', 'test', $6, $7, $8, $9)`,
      [
        id,
        kind,
        packages,
        hosts ?? [],
        hosts === null,
        from,
        until > of.to ? until : new Date(until.getTime() + spanMs),
        until > of.to ? null : until,
        until > of.to ? null : 'user',
      ],
    );
  return waivers;
}

/** The waivers with the ends of those that the service ended since, because a fix exists. */
export async function withEnds(pool: Pool, waivers: readonly NaiveWaiver[]): Promise<readonly NaiveWaiver[]> {
  const { rows } = await pool.query<{ id: string; at: Date }>(
    `SELECT id, ended_at AS at FROM waivers WHERE kind = 'snoozed_until_fix' AND ended_at < expires_at AND end_cause <> 'user'`,
  );
  const ends = new Map(rows.map(({ id, at }) => [id, at]));
  return waivers.map((waiver) => ({ ...waiver, until: ends.get(waiver.id) ?? waiver.until }));
}
