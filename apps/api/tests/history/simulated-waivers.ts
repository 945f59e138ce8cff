import type { WaiverKind } from '@plimsoll/model';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import type { SeededRandom } from './seeded-random.ts';
import { binaries } from './simulated-hosts.ts';

/** A waiver of packages, and when it applied. */
export interface NaiveWaiver {
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
      kind: n % 3 === 0 ? 'snoozed_until_fix' : 'risk_accepted',
      packages: [n % 2 === 0 ? name : source],
      hosts: n % 4 === 0 ? null : of.hosts.filter(() => random.chance(0.6)),
      from: at(start),
      until: at(start + random.between(2, 60)),
    };
  });
  for (const { kind, packages, hosts, from, until } of waivers)
    await pool.query(
      `INSERT INTO waivers (id, kind, advisories, packages, host_ids, tags, all_hosts, reason, created_by, created_at, expires_at, ended_at, end_cause)
       VALUES ($1, $2, '{}', $3, $4, '{}', $5, 'simulated', 'test', $6, $7, $8, $9)`,
      [
        v7(),
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
