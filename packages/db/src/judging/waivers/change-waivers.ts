import {
  AppError,
  bitsOfGaps,
  findingGaps,
  type HostScope,
  isCveName,
  tagsOfScope,
  type WaiverId,
} from '@plimsoll/model';
import { recountTerms, waiverApplies } from '../../core/change-terms.ts';
import { newId, type PgTransaction } from '../../core/database.ts';
import { changeTerms } from '../../core/locks.ts';
import { inScopeBySql } from '../../fleet/hosts/host-scope.ts';
import type { AuditActor } from '../../people/audit-events.ts';
import { changedFields } from '../../people/changed-fields.ts';
import { recordAuditEventBySql } from '../../people/record-by-sql.ts';
import type { ScopedWaiver } from '../counting/host-terms.ts';
import { concernedHosts, findWaiver, hostsInScope, waiverColumns } from './read-waivers.ts';
import type { NewWaiver, Waiver, WaiverPreview, WaiverUpdate } from './waiver.ts';
import { countMatches, type MatchOptions, type WaiverMatches } from './waiver-matches.ts';

/** The largest number of waivers that apply at a time, so that counting stays fast. */
export const mostWaivers = 5_000;

/** Locks a waiver for a change by a caller with a scope. Null if it does not exist for the scope. */
async function lockOne(tx: PgTransaction, scope: HostScope, id: string): Promise<Waiver | null> {
  await changeTerms(tx);
  const waiver = await findWaiver(tx, scope, id);
  if (waiver === null) return null;
  const whole = await tx.query<{ hosts: number }>(
    'SELECT cardinality(host_ids)::int AS hosts FROM waivers WHERE id = $1',
    [id],
  );
  const own = tagsOfScope(scope);
  const isWithin =
    own === null ||
    (!waiver.allHosts &&
      waiver.tags.every((tag) => own.includes(tag)) &&
      whole.rows[0]?.hosts === waiver.hostIds.length);
  if (!isWithin) {
    throw new AppError('forbidden', 'The waiver also applies to hosts that you may not change.');
  }
  return waiver;
}

function requireOpen({ endedAt }: Waiver): void {
  if (endedAt !== null) throw new AppError('conflict', 'The waiver has ended. Create another one.');
}

export async function createWaivers(
  tx: PgTransaction,
  scope: HostScope,
  waivers: readonly NewWaiver[],
  by: AuditActor,
): Promise<readonly Waiver[]> {
  await changeTerms(tx);
  const open = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM waivers w WHERE ${waiverApplies}`,
  );
  if ((open.rows[0]?.n ?? 0) + waivers.length > mostWaivers) {
    throw new AppError('conflict', `At most ${mostWaivers} waivers apply at a time. End some first.`);
  }
  const ids: string[] = [];
  for (const given of waivers) {
    await requireScope(tx, scope, given);
    const waiver = { ...given, advisories: await withAliases(tx, given.advisories) };
    const id = newId<WaiverId>();
    if (waiver.kind === 'snoozed_until_fix') await requireNoFix(tx, { ...waiver, id, createdBy: by.name });
    await tx.query(
      `INSERT INTO waivers (id, kind, advisories, packages, purls, host_ids, tags, all_hosts, reason, ticket_url, origin, created_by, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        id,
        waiver.kind,
        waiver.advisories,
        waiver.packages,
        waiver.purls,
        waiver.hostIds,
        waiver.tags,
        waiver.allHosts,
        waiver.reason,
        waiver.ticketUrl,
        waiver.origin,
        by.name,
        waiver.expiresAt,
      ],
    );
    ids.push(id);
    await recordAuditEventBySql(tx, {
      action: 'waiver.created',
      actor: by,
      target: { kind: 'waiver', id, name: nameOf(waiver) },
      details: {
        kind: waiver.kind,
        reason: waiver.reason,
        expires_at: waiver.expiresAt.toISOString(),
        ...(waiver.hostIds.length === 0 ? {} : { hosts: waiver.hostIds }),
        ...(waiver.tags.length === 0 ? {} : { tags: waiver.tags }),
        ...(waiver.allHosts ? { all_hosts: true } : {}),
        ...(waiver.origin === null ? {} : { origin: waiver.origin }),
      },
    });
  }
  await recountTerms(tx, concernedHosts, [ids]);
  const { rows } = await tx.query<Waiver>(
    `SELECT ${waiverColumns} FROM waivers w WHERE w.id = ANY($1::uuid[]) ORDER BY w.id`,
    [ids],
  );
  return rows;
}

export async function countNewWaivers(
  tx: PgTransaction,
  scope: HostScope,
  given: readonly NewWaiver[],
  options: Pick<MatchOptions, 'partly'> = {},
): Promise<readonly WaiverMatches[]> {
  const places = new Map(
    given.map((each) => [JSON.stringify([each.hostIds, each.tags, each.allHosts]), each]),
  );
  for (const place of places.values()) await requireScope(tx, scope, place);
  const waivers: ScopedWaiver[] = [];
  for (const each of given) {
    const advisories = await withAliases(tx, each.advisories);
    waivers.push({ ...each, advisories, id: newId<WaiverId>(), createdBy: '' });
  }
  if (waivers.length === 0) return [];
  const matches = await countMatches(tx, scope, waivers, options);
  return waivers.map(({ id }) => matches.get(id) ?? { findings: 0, hosts: 0 });
}

export async function previewWaiver(
  tx: PgTransaction,
  scope: HostScope,
  given: NewWaiver,
): Promise<WaiverPreview> {
  await requireScope(tx, scope, given);
  const names = await withAliases(tx, given.advisories);
  const waiver = { ...given, advisories: names, id: newId<WaiverId>(), createdBy: '' };
  if (waiver.kind === 'snoozed_until_fix') await requireNoFix(tx, waiver);
  const matches = await countMatches(tx, scope, [waiver]);
  const { rows } = await tx.query<{ uncounted: number; partly: number }>(
    `SELECT count(*) FILTER (WHERE hs.finding_list_id IS NULL)::int AS uncounted,
       count(*) FILTER (WHERE hs.finding_list_id IS NOT NULL AND hs.gaps & $5::int <> 0)::int AS partly
     FROM hosts h JOIN host_state hs ON hs.host_id = h.id
     WHERE h.approval_status = 'approved' AND ${inScopeBySql('h.tags', '$1')}
       AND ($2 OR h.id = ANY($3::uuid[]) OR h.tags && $4::text[])`,
    [tagsOfScope(scope), waiver.allHosts, waiver.hostIds, waiver.tags, bitsOfGaps(findingGaps)],
  );
  const { findings = 0, hosts = 0 } = matches.get(waiver.id) ?? {};
  const { uncounted = 0, partly = 0 } = rows[0] ?? {};
  return { findings, hosts, uncountedHosts: uncounted, partlyKnownHosts: partly };
}

/** The first names that a waiver covers, for the audit log. */
function nameOf({ advisories, packages }: Pick<Waiver, 'advisories' | 'packages'>): string {
  const names = [...advisories, ...packages];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

async function requireScope(
  tx: PgTransaction,
  scope: HostScope,
  { hostIds, tags, allHosts }: NewWaiver,
): Promise<void> {
  const own = tagsOfScope(scope);
  const fault =
    own !== null && allHosts
      ? { pointer: '/all_hosts', detail: 'is only for users who are not limited to tags' }
      : own !== null && tags.some((tag) => !own.includes(tag))
        ? { pointer: '/tags', detail: `must only contain tags of: ${own.join(', ')}` }
        : (await hostsInScope(tx, scope, hostIds)).length < new Set(hostIds).size
          ? { pointer: '/hosts', detail: 'contains an id that no host has' }
          : null;
  if (fault !== null) {
    throw new AppError('validation_failed', `${fault.pointer} ${fault.detail}.`, { errors: [fault] });
  }
}

/** Names of advisories with the ids of those of which a name is an alias. CVEs stay as they are. */
async function withAliases(tx: PgTransaction, names: readonly string[]): Promise<readonly string[]> {
  const aliases = names.filter((name) => !isCveName(name));
  if (aliases.length === 0) return names;
  const { rows } = await tx.query<{ id: string }>(
    'SELECT DISTINCT external_id AS id FROM advisories WHERE aliases && $1::text[]',
    [aliases],
  );
  return [...new Set([...names, ...rows.map(({ id }) => id).sort()])];
}

async function requireNoFix(tx: PgTransaction, waiver: ScopedWaiver): Promise<void> {
  const fixed = await countMatches(tx, { kind: 'whole_fleet' }, [waiver], { withFixOnly: true });
  if ((fixed.get(waiver.id)?.hosts ?? 0) === 0) return;
  throw new AppError(
    'conflict',
    'A fix exists for some of what the waiver would cover. Install it, or accept the risk until a date.',
  );
}

export async function updateWaiver(
  tx: PgTransaction,
  scope: HostScope,
  id: string,
  { reason, ticketUrl, expiresAt }: WaiverUpdate,
  by: AuditActor,
): Promise<Waiver | null> {
  const before = await lockOne(tx, scope, id);
  if (before === null) return null;
  requireOpen(before);
  const details = changedFields(
    { reason: before.reason, ticket_url: before.ticketUrl, expires_at: before.expiresAt.toISOString() },
    { reason, ticket_url: ticketUrl, expires_at: expiresAt?.toISOString() },
  );
  if (details === null) return before;
  await tx.query('UPDATE waivers SET reason = $2, ticket_url = $3, expires_at = $4 WHERE id = $1', [
    id,
    reason ?? before.reason,
    ticketUrl === undefined ? before.ticketUrl : ticketUrl,
    expiresAt ?? before.expiresAt,
  ]);
  const target = { kind: 'waiver', id, name: nameOf(before) } as const;
  await recordAuditEventBySql(tx, { action: 'waiver.updated', actor: by, target, details });
  return findWaiver(tx, scope, id);
}

export async function endWaiver(
  tx: PgTransaction,
  scope: HostScope,
  id: string,
  by: AuditActor,
): Promise<Waiver | null> {
  const before = await lockOne(tx, scope, id);
  if (before === null || before.endedAt !== null) return before;
  await tx.query(`UPDATE waivers SET ended_at = now(), end_cause = 'user', ended_by = $2 WHERE id = $1`, [
    id,
    by.name,
  ]);
  await recountTerms(tx, concernedHosts, [[id]]);
  const target = { kind: 'waiver', id, name: nameOf(before) } as const;
  await recordAuditEventBySql(tx, { action: 'waiver.ended', actor: by, target, details: {} });
  return findWaiver(tx, scope, id);
}
