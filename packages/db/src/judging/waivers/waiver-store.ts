import { type HostScope, tagsOfScope, type WaiverId } from '@plimsoll/model';
import { recountTerms, waiverApplies } from '../../core/change-terms.ts';
import { type Database, inPgTransaction, isUuid } from '../../core/database.ts';
import { changeTerms } from '../../core/locks.ts';
import { inScopeBySql } from '../../fleet/hosts/host-scope.ts';
import { judgeDue } from '../../fleet/hosts/judge-due.ts';
import type { AuditActor } from '../../people/audit-events.ts';
import { countNewWaivers, createWaivers, endWaiver, previewWaiver, updateWaiver } from './change-waivers.ts';
import {
  concernedHosts,
  filterBySql,
  findWaiver,
  seenBySql,
  waiverAsSeen,
  waiverColumns,
} from './read-waivers.ts';
import type { NewWaiver, Waiver, WaiverFilter, WaiverPreview, WaiverUpdate } from './waiver.ts';
import { countMatches, type MatchOptions, type WaiverMatches } from './waiver-matches.ts';

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
  /**
   * What each of some waivers would cover by itself if it were created now, in their order; `partly`: also together with
   * others. Throws `validation_failed` as `create`.
   */
  countNew(
    scope: HostScope,
    waivers: readonly NewWaiver[],
    options?: Pick<MatchOptions, 'partly'>,
  ): Promise<readonly WaiverMatches[]>;
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

/** The waivers of one database. */
export function createWaiverStore({ pool }: Pick<Database, 'pool'>): WaiverStore {
  return {
    async list(scope, filter, { limit, before }) {
      const { condition, values } = filterBySql(filter);
      const seen = `${seenBySql('$1')} AND ${condition}`;
      const known = [tagsOfScope(scope), ...values];
      const { rows: waivers } = await pool.query<Waiver>(
        `SELECT ${waiverColumns} FROM waivers w WHERE ${seen} AND ($6::uuid IS NULL OR w.id < $6) ORDER BY w.id DESC LIMIT $7`,
        [...known, before, limit],
      );
      const { rows } = await pool.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM waivers w WHERE ${seen}`,
        known,
      );
      return {
        total: rows[0]?.total ?? 0,
        waivers: await Promise.all(waivers.map((waiver) => waiverAsSeen(pool, scope, waiver))),
      };
    },
    async find(scope, id) {
      return isUuid(id) ? findWaiver(pool, scope, id) : null;
    },
    async matches(scope, waivers) {
      const open = waivers.filter(({ endedAt }) => endedAt === null);
      return open.length === 0 ? new Map() : countMatches(pool, scope, open);
    },
    countNew: (scope, waivers, options) =>
      inPgTransaction(pool, (tx) => countNewWaivers(tx, scope, waivers, options)),
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
    async preview(scope, waiver) {
      await judgeDue({ pool });
      return inPgTransaction(pool, (tx) => previewWaiver(tx, scope, waiver));
    },
    create: (scope, waivers, by) => inPgTransaction(pool, (tx) => createWaivers(tx, scope, waivers, by)),
    async update(scope, id, changes, by) {
      if (!isUuid(id)) return null;
      return inPgTransaction(pool, (tx) => updateWaiver(tx, scope, id, changes, by));
    },
    async end(scope, id, by) {
      if (!isUuid(id)) return null;
      return inPgTransaction(pool, (tx) => endWaiver(tx, scope, id, by));
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
        `SELECT ${waiverColumns} FROM waivers w WHERE ${waiverApplies} AND w.kind = 'snoozed_until_fix'`,
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
