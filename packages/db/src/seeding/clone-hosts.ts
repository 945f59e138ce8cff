import type { HostId, PackageVersionId, Release } from '@plimsoll/model';
import { type Database, inPgTransaction } from '../core/database.ts';
import { changeAdvisories } from '../core/locks.ts';
import { rowTable } from '../core/row-table.ts';
import { decodePackageSet, type EncodedPackageSet, encodePackageSet } from '../ingest/package-set.ts';
import { createHostCounter } from '../judging/counting/host-counter.ts';
import { recountChangedHosts } from '../judging/counting/recount-hosts.ts';
import { noteVersionChange } from '../knowledge/package-versions.ts';

/** Hosts inserted per statement. */
const hostsPerInsert = 2_000;
/** With payloads fewer, because one has about 16 kB. */
const payloadsPerInsert = 200;

/** A snapshot's bytes. */
export interface StoredPayload {
  /** gzip of the protobuf. */
  readonly gzip: Uint8Array;
  /** Of the protobuf. */
  readonly sha256: Uint8Array;
  readonly size: number;
  readonly contentHash: Uint8Array;
}

/** Hosts to add as copies of matched ones. A host is a number; those below the number of originals exist. */
export interface HostCopies {
  /** The originals, by number. Host n is a copy of original n modulo their number. */
  readonly originals: readonly HostId[];
  /** The number of hosts afterwards, with the originals. */
  readonly hosts: number;
  hostname(host: number): string;
  machineId(host: number): string;
  /** SHA-256 of the host access token. */
  accessTokenHash(host: number): Uint8Array;
  /** Whether a host lacks a package of its original. */
  lacks(host: number, packageName: string): boolean;
  /** The bytes of a copy's snapshot; null: they are not stored, which saves time and disk. */
  readonly payloadOf: ((host: number) => StoredPayload) | null;
}

interface Original {
  readonly ids: readonly PackageVersionId[];
  readonly names: readonly string[];
}

/**
 * Adds hosts as copies of stored and matched ones: with the facts, updates and counts of the original, its package set
 * without the packages that the copy lacks, and an own token; then counts the copies. What its ledger says that the
 * first report opened is that of the original. For seeding only: the service never calls it.
 */
export async function cloneHosts(db: Database, copies: HostCopies): Promise<void> {
  const originals = await loadOriginals(db, copies.originals);
  const perInsert = copies.payloadOf === null ? hostsPerInsert : payloadsPerInsert;
  for (let first = originals.length; first < copies.hosts; first += perInsert) {
    const size = Math.min(perInsert, copies.hosts - first);
    const rows = Array.from({ length: size }, (_, index) => copyOf(copies, originals, first + index));
    await insertCopies(db, rows);
  }
  // As autovacuum does after so many new rows; otherwise the first reads and imports do its work.
  await db.pool.query('VACUUM (ANALYZE)');
  await countAll(db);
}

/** Counts all hosts: those of the copies that lack a package have other counts than their original. */
async function countAll(db: Database): Promise<void> {
  await inPgTransaction(db.pool, async (tx) => {
    await changeAdvisories(tx);
    const { rows } = await tx.query<{ name: Release }>('SELECT name FROM releases ORDER BY name');
    await noteVersionChange(tx, { versions: [], releases: rows.map(({ name }) => name) });
  });
  await recountChangedHosts(db, { counter: createHostCounter() });
}

async function loadOriginals({ pool }: Database, hostIds: readonly HostId[]): Promise<readonly Original[]> {
  const { rows } = await pool.query<{ hostId: HostId; ids: Uint8Array }>(
    `SELECT hs.host_id AS "hostId", ps.ids FROM host_state hs JOIN package_sets ps ON ps.id = hs.set_id
     WHERE hs.host_id = ANY($1::uuid[]) AND hs.snapshot_id IS NOT NULL`,
    [hostIds],
  );
  const sets = new Map(rows.map(({ hostId, ids }) => [hostId, decodePackageSet(ids)]));
  const named = await pool.query<{ id: PackageVersionId; name: string }>(
    'SELECT id, name FROM package_versions WHERE id = ANY($1::int[])',
    [[...new Set([...sets.values()].flat())]],
  );
  const names = new Map(named.rows.map(({ id, name }) => [id, name]));
  return hostIds.map((hostId) => {
    const ids = sets.get(hostId);
    if (ids === undefined) throw new Error(`host ${hostId} is not matched and cannot be copied`);
    return { ids, names: ids.map((id) => names.get(id) ?? '') };
  });
}

interface Copy extends EncodedPackageSet {
  readonly original: HostId;
  readonly hostname: string;
  readonly machineId: string;
  readonly tokenHash: Uint8Array;
  readonly payload: StoredPayload | null;
}

function copyOf(copies: HostCopies, originals: readonly Original[], host: number): Copy {
  const number = host % originals.length;
  const [original, hostId] = [originals[number], copies.originals[number]];
  if (original === undefined || hostId === undefined) throw new Error('there is no host to copy');
  return {
    original: hostId,
    hostname: copies.hostname(host),
    machineId: copies.machineId(host),
    tokenHash: copies.accessTokenHash(host),
    ...encodePackageSet(original.ids.filter((_, index) => !copies.lacks(host, original.names[index] ?? ''))),
    payload: copies.payloadOf?.(host) ?? null,
  };
}

async function insertCopies({ pool }: Database, rows: readonly Copy[]): Promise<void> {
  const sets = rowTable('digest bytea, size int, ids bytea', rows);
  await pool.query(
    `INSERT INTO package_sets (digest, n, ids) SELECT * FROM ${sets.table} n ON CONFLICT (digest) DO NOTHING`,
    sets.values,
  );
  const hosts = rowTable(
    `original uuid, hostname text, machine_id text, token_hash bytea, digest bytea, payload bytea?, payload_sha256 bytea?,
     payload_size int?, content_hash bytea?`,
    rows.map(({ payload, ...row }) => ({
      payload: payload?.gzip ?? null,
      payloadSha256: payload?.sha256 ?? null,
      payloadSize: payload?.size ?? null,
      contentHash: payload?.contentHash ?? null,
      ...row,
    })),
  );
  await pool.query(insertHosts(hosts.table), hosts.values);
}

const insertHosts = (hosts: string) => `
  WITH made AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, gen_random_uuid() AS snapshot_id, c.*, ps.id AS set_id
    FROM ${hosts} c JOIN package_sets ps USING (digest)),
  h AS (
    INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname, machine_id, ip_address, agent_version, created_at)
    SELECT m.id, 'agent', 'approved', m.hostname, m.hostname, m.machine_id, o.ip_address, o.agent_version, o.created_at
    FROM made m JOIN hosts o ON o.id = m.original),
  t AS (
    INSERT INTO host_access_tokens (id, host_id, token_hash, first_used_at)
    SELECT gen_random_uuid(), id, token_hash, now() FROM made),
  c AS (
    INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds, sequence, last_confirmed_at, lists_at, booted_at,
                               collected_at, content_hash, last_upload_id, repositories_state, repositories_valid_until, repository_error)
    SELECT m.id, o.last_seen_at, o.stale_after_seconds, 1, o.last_confirmed_at, o.lists_at, o.booted_at, o.collected_at,
           m.content_hash, CASE WHEN m.content_hash IS NULL THEN NULL ELSE m.snapshot_id END,
           o.repositories_state, o.repositories_valid_until, o.repository_error
    FROM made m JOIN host_contacts o ON o.host_id = m.original),
  s AS (
    INSERT INTO snapshots (id, host_id, sequence, source, collected_at, received_at, schema_version, collector_version,
                           payload, payload_sha256, payload_size, set_id, release_id, facts, upgrade_ids, held_ids, running_kernel_id,
                           lists_at)
    SELECT m.snapshot_id, m.id, 1, o.source, o.collected_at, o.received_at, o.schema_version, o.collector_version,
           coalesce(m.payload, ''), coalesce(m.payload_sha256, o.payload_sha256), coalesce(m.payload_size, o.payload_size),
           m.set_id, o.release_id,
           jsonb_set(o.facts, '{platform}', o.facts -> 'platform'
                     || jsonb_build_object('hostname', m.hostname, 'machineId', m.machine_id)),
           o.upgrade_ids, o.held_ids, o.running_kernel_id, o.lists_at
    FROM made m JOIN host_state os ON os.host_id = m.original JOIN snapshots o ON o.id = os.snapshot_id),
  u AS (
    INSERT INTO uploads (id, host_id, door, sequence, payload_kind, content_hash, state, received_at, ended_at, size)
    SELECT m.snapshot_id, m.id, 'agent', 1, 'protobuf', m.content_hash, 'matched', o.received_at, o.received_at, m.payload_size
    FROM made m JOIN host_state os ON os.host_id = m.original JOIN snapshots o ON o.id = os.snapshot_id
    WHERE m.content_hash IS NOT NULL),
  l AS (
    INSERT INTO host_changes (host_id, sequence, at, is_first, booted_kernel_id, opened, closed)
    SELECT m.id, 1, o.received_at, true,
           (SELECT c.booted_kernel_id FROM host_changes c WHERE c.host_id = m.original
            ORDER BY c.sequence DESC LIMIT 1), coalesce(first.opened, ''), ''
    FROM made m JOIN host_state os ON os.host_id = m.original JOIN snapshots o ON o.id = os.snapshot_id
    LEFT JOIN host_changes first ON first.host_id = m.original AND first.sequence = os.sequence AND first.is_first),
  w AS (INSERT INTO exposure_walks (host_id, sequence, due) SELECT id, 0, true FROM made),
  r AS (
    INSERT INTO host_refreshes (host_id, refreshes, digest, due, judged_by)
    SELECT m.id, o.refreshes, o.digest, o.due, o.judged_by FROM made m JOIN host_refreshes o ON o.host_id = m.original),
  p AS (
    INSERT INTO host_repositories
    SELECT (jsonb_populate_record(o, jsonb_build_object('host_id', m.id))).*
    FROM made m JOIN host_repositories o ON o.host_id = m.original)
  INSERT INTO host_state
  SELECT (jsonb_populate_record(o, jsonb_build_object('host_id', m.id, 'snapshot_id', m.snapshot_id, 'set_id', m.set_id,
                                                      'sequence', 1))).*
  FROM made m JOIN host_state o ON o.host_id = m.original`;
