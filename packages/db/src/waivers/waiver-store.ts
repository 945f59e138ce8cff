import {
  AppError,
  type HostScope,
  isCveName,
  tagsOfScope,
  type WaiverEndCause,
  type WaiverId,
  type WaiverKind,
} from '@plimsoll/model';
import type { AuditActor } from '../audit/audit-events.ts';
import { changedFields } from '../audit/changed-fields.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { likeLiteral } from '../connection/conditions.ts';
import { changeTerms } from '../connection/locks.ts';
import { type Database, inPgTransaction, isUuid, newId, type PgTransaction } from '../database.ts';
import { inScopeBySql } from '../hosts/host-scope.ts';
import type { ScopedWaiver } from '../matching/host-terms.ts';
import { recountTerms, waiverApplies } from '../terms/change-terms.ts';
import { countMatches, type WaiverMatches } from './waiver-matches.ts';

/** A stored waiver. */
export interface Waiver extends ScopedWaiver {
  readonly reason: string;
  readonly ticketUrl: string | null;
  /** The document that it was imported from; null: none. */
  readonly origin: string | null;
  readonly createdAt: Date;
  /** Its end; also of one whose time is over although the end is not noted yet. Null: it applies. */
  readonly endedAt: Date | null;
  readonly endCause: WaiverEndCause | null;
  readonly endedBy: string | null;
}

/** A waiver to be created. */
export type NewWaiver = Pick<
  Waiver,
  | 'kind'
  | 'advisories'
  | 'packages'
  | 'purls'
  | 'hostIds'
  | 'tags'
  | 'allHosts'
  | 'reason'
  | 'ticketUrl'
  | 'expiresAt'
  | 'origin'
>;

/** The fields of a waiver that can be changed. */
export type WaiverUpdate = Partial<Pick<Waiver, 'reason' | 'ticketUrl' | 'expiresAt'>>;

/** The state of waivers to list. */
export type WaiverState = 'active' | 'expiring' | 'ended';

/** How a waiver names its hosts. */
export type WaiverScope = 'hosts' | 'tags' | 'all_hosts';

/** Which waivers to list; all that are given must match. */
export interface WaiverFilter {
  readonly state?: WaiverState;
  readonly kind?: WaiverKind;
  readonly scope?: WaiverScope;
  /** Those that apply to this host. */
  readonly host?: string;
  /** Those that name exactly this advisory, CVE or package. */
  readonly names?: string;
  /** A part of what it covers, its reason, ticket or author; ignoring case. */
  readonly q?: string;
}

/** What a new waiver would concern. */
export interface WaiverPreview extends WaiverMatches {
  /** Approved hosts in its scope without counted findings. */
  readonly uncountedHosts: number;
}

/** The largest number of waivers that apply at a time, so that counting stays fast. */
export const mostWaivers = 5_000;

/** Waivers: decisions that findings are not to be acted on. */
export interface WaiverStore {
  /** Those that apply to a host of the scope, or did; the newest first. The page starts below the id `before`. */
  list(
    scope: HostScope,
    filter: WaiverFilter,
    page: { readonly limit: number; readonly before: string | null },
  ): Promise<{ readonly total: number; readonly waivers: readonly Waiver[] }>;
  /** Null if it does not exist for the scope. */
  find(scope: HostScope, id: string): Promise<Waiver | null>;
  /** What waivers cover now on the hosts of the scope; nothing after their ends. */
  matches(scope: HostScope, waivers: readonly Waiver[]): Promise<ReadonlyMap<WaiverId, WaiverMatches>>;
  /** What a waiver would concern if it were created now. Throws as `create`; changes nothing. */
  preview(scope: HostScope, waiver: NewWaiver): Promise<WaiverPreview>;
  /** What waivers would cover if they were created now, in their order. Throws `validation_failed` as `create`. */
  countNew(scope: HostScope, waivers: readonly NewWaiver[]): Promise<readonly WaiverMatches[]>;
  /** Which of these names an advisory has, as its id, alias or CVE (in upper case). */
  knownNames(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** The tags of those hosts that exist for the scope, by id. */
  tagsOf(scope: HostScope, hosts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Creates waivers, all or none. Throws `validation_failed` for hosts and tags outside the scope, and `conflict` if there
   * are too many, or a snoozed one would cover what has a fix. Rings nothing: the hosts are counted within seconds.
   */
  create(scope: HostScope, waivers: readonly NewWaiver[], by: AuditActor): Promise<readonly Waiver[]>;
  /**
   * Null if it does not exist for the scope. Throws `forbidden` if it also applies to hosts outside of the scope, and
   * `conflict` if it has ended.
   */
  update(scope: HostScope, id: string, changes: WaiverUpdate, by: AuditActor): Promise<Waiver | null>;
  /** Ends a waiver now; again, it changes nothing. Null and errors as `update`. */
  end(scope: HostScope, id: string, by: AuditActor): Promise<Waiver | null>;
  /** Notes the ends of waivers whose time is over; returns their number. */
  endExpired(): Promise<number>;
  /** Ends snoozed waivers of which something has a fix; returns their number. */
  endFixed(): Promise<number>;
}

const columns = `w.id, w.kind, w.advisories, w.packages, w.purls, w.host_ids AS "hostIds", w.tags, w.all_hosts AS "allHosts", w.reason,
  w.ticket_url AS "ticketUrl", w.origin, w.created_by AS "createdBy", w.created_at AS "createdAt", w.expires_at AS "expiresAt",
  CASE WHEN w.ended_at IS NULL AND w.expires_at <= now() THEN w.expires_at ELSE w.ended_at END AS "endedAt",
  CASE WHEN w.ended_at IS NULL AND w.expires_at <= now() THEN 'expired' ELSE w.end_cause END AS "endCause",
  w.ended_by AS "endedBy"`;

/** SQL: whether a waiver can be seen with the tags of a scope: it applies to a host that can be seen. */
function seenBySql(tags: string): string {
  return `(${tags}::text[] IS NULL OR w.all_hosts OR w.tags && ${tags}::text[]
    OR EXISTS (SELECT FROM hosts h WHERE h.id = ANY(w.host_ids) AND h.tags && ${tags}::text[]))`;
}

const states: Readonly<Record<WaiverState, string>> = {
  active: waiverApplies,
  expiring: `${waiverApplies} AND w.expires_at <= now() + interval '7 days'`,
  ended: `NOT (${waiverApplies})`,
};

const scopes: Readonly<Record<WaiverScope, string>> = {
  hosts: "w.host_ids <> '{}'",
  tags: "w.tags <> '{}'",
  all_hosts: 'w.all_hosts',
};

/** SQL: the condition of a filter for the scope whose tags are $1; `values` are its parameters from $2 on. */
function filterBySql({ state, kind, scope, host, names, q }: WaiverFilter): {
  readonly condition: string;
  readonly values: readonly unknown[];
} {
  const parts = [
    ...(state === undefined ? [] : [states[state]]),
    ...(scope === undefined ? [] : [scopes[scope]]),
    '($2::text IS NULL OR w.kind = $2)',
    `($3::uuid IS NULL OR EXISTS (SELECT FROM hosts h WHERE h.id = $3 AND ${inScopeBySql('h.tags', '$1')}
       AND (w.all_hosts OR w.host_ids @> ARRAY[h.id] OR w.tags && h.tags)))`,
    '($4::text IS NULL OR w.advisories @> ARRAY[$4] OR w.packages @> ARRAY[$4])',
    `($5::text IS NULL OR lower(array_to_string(w.advisories || w.packages || w.purls, ' ') || ' ' || w.reason || ' '
       || coalesce(w.ticket_url, '') || ' ' || w.created_by) LIKE $5)`,
  ];
  const part = q === undefined ? null : `%${likeLiteral(q.toLowerCase())}%`;
  return { condition: parts.join(' AND '), values: [kind ?? null, host ?? null, names ?? null, part] };
}

/** SQL: the hosts to which the waivers $1 apply. */
const concernedHosts = `SELECT h.id FROM hosts h WHERE EXISTS (SELECT FROM waivers w WHERE w.id = ANY($1::uuid[])
  AND (w.all_hosts OR h.id = ANY(w.host_ids) OR h.tags && w.tags))`;

/** The waivers of one database. */
export function createWaiverStore({ pool }: Pick<Database, 'pool'>): WaiverStore {
  return {
    async list(scope, filter, { limit, before }) {
      const { condition, values } = filterBySql(filter);
      const seen = `${seenBySql('$1')} AND ${condition}`;
      const known = [tagsOfScope(scope), ...values];
      const { rows: waivers } = await pool.query<Waiver>(
        `SELECT ${columns} FROM waivers w WHERE ${seen} AND ($6::uuid IS NULL OR w.id < $6) ORDER BY w.id DESC LIMIT $7`,
        [...known, before, limit],
      );
      const { rows } = await pool.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM waivers w WHERE ${seen}`,
        known,
      );
      return {
        total: rows[0]?.total ?? 0,
        waivers: await Promise.all(waivers.map((waiver) => asSeen(pool, scope, waiver))),
      };
    },
    async find(scope, id) {
      return isUuid(id) ? findOne(pool, scope, id) : null;
    },
    async matches(scope, waivers) {
      const open = waivers.filter(({ endedAt }) => endedAt === null);
      return open.length === 0 ? new Map() : countMatches(pool, scope, open);
    },
    countNew: (scope, waivers) => inPgTransaction(pool, (tx) => countNew(tx, scope, waivers)),
    async knownNames(names) {
      const { rows } = await pool.query<{ name: string }>(
        `SELECT n.name FROM unnest($1::text[]) AS n (name) WHERE EXISTS (SELECT FROM advisories a WHERE a.external_id = n.name)
           OR EXISTS (SELECT FROM advisories a WHERE a.aliases && ARRAY[n.name])
           OR EXISTS (SELECT FROM advisories a WHERE a.cves @> ARRAY[n.name])`,
        [names],
      );
      return new Set(rows.map(({ name }) => name));
    },
    async tagsOf(scope, hosts) {
      const found = await pool.query<{ id: string; tags: readonly string[] }>(
        `SELECT id, tags FROM hosts WHERE id = ANY($1::uuid[]) AND ${inScopeBySql('tags', '$2')}`,
        [hosts, tagsOfScope(scope)],
      );
      return new Map(found.rows.map(({ id, tags }) => [id, tags]));
    },
    preview: (scope, waiver) => inPgTransaction(pool, (tx) => preview(tx, scope, waiver)),
    create: (scope, waivers, by) => inPgTransaction(pool, (tx) => create(tx, scope, waivers, by)),
    async update(scope, id, changes, by) {
      if (!isUuid(id)) return null;
      return inPgTransaction(pool, (tx) => update(tx, scope, id, changes, by));
    },
    async end(scope, id, by) {
      if (!isUuid(id)) return null;
      return inPgTransaction(pool, (tx) => end(tx, scope, id, by));
    },
    async endExpired() {
      const due = 'SELECT id FROM waivers WHERE ended_at IS NULL AND expires_at <= now()';
      if ((await pool.query(`${due} LIMIT 1`)).rowCount === 0) return 0;
      return inPgTransaction(pool, async (tx) => {
        await changeTerms(tx);
        // Waiting for the locks took time, but now() is that of the start of the transaction.
        const { rows } = await tx.query<{ id: string }>(
          `UPDATE waivers SET ended_at = expires_at, end_cause = 'expired' WHERE id IN (${due}) RETURNING id`,
        );
        await recountTerms(tx, concernedHosts, [rows.map(({ id }) => id)]);
        return rows.length;
      });
    },
    async endFixed() {
      const { rows: snoozed } = await pool.query<Waiver>(
        `SELECT ${columns} FROM waivers w WHERE ${waiverApplies} AND w.kind = 'snoozed_until_fix'`,
      );
      if (snoozed.length === 0) return 0;
      const fixed = await countMatches(pool, { kind: 'whole_fleet' }, snoozed, { withFixOnly: true });
      const ids = [...fixed].flatMap(([id, { hosts }]) => (hosts > 0 ? [id] : []));
      if (ids.length === 0) return 0;
      return inPgTransaction(pool, async (tx) => {
        await changeTerms(tx);
        const { rows } = await tx.query<{ id: string }>(
          `UPDATE waivers w SET ended_at = now(), end_cause = 'fix_available' WHERE w.id = ANY($1::uuid[]) AND ${waiverApplies} RETURNING id`,
          [ids],
        );
        await recountTerms(tx, concernedHosts, [rows.map(({ id }) => id)]);
        return rows.length;
      });
    },
  };
}

type Reads = Pick<PgTransaction, 'query'>;

async function findOne(on: Reads, scope: HostScope, id: string): Promise<Waiver | null> {
  const { rows } = await on.query<Waiver>(
    `SELECT ${columns} FROM waivers w WHERE w.id = $2 AND ${seenBySql('$1')}`,
    [tagsOfScope(scope), id],
  );
  return rows[0] === undefined ? null : asSeen(on, scope, rows[0]);
}

/** A waiver without the hosts that do not exist for the scope. */
async function asSeen(on: Reads, scope: HostScope, waiver: Waiver): Promise<Waiver> {
  if (scope.kind === 'whole_fleet' || waiver.hostIds.length === 0) return waiver;
  return { ...waiver, hostIds: await hostsInScope(on, scope, waiver.hostIds) };
}

async function hostsInScope(on: Reads, scope: HostScope, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT id FROM hosts WHERE id = ANY($1::uuid[]) AND ${inScopeBySql('tags', '$2')} ORDER BY id`,
    [ids, tagsOfScope(scope)],
  );
  return rows.map(({ id }) => id);
}

/** Locks a waiver for a change by a caller with a scope. Null if it does not exist for the scope. */
async function lockOne(tx: PgTransaction, scope: HostScope, id: string): Promise<Waiver | null> {
  await changeTerms(tx);
  const waiver = await findOne(tx, scope, id);
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

async function create(
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
    `SELECT ${columns} FROM waivers w WHERE w.id = ANY($1::uuid[]) ORDER BY w.id`,
    [ids],
  );
  return rows;
}

async function countNew(
  tx: PgTransaction,
  scope: HostScope,
  given: readonly NewWaiver[],
): Promise<readonly WaiverMatches[]> {
  const places = new Map(
    given.map((each) => [JSON.stringify([each.hostIds, each.tags, each.allHosts]), each]),
  );
  for (const place of places.values()) await requireScope(tx, scope, place);
  const waivers = given.map((each) => ({ ...each, id: newId<WaiverId>(), createdBy: '' }));
  if (waivers.length === 0) return [];
  const matches = await countMatches(tx, scope, waivers);
  return waivers.map(({ id }) => matches.get(id) ?? { findings: 0, hosts: 0 });
}

async function preview(tx: PgTransaction, scope: HostScope, given: NewWaiver): Promise<WaiverPreview> {
  await requireScope(tx, scope, given);
  const names = await withAliases(tx, given.advisories);
  const waiver = { ...given, advisories: names, id: newId<WaiverId>(), createdBy: '' };
  if (waiver.kind === 'snoozed_until_fix') await requireNoFix(tx, waiver);
  const matches = await countMatches(tx, scope, [waiver]);
  const { rows } = await tx.query<{ hosts: number }>(
    `SELECT count(*)::int AS hosts FROM hosts h LEFT JOIN host_state hs ON hs.host_id = h.id
     WHERE hs.finding_list_id IS NULL AND h.approval_status = 'approved' AND ${inScopeBySql('h.tags', '$1')}
       AND ($2 OR h.id = ANY($3::uuid[]) OR h.tags && $4::text[])`,
    [tagsOfScope(scope), waiver.allHosts, waiver.hostIds, waiver.tags],
  );
  const { findings = 0, hosts = 0 } = matches.get(waiver.id) ?? {};
  return { findings, hosts, uncountedHosts: rows[0]?.hosts ?? 0 };
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

async function update(
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
  return findOne(tx, scope, id);
}

async function end(tx: PgTransaction, scope: HostScope, id: string, by: AuditActor): Promise<Waiver | null> {
  const before = await lockOne(tx, scope, id);
  if (before === null || before.endedAt !== null) return before;
  await tx.query(`UPDATE waivers SET ended_at = now(), end_cause = 'user', ended_by = $2 WHERE id = $1`, [
    id,
    by.name,
  ]);
  await recountTerms(tx, concernedHosts, [[id]]);
  const target = { kind: 'waiver', id, name: nameOf(before) } as const;
  await recordAuditEventBySql(tx, { action: 'waiver.ended', actor: by, target, details: {} });
  return findOne(tx, scope, id);
}
