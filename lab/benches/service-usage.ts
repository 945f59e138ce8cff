import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { serviceApps } from '@plimsoll/model';
import { processesBelow } from '@plimsoll/testing';
import type pg from 'pg';
import type { BenchService } from './bench-service.ts';

/** What a service has used at some time. */
interface Usage {
  /** Seconds of processor time, by process. */
  readonly cpu: ReadonlyMap<string, number>;
  readonly commits: number;
  readonly walBytes: number;
}

/** What a service used while something ran. */
export interface UsageOf {
  /** Milliseconds of processor time, by process; of `postgres` and `redis` of all their processes. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly commits: number;
  readonly walBytes: number;
  /** Peak memory in MB, by process of the service. */
  readonly peakMegabytes: Readonly<Record<string, number>>;
  /** The machine's load of the last minute, afterwards. */
  readonly load: number;
}

/** Linux counts processor time in ticks of this many a second. */
const ticksPerSecond = 100;

/** Runs `work` and returns its result and what the service used meanwhile. */
export async function measureUsage<T>(
  bench: Pick<BenchService, 'service'>,
  pool: pg.Pool,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly usage: UsageOf }> {
  const pids = processesOf(bench.service);
  for (const { pid } of pids) await forgetPeak(pid);
  const before = await usageNow(bench, pool);
  const result = await work();
  const after = await usageNow(bench, pool);
  const cpuMs = Object.fromEntries(
    [...after.cpu].map(([name, seconds]) => [name, (seconds - (before.cpu.get(name) ?? 0)) * 1_000]),
  );
  const peaks: [string, number][] = [];
  for (const { app, pid } of pids) peaks.push([app, await peakMegabytes(pid)]);
  return {
    result,
    usage: {
      cpuMs,
      commits: after.commits - before.commits,
      walBytes: after.walBytes - before.walBytes,
      peakMegabytes: Object.fromEntries(peaks),
      load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    },
  };
}

/** The processor time and memory of the API, and the load, in words. */
export function apiUsage({ cpuMs, peakMegabytes: peaks, load }: UsageOf): string {
  const seconds = (app: string) => ((cpuMs[app] ?? 0) / 1_000).toFixed(1);
  return `processor: API ${seconds('api')} s, PostgreSQL ${seconds('postgres')} s; API at most ${peaks['api']} MB; load ${load}`;
}

async function usageNow(bench: Pick<BenchService, 'service'>, pool: pg.Pool): Promise<Usage> {
  const cpu = await processorSeconds(bench);
  const { rows } = await pool.query<{ commits: string; wal: string }>(
    `SELECT sum(xact_commit) AS commits, pg_current_wal_lsn() - '0/0'::pg_lsn AS wal FROM pg_stat_database`,
  );
  return { cpu, commits: Number(rows[0]?.commits), walBytes: Number(rows[0]?.wal) };
}

/** The processor time of a service and its servers since their start, in seconds by process. */
export async function processorSeconds({
  service,
}: Pick<BenchService, 'service'>): Promise<ReadonlyMap<string, number>> {
  const names = new Map(processesOf(service).map(({ app, pid }) => [pid, app]));
  const cpu = new Map<string, number>();
  for (const pid of await processesBelow(process.pid)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const name = names.get(pid) ?? serverOf(stat);
    if (name !== null) cpu.set(name, (cpu.get(name) ?? 0) + secondsOf(stat, name));
  }
  return cpu;
}

/** The running processes of a service. */
export function processesOf(
  service: BenchService['service'],
): readonly { readonly app: string; readonly pid: number }[] {
  return serviceApps.flatMap((app) => service.processes(app).map(({ pid = 0 }) => ({ app, pid })));
}

function serverOf(stat: string): string | null {
  const name = /\((.*)\)/.exec(stat)?.[1] ?? '';
  if (name.startsWith('postgres')) return 'postgres';
  return /^(redis|valkey)/.test(name) ? 'redis' : null;
}

/** Processor time of one process; of the servers also that of their ended children. */
function secondsOf(stat: string, name: string): number {
  // After the name: state is field 3; utime, stime, cutime and cstime are 14 to 17. See proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, children, childrenSystem] = fields.slice(11, 15).map(Number);
  const own = (user ?? 0) + (system ?? 0);
  const ended = name === 'postgres' ? (children ?? 0) + (childrenSystem ?? 0) : 0;
  return (own + ended) / ticksPerSecond;
}

/** A process's peak memory since its start, or since `forgetPeak`. */
export async function peakMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}

/** Resets a process's peak memory to its current use: see proc_pid_clear_refs(5). */
export async function forgetPeak(pid: number | undefined): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
