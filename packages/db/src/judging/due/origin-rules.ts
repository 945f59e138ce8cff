import type { MirrorRule } from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import { inPgTransaction } from '../../core/database.ts';
import type { Statements } from '../../core/transaction.ts';
import { writePolicy } from '../../fleet/hosts/write-policy.ts';
import { resubmitHolders } from '../../ingest/resubmit-snapshots.ts';
import { findSetIds } from '../../ingest/set-postings.ts';
import type { AuditActor } from '../../people/audit-events.ts';
import { recordAuditEventBySql } from '../../people/record-by-sql.ts';

/** What a rule is about. */
export interface OriginReach {
  readonly hosts: number;
  readonly packages: number;
  /** Those of the packages that have no verdict now. */
  readonly unchecked: number;
}

/** The rules in force, in their order. */
export async function readOriginRules(client: Statements): Promise<readonly MirrorRule[]> {
  const { rows } = await client.query<{ document: { readonly rules: readonly MirrorRule[] } }>(
    `SELECT document FROM policies WHERE name = 'origins'`,
  );
  return rows[0]?.document.rules ?? [];
}

/**
 * Puts rules in force, and submits the newest snapshots again of the hosts with packages of the origins that the rules name,
 * or named: parsing applies the rules, see withOrigins.
 */
export async function setOriginRules(
  pool: pg.Pool,
  rules: readonly MirrorRule[],
  by: AuditActor,
): Promise<void> {
  await inPgTransaction(pool, async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('origin rules', 0))`);
    const before = await readOriginRules(tx);
    await writePolicy(tx, 'origins', { rules }, by);
    const versions = await versionsOf(tx, [...before, ...rules]);
    const ids = versions.map(({ id }) => id);
    if (ids.length > 0) await resubmitHolders(tx, await findSetIds(tx, ids));
    await recordAuditEventBySql(tx, {
      action: 'origin_rules.changed',
      actor: by,
      target: { kind: 'policy', id: 'origins', name: null },
      details: { rules: { from: before.map(ruleText), to: rules.map(ruleText) } },
    });
  });
}

/** What each of some rules is about. */
export async function previewOriginRules(
  pool: pg.Pool,
  rules: readonly MirrorRule[],
): Promise<readonly OriginReach[]> {
  const reach: OriginReach[] = [];
  for (const rule of rules) {
    const versions = await versionsOf(pool, [rule]);
    const sets = await findSetIds(
      pool,
      versions.map(({ id }) => id),
    );
    const { rows } = await pool.query<{ hosts: number }>(
      `SELECT count(*)::int AS hosts FROM host_state hs JOIN hosts h ON h.id = hs.host_id
       WHERE hs.set_id = ANY($1::int[]) AND h.approval_status = 'approved' AND ($2::text[] IS NULL OR h.tags && $2)`,
      [[...sets], rule.tags ?? null],
    );
    reach.push({
      hosts: rows[0]?.hosts ?? 0,
      packages: versions.length,
      unchecked: versions.filter(({ isUnknown }) => isUnknown).length,
    });
  }
  return reach;
}

interface VersionOfOrigin {
  readonly id: PackageVersionId;
  readonly isUnknown: boolean;
}

/** Package versions of the origins that rules name, with and without the mark of a mirror. */
async function versionsOf(
  client: Statements,
  rules: readonly MirrorRule[],
): Promise<readonly VersionOfOrigin[]> {
  const { rows } = await client.query<VersionOfOrigin>(
    `SELECT id, verdict ->> 'kind' = 'unknown' AS "isUnknown" FROM package_versions
     WHERE lower(trim(regexp_replace(vendor, ' [(]mirrors [a-z]+[)]$', ''))) = ANY($1::text[])`,
    [rules.map(({ origin }) => origin.trim().toLowerCase())],
  );
  return rows;
}

function ruleText({ origin, label, mirrors, tags }: MirrorRule): string {
  return `${origin}${label === undefined ? '' : ` with the label ${label}`} mirrors ${mirrors}${tags === undefined ? '' : ` for ${tags.join(', ')}`}`;
}
