import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { AppError, type HostScope, tagsOfScope } from '@plimsoll/model';
import { z } from 'zod';
import { ownBytes } from '../core/bytes.ts';
import { type Database, isUuid, preparedReads } from '../core/database.ts';
import { inTransaction, queryRows, type Transaction } from '../core/transaction.ts';
import { inScopeBySql } from '../fleet/hosts/host-scope.ts';
import { Prisma } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../people/audit-events.ts';
import { type MachineIdentity, readMachineIdentities } from './machine-identities.ts';

/** Most saved plans: they are deleted by hand. */
export const mostSavedPlans = 1_000;

/** The largest part of one host, in bytes of JSON. */
const largestPart = 64 * 1024 * 1024;
const compress = promisify(gzip);
const expand = promisify(gunzip);

/** A saved plan without its hosts. */
export interface SavedPlanRow {
  readonly id: string;
  readonly name: string;
  readonly selection: string;
  /** As given; other versions of the service may have written it. */
  readonly options: unknown;
  readonly madeBy: string;
  readonly madeAt: Date;
  /** When it was made. */
  readonly hostCount: number;
  /** Of its hosts, those in the scope. */
  readonly hosts: number;
  /** Whether all of its hosts that still exist are in the scope. */
  readonly isComplete: boolean;
}

/** A plan to save. */
export interface NewSavedPlan {
  readonly id: string;
  readonly name: string;
  readonly selection: string;
  readonly options: object;
  /** JSON of the part of each host. */
  readonly parts: ReadonlyMap<string, string>;
}

/** When a host reported, by the database clock. */
export interface ReportTimes {
  /** When its newest matched snapshot was received. */
  readonly receivedAt: Date;
  /** When the host last confirmed that the snapshot is still true: at least `receivedAt`. */
  readonly confirmedAt: Date;
}

/** Stores plans of several hosts. A plan exists for a reader if one of its hosts is in the scope. */
export interface SavedPlanStore {
  /** Leaves out hosts that were deleted meanwhile. Throws `conflict` if there are too many plans. */
  save(plan: NewSavedPlan, by: AuditActor): Promise<SavedPlanRow>;
  /** Newest first. */
  list(scope: HostScope): Promise<readonly SavedPlanRow[]>;
  /** Null if it does not exist for the scope. */
  find(scope: HostScope, id: string): Promise<SavedPlanRow | null>;
  /** JSON of the part of each of its hosts in the scope. */
  parts(scope: HostScope, id: string): Promise<ReadonlyMap<string, string>>;
  /** Deletes a plan; false if it does not exist for the scope, or has hosts outside of it. */
  delete(scope: HostScope, id: string, by: AuditActor): Promise<boolean>;
  /** By which scripts recognise the machines of hosts, of those that exist. */
  machines(hostIds: readonly string[]): Promise<readonly MachineIdentity[]>;
  /** Of the hosts that have a matched snapshot. */
  reportTimes(hostIds: readonly string[]): Promise<ReadonlyMap<string, ReportTimes>>;
}

/** The saved plans of one database. */
export function createSavedPlanStore(database: Database): SavedPlanStore {
  const { prisma } = database;
  const reads = preparedReads(database);
  const select = async (scope: HostScope, id: string | null): Promise<readonly SavedPlanRow[]> => {
    const { rows } = await reads.query<SavedPlanRow>(
      `SELECT p.id, p.name, p.selection, p.options, p.made_by AS "madeBy", p.made_at AS "madeAt", p.host_count AS "hostCount",
         count(h.id)::int AS hosts, count(h.id) = count(ph.host_id) AS "isComplete"
       FROM plans p LEFT JOIN plan_hosts ph ON ph.plan_id = p.id
       LEFT JOIN hosts h ON h.id = ph.host_id AND ${inScopeBySql('h.tags', '$1')}
       WHERE $2::uuid IS NULL OR p.id = $2 GROUP BY p.id HAVING $1::text[] IS NULL OR count(h.id) > 0
       ORDER BY p.made_at DESC, p.id DESC`,
      [tagsOfScope(scope), id],
    );
    return rows;
  };
  return {
    save: async (plan, by) => {
      const contents = new Map<string, Uint8Array<ArrayBuffer>>();
      for (const [hostId, json] of plan.parts) contents.set(hostId, ownBytes(await compress(json)));
      return inTransaction(prisma, (tx) => insert(tx, plan, contents, by));
    },
    list: (scope) => select(scope, null),
    find: async (scope, id) => (isUuid(id) ? ((await select(scope, id))[0] ?? null) : null),
    async parts(scope, id) {
      const { rows } = await reads.query<{ hostId: string; content: Buffer }>(
        `SELECT ph.host_id AS "hostId", ph.content FROM plan_hosts ph JOIN hosts h ON h.id = ph.host_id
         WHERE ph.plan_id = $1 AND ${inScopeBySql('h.tags', '$2')} ORDER BY ph.host_id`,
        [id, tagsOfScope(scope)],
      );
      const parts = new Map<string, string>();
      for (const { hostId, content } of rows) {
        parts.set(hostId, (await expand(content, { maxOutputLength: largestPart })).toString());
      }
      return parts;
    },
    delete: async (scope, id, by) => isUuid(id) && inTransaction(prisma, (tx) => remove(tx, scope, id, by)),
    machines: (hostIds) => readMachineIdentities(database, hostIds),
    async reportTimes(hostIds) {
      const { rows } = await reads.query<ReportTimes & { readonly hostId: string }>(
        `SELECT hs.host_id AS "hostId", coalesce(s.reported_at, s.received_at) AS "receivedAt",
           greatest(coalesce(s.reported_at, s.received_at), c.last_confirmed_at) AS "confirmedAt"
         FROM host_state hs JOIN host_contacts c USING (host_id) JOIN snapshots s ON s.id = hs.snapshot_id
         WHERE hs.host_id = ANY($1::uuid[])`,
        [hostIds],
      );
      return new Map(rows.map(({ hostId, ...times }) => [hostId, times]));
    },
  };
}

const idRow = z.object({ id: z.string() });

async function insert(
  tx: Transaction,
  { id, name, selection, options }: NewSavedPlan,
  contents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
  by: AuditActor,
): Promise<SavedPlanRow> {
  if ((await tx.plan.count()) >= mostSavedPlans) {
    throw new AppError('conflict', `There are ${mostSavedPlans} saved plans. Delete some that are done.`);
  }
  const found = await queryRows(
    tx,
    idRow,
    Prisma.sql`SELECT id FROM hosts WHERE id = ANY(${[...contents.keys()]}::uuid[]) ORDER BY id FOR KEY SHARE`,
  );
  const row = { id, name, selection, options, madeBy: by.name, hostCount: found.length };
  await tx.plan.createMany({ data: row });
  const hosts = found.flatMap(({ id: hostId }) => {
    const content = contents.get(hostId);
    return content === undefined ? [] : [{ planId: id, hostId, content }];
  });
  await tx.planHost.createMany({ data: hosts });
  const target = { kind: 'plan', id, name } as const;
  await recordAuditEvent(tx, {
    action: 'plan.saved',
    actor: by,
    target,
    details: { hosts: found.length, selection },
  });
  const { madeAt } = await tx.plan.findUniqueOrThrow({ where: { id }, select: { madeAt: true } });
  return { ...row, madeAt, hosts: found.length, isComplete: true };
}

async function remove(tx: Transaction, scope: HostScope, id: string, by: AuditActor): Promise<boolean> {
  const inScope = Prisma.raw(inScopeBySql('h.tags', 'scope.tags'));
  const found = await queryRows(
    tx,
    z.object({ name: z.string() }),
    Prisma.sql`SELECT p.name FROM plans p, (SELECT ${tagsOfScope(scope)}::text[] AS tags) scope
      WHERE p.id = ${id}::uuid AND (scope.tags IS NULL OR EXISTS (SELECT FROM plan_hosts ph WHERE ph.plan_id = p.id))
      AND NOT EXISTS (SELECT FROM plan_hosts ph JOIN hosts h ON h.id = ph.host_id
                      WHERE ph.plan_id = p.id AND NOT ${inScope})`,
  );
  const [plan] = found;
  if (plan === undefined || (await tx.plan.deleteMany({ where: { id } })).count === 0) return false;
  const target = { kind: 'plan', id, name: plan.name } as const;
  await recordAuditEvent(tx, { action: 'plan.deleted', actor: by, target, details: {} });
  return true;
}
