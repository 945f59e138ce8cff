import type { Database } from '@plimsoll/db';
import type { PackageVersionId } from '@plimsoll/model';
import { decodePackageSet, encodePackageSet } from '../packages/db/src/interning/package-set.ts';

/** Hosts inserted per statement. */
const hostsPerInsert = 2_000;
/**
 * The number of hosts in 100 with their own package set; measured at installations with configuration
 * management.
 */
const ownSetsPercent = 59;

interface ModelHost {
  readonly hostId: string;
  readonly ids: Uint8Array;
}

/**
 * Copies stored and matched hosts until there are `count` hosts. A copy has the facts, updates and counts of
 * its original; 59 of 100 copies lack some packages and therefore have their own package set. Payloads are
 * not copied.
 */
export async function cloneHosts({ pool }: Database, count: number): Promise<void> {
  const { rows: models } = await pool.query<ModelHost>(
    `SELECT hs.host_id AS "hostId", ps.ids FROM host_state hs JOIN package_sets ps ON ps.id = hs.set_id
     WHERE hs.snapshot_id IS NOT NULL ORDER BY hs.host_id`,
  );
  const decoded = models.map(({ ids }) => decodePackageSet(ids));
  for (let first = models.length; first < count; first += hostsPerInsert) {
    const size = Math.min(hostsPerInsert, count - first);
    const copies = Array.from({ length: size }, (_, index) => {
      const number = first + index;
      const model = number % models.length;
      return {
        number,
        model,
        set: encodePackageSet(setOf(decoded[model] ?? [], Math.floor(number / models.length))),
      };
    });
    await pool.query(
      `INSERT INTO package_sets (digest, n, ids) SELECT * FROM unnest($1::bytea[], $2::int[], $3::bytea[])
       ON CONFLICT (digest) DO NOTHING`,
      [
        copies.map(({ set }) => set.digest),
        copies.map(({ set }) => set.size),
        copies.map(({ set }) => set.ids),
      ],
    );
    await pool.query(
      `WITH made AS MATERIALIZED (
         SELECT gen_random_uuid() AS id, gen_random_uuid() AS snapshot_id, c.name, c.model, ps.id AS set_id
         FROM unnest($1::text[], $2::uuid[], $3::bytea[]) AS c (name, model, digest) JOIN package_sets ps USING (digest)),
       h AS (INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
             SELECT id, 'agent', 'approved', name, name FROM made),
       c AS (INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds, sequence, last_confirmed_at, lists_at, booted_at)
             SELECT m.id, o.last_seen_at, o.stale_after_seconds, 1, o.last_confirmed_at, o.lists_at, o.booted_at
             FROM made m JOIN host_contacts o ON o.host_id = m.model),
       s AS (INSERT INTO snapshots (id, host_id, sequence, source, collected_at, received_at, schema_version, collector_version,
               payload, payload_sha256, payload_size, set_id, release_id, facts, upgrade_ids, held_ids, running_kernel_id)
             SELECT m.snapshot_id, m.id, 1, o.source, o.collected_at, o.received_at, o.schema_version, o.collector_version,
               '', o.payload_sha256, o.payload_size, m.set_id, o.release_id, o.facts, o.upgrade_ids, o.held_ids, o.running_kernel_id
             FROM made m JOIN host_state os ON os.host_id = m.model JOIN snapshots o ON o.id = os.snapshot_id)
       INSERT INTO host_state
       SELECT (jsonb_populate_record(o, jsonb_build_object('host_id', m.id, 'snapshot_id', m.snapshot_id, 'set_id', m.set_id,
                                                           'sequence', 1))).*
       FROM made m JOIN host_state o ON o.host_id = m.model`,
      [
        copies.map(({ number }) => `copy-${String(number).padStart(7, '0')}`),
        copies.map(({ model }) => models[model]?.hostId),
        copies.map(({ set }) => set.digest),
      ],
    );
  }
  await pool.query('ANALYZE');
}

/** The package set of a copy by its number: all packages, or all except about one in 97. */
function setOf(ids: readonly PackageVersionId[], copy: number): readonly PackageVersionId[] {
  if ((copy * 7_919) % 100 >= ownSetsPercent) return ids;
  return ids.filter(
    (_, index) => (index * 104_729 + copy * 31) % 97 !== 0 && (index * 8_191 + copy) % 1_009 !== 0,
  );
}
