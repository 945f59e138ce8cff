import { clockAheadMs } from '@plimsoll/model';
import { z } from 'zod';
import { Prisma, type PrismaClient } from '../generated/client.ts';
import { type Database, newId } from './database.ts';
import { databaseTime, queryRows } from './transaction.ts';

/** A process of the service. */
export interface Instance {
  readonly id: string;
  /** `api`, `ssh-worker`, … */
  readonly app: string;
  /** Of its machine or container. */
  readonly hostname: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
}

/** A process that was not seen for this time, three heartbeats, does not run. */
const aliveMs = 45_000;

/** Whether a process runs, by its heartbeats; a time far ahead is of a clock that was wrong. */
export function isAlive({ lastSeenAt }: Pick<Instance, 'lastSeenAt'>, now: Date): boolean {
  return Math.abs(now.getTime() - lastSeenAt.getTime()) < aliveMs;
}

/** Work that waits in the database, independent of the queue. */
export interface WaitingWork {
  readonly work: 'parse' | 'match' | 'pull' | 'import';
  readonly waiting: number;
  /** Null if nothing waits. */
  readonly oldestAt: Date | null;
}

/** Failures of the last 24 hours; for feeds, those that fail now. */
export interface RecentFailures {
  readonly rejectedUploads: number;
  readonly failedPulls: number;
  readonly failedImports: number;
  readonly failedFeeds: number;
}

/** The processes of an installation, and the state of their work. */
export interface InstanceStore {
  /** Registers a new process; returns its id. */
  begin(instance: Pick<Instance, 'app' | 'hostname' | 'pid' | 'version'>): Promise<string>;
  /** Records a heartbeat; adds the process again if it was deleted. */
  touch(id: string, instance: Pick<Instance, 'app' | 'hostname' | 'pid' | 'version'>): Promise<void>;
  /** Deletes a process that ends. */
  end(id: string): Promise<void>;
  /** Processes with a heartbeat in the last day (not of a clock that was ahead), by app, oldest first. */
  list(): Promise<readonly Instance[]>;
  /** Deletes processes without a heartbeat in the day before a time, or with one of a clock that was ahead. */
  dropSilent(now: Date): Promise<void>;
  waitingWork(): Promise<readonly WaitingWork[]>;
  recentFailures(): Promise<RecentFailures>;
  /** The version that PostgreSQL reports, the size of this database in bytes, and the server's time. */
  databaseFacts(): Promise<{ readonly version: string; readonly bytes: number; readonly now: Date }>;
}

const dayMs = 24 * 60 * 60 * 1000;
const databaseRow = z.object({ version: z.string(), bytes: z.bigint(), now: z.date() });

/** The processes that use one database. */
export function createInstanceStore({ prisma }: Database): InstanceStore {
  const touch: InstanceStore['touch'] = async (id, { app, hostname, pid, version }) => {
    const lastSeenAt = await databaseTime(prisma);
    const known = await prisma.instance.updateMany({ where: { id }, data: { lastSeenAt } });
    if (known.count > 0) return;
    await prisma.instance.createMany({ data: { id, app, hostname, pid, version }, skipDuplicates: true });
  };
  return {
    touch,
    async begin(instance) {
      const id = newId<string>();
      await touch(id, instance);
      return id;
    },
    async end(id) {
      await prisma.instance.deleteMany({ where: { id } });
    },
    async list() {
      return prisma.instance.findMany({
        where: { lastSeenAt: lately(await databaseTime(prisma)) },
        orderBy: [{ app: 'asc' }, { startedAt: 'asc' }, { id: 'asc' }],
      });
    },
    async dropSilent(now) {
      await prisma.instance.deleteMany({ where: { NOT: { lastSeenAt: lately(now) } } });
    },
    waitingWork: () => waitingWork(prisma),
    recentFailures: () => recentFailures(prisma),
    async databaseFacts() {
      const [row] = await queryRows(
        prisma,
        databaseRow,
        Prisma.sql`SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes, clock_timestamp() AS now`,
      );
      if (row === undefined) throw new Error('the database answers without a row');
      return { ...row, bytes: Number(row.bytes) };
    },
  };
}

/** A time of the last day, and not of a clock that was ahead. */
function lately(now: Date): { readonly gt: Date; readonly lte: Date } {
  return { gt: new Date(now.getTime() - dayMs), lte: new Date(now.getTime() + clockAheadMs) };
}

async function waitingWork(prisma: PrismaClient): Promise<readonly WaitingWork[]> {
  const uploads = (state: string) =>
    prisma.upload.aggregate({ where: { state }, _count: true, _min: { receivedAt: true } });
  const open = { in: ['queued', 'running'] };
  const [parse, match, pull, read] = await Promise.all([
    uploads('received'),
    uploads('parsed'),
    prisma.pullJob.aggregate({ where: { status: open }, _count: true, _min: { queuedAt: true } }),
    prisma.feedImport.aggregate({ where: { state: open }, _count: true, _min: { createdAt: true } }),
  ]);
  return [
    { work: 'parse', waiting: parse._count, oldestAt: parse._min.receivedAt },
    { work: 'match', waiting: match._count, oldestAt: match._min.receivedAt },
    { work: 'pull', waiting: pull._count, oldestAt: pull._min.queuedAt },
    { work: 'import', waiting: read._count, oldestAt: read._min.createdAt },
  ];
}

async function recentFailures(prisma: PrismaClient): Promise<RecentFailures> {
  const recent = lately(await databaseTime(prisma));
  const [rejectedUploads, failedPulls, failedImports, failedFeeds] = await Promise.all([
    prisma.upload.count({ where: { state: 'rejected', endedAt: recent } }),
    prisma.pullJob.count({ where: { status: 'failed', finishedAt: recent } }),
    prisma.feedImport.count({ where: { state: 'failed', finishedAt: recent } }),
    prisma.feed.count({ where: { state: 'failed' } }),
  ]);
  return { rejectedUploads, failedPulls, failedImports, failedFeeds };
}
