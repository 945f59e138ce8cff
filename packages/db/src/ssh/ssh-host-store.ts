import type { HostKey } from '@plimsoll/model';
import type { AuditActor } from '../audit/audit-events.ts';
import { changedFields } from '../audit/changed-fields.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import { insertHost, type NewHost } from '../hosts/insert-host.ts';
import { lockHost } from '../hosts/lock-host.ts';
import { isUuid } from '../uuid.ts';
import { nextAfterChange, nextSoon } from './pull-schedule.ts';
import { insertKeyPair, type SealedKeyPair } from './ssh-key-store.ts';

/** A host to be pulled. */
export interface NewSshHost extends Omit<NewHost, 'onboardingMode'> {
  readonly user: string;
  readonly port: number;
  readonly frequencyMinutes: number;
  /** `installation`: the shared pair of that id. `own`: a new pair, which goes with the host. */
  readonly keyPair:
    | { readonly kind: 'installation'; readonly id: string }
    | { readonly kind: 'own'; readonly pair: SealedKeyPair };
  /** `SHA256:…`, if it is known before the first visit. */
  readonly hostKeyFingerprint: string | null;
}

/** How a host is reached, and what is known of its keys. */
export interface SshTargetRow {
  readonly user: string;
  readonly port: number;
  readonly frequencyMinutes: number;
  readonly pullPaused: boolean;
  readonly nextPullAt: Date;
  readonly uniqueKeyPair: boolean;
  /** 32 bytes: of the pair that is tried first. */
  readonly publicKey: Buffer;
  /** SHA-256 of the collector that the host's authorized_keys pins; null if it is not known to pin one. */
  readonly collectorPin: Buffer | null;
  readonly hostKeyType: string | null;
  readonly hostKeyFingerprint: string | null;
  readonly hostKeyPinnedAt: Date | null;
  /** Another key that the host showed since. */
  readonly otherHostKey: (HostKey & { readonly seenAt: Date }) | null;
  readonly failures: number;
}

/** What may be changed of how a host is pulled. */
export interface SshTargetChanges {
  readonly user?: string;
  readonly port?: number;
  readonly frequency?: { readonly minutes: number; readonly staleAfterSeconds: number };
  readonly pullPaused?: boolean;
}

/** Hosts that are pulled, as people set them up. */
export interface SshHostStore {
  /** Adds a host with its target and, if it gets one of its own, its key pair. */
  create(host: NewSshHost, by: AuditActor): Promise<void>;
  /** Null when there is no such host or it is not pulled; likewise false below. */
  find(hostId: string): Promise<SshTargetRow | null>;
  /** Takes effect at the next pull, which comes no later than one interval from now. */
  update(hostId: string, changes: SshTargetChanges, by: AuditActor): Promise<boolean>;
  /** Gives a host a new pair of its own. The one that worked last is tried as well until the new one has. */
  rotateKey(hostId: string, pair: SealedKeyPair, actor: AuditActor): Promise<boolean>;
  /** Pins the host key of a fingerprint, whatever was pinned before. Its type is learned at the next visit. */
  acceptHostKey(hostId: string, fingerprint: string, actor: AuditActor): Promise<boolean>;
}

/** The pulled hosts of one database. */
export function createSshHostStore({ pool }: Database): SshHostStore {
  return {
    create: (host, by) => inTransaction(pool, (tx) => create(tx, host, by)),
    async find(hostId) {
      if (!isUuid(hostId)) return null;
      const { rows } = await pool.query<TargetRow>(selectTarget, [hostId]);
      return rows[0] === undefined ? null : toTarget(rows[0]);
    },
    async update(hostId, changes, by) {
      if (!isUuid(hostId)) return false;
      return inTransaction(pool, (tx) => update(tx, hostId, changes, by));
    },
    async rotateKey(hostId, pair, actor) {
      if (!isUuid(hostId)) return false;
      return inTransaction(pool, (tx) => rotateKey(tx, hostId, pair, actor));
    },
    async acceptHostKey(hostId, fingerprint, actor) {
      if (!isUuid(hostId)) return false;
      return inTransaction(pool, (tx) => acceptHostKey(tx, hostId, fingerprint, actor));
    },
  };
}

async function create(tx: Transaction, host: NewSshHost, by: AuditActor): Promise<void> {
  const { id, keyPair } = host;
  await insertHost(tx, { ...host, onboardingMode: 'ssh' }, by);
  if (keyPair.kind === 'own') await insertKeyPair(tx, id, keyPair.pair);
  await tx.query(
    `INSERT INTO ssh_targets AS t (host_id, "user", port, frequency_minutes, key_pair_id, host_key_fingerprint,
                                   host_key_pinned_at, next_pull_at)
     VALUES ($1, $2, $3, $4, $5, $6::text, CASE WHEN $6::text IS NOT NULL THEN now() END, now())`,
    [
      id,
      host.user,
      host.port,
      host.frequencyMinutes,
      keyPair.kind === 'own' ? keyPair.pair.id : keyPair.id,
      host.hostKeyFingerprint,
    ],
  );
  await tx.query(`UPDATE ssh_targets t SET next_pull_at = ${nextSoon} WHERE host_id = $1`, [id]);
}

async function update(
  tx: Transaction,
  hostId: string,
  changes: SshTargetChanges,
  by: AuditActor,
): Promise<boolean> {
  if (!(await lockHost(tx, hostId))) return false;
  if (changes.frequency !== undefined) {
    // Before the target, as whoever ends an upload does.
    await tx.query(
      `UPDATE host_contacts SET stale_after_seconds = $2
       WHERE host_id = $1 AND EXISTS (SELECT FROM ssh_targets WHERE host_id = $1)`,
      [hostId, changes.frequency.staleAfterSeconds],
    );
  }
  const { rows } = await tx.query<{
    ssh_user: string;
    port: number;
    frequency_minutes: number;
    pull_paused: boolean;
  }>(
    `SELECT "user" AS ssh_user, port, frequency_minutes, pull_paused FROM ssh_targets WHERE host_id = $1 FOR UPDATE`,
    [hostId],
  );
  const before = rows[0];
  if (before === undefined) return false;
  await tx.query(
    `UPDATE ssh_targets t SET "user" = coalesce($2, "user"), port = coalesce($3, port),
            frequency_minutes = coalesce($4, frequency_minutes), pull_paused = coalesce($5, pull_paused)
     WHERE host_id = $1`,
    [
      hostId,
      changes.user ?? null,
      changes.port ?? null,
      changes.frequency?.minutes ?? null,
      changes.pullPaused ?? null,
    ],
  );
  // Resumed, it is due soon.
  await tx.query(
    `UPDATE ssh_targets t SET next_pull_at = CASE WHEN $2 THEN ${nextSoon} ELSE ${nextAfterChange} END
     WHERE host_id = $1`,
    [hostId, changes.pullPaused === false],
  );
  const details = changedFields(
    { ...before },
    {
      ssh_user: changes.user,
      port: changes.port,
      frequency_minutes: changes.frequency?.minutes,
      pull_paused: changes.pullPaused,
    },
  );
  if (details !== null) {
    const target = { kind: 'host', id: hostId, name: null } as const;
    await recordAuditEventBySql(tx, { action: 'host.updated', actor: by, target, details });
  }
  return true;
}

async function rotateKey(
  tx: Transaction,
  hostId: string,
  pair: SealedKeyPair,
  actor: AuditActor,
): Promise<boolean> {
  if (!(await lockHost(tx, hostId))) return false;
  const { rows } = await tx.query<{ current: string; previous: string | null }>(
    'SELECT key_pair_id AS current, previous_key_pair_id AS previous FROM ssh_targets WHERE host_id = $1 FOR UPDATE',
    [hostId],
  );
  const target = rows[0];
  if (target === undefined) return false;
  await insertKeyPair(tx, hostId, pair);
  // Rotated twice before the host was visited: the pair in between never worked and goes.
  await tx.query(
    `UPDATE ssh_targets t SET key_pair_id = $2, previous_key_pair_id = $3, next_pull_at = ${nextSoon} WHERE host_id = $1`,
    [hostId, pair.id, target.previous ?? target.current],
  );
  if (target.previous !== null) {
    await tx.query('DELETE FROM ssh_key_pairs WHERE id = $1 AND host_id = $2', [target.current, hostId]);
  }
  const host = { kind: 'host', id: hostId, name: null } as const;
  await recordAuditEventBySql(tx, { action: 'ssh.key_rotated', actor, target: host, details: {} });
  return true;
}

async function acceptHostKey(
  tx: Transaction,
  hostId: string,
  fingerprint: string,
  actor: AuditActor,
): Promise<boolean> {
  if (!(await lockHost(tx, hostId))) return false;
  const { rows } = await tx.query<{ before: string | null }>(
    'SELECT host_key_fingerprint AS before FROM ssh_targets WHERE host_id = $1 FOR UPDATE',
    [hostId],
  );
  const target = rows[0];
  if (target === undefined) return false;
  await tx.query(
    `UPDATE ssh_targets t SET
       host_key_type = CASE $2 WHEN other_key_fingerprint THEN other_key_type WHEN host_key_fingerprint THEN host_key_type END,
       host_key_fingerprint = $2, host_key_pinned_at = now(),
       other_key_type = NULL, other_key_fingerprint = NULL, other_key_seen_at = NULL, next_pull_at = ${nextSoon}
     WHERE host_id = $1`,
    [hostId, fingerprint],
  );
  await recordAuditEventBySql(tx, {
    action: 'ssh.host_key_accepted',
    actor,
    target: { kind: 'host', id: hostId, name: null },
    details: { fingerprint, before: target.before },
  });
  return true;
}

interface TargetRow extends Omit<SshTargetRow, 'otherHostKey'> {
  readonly otherKeyType: string | null;
  readonly otherKeyFingerprint: string | null;
  readonly otherKeySeenAt: Date | null;
}

const selectTarget = `SELECT t."user", t.port, t.frequency_minutes AS "frequencyMinutes", t.pull_paused AS "pullPaused",
    t.next_pull_at AS "nextPullAt", k.host_id IS NOT NULL AS "uniqueKeyPair", k.public_key AS "publicKey",
    t.collector_pin AS "collectorPin", t.host_key_type AS "hostKeyType",
    t.host_key_fingerprint AS "hostKeyFingerprint", t.host_key_pinned_at AS "hostKeyPinnedAt",
    t.other_key_type AS "otherKeyType", t.other_key_fingerprint AS "otherKeyFingerprint",
    t.other_key_seen_at AS "otherKeySeenAt", t.failures
  FROM ssh_targets t JOIN ssh_key_pairs k ON k.id = t.key_pair_id WHERE t.host_id = $1`;

function toTarget(row: TargetRow): SshTargetRow {
  const { otherKeyType: type, otherKeyFingerprint: fingerprint, otherKeySeenAt: seenAt, ...target } = row;
  const isComplete = type !== null && fingerprint !== null && seenAt !== null;
  return { ...target, otherHostKey: isComplete ? { type, fingerprint, seenAt } : null };
}
