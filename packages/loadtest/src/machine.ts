import { cpus, loadavg, totalmem } from 'node:os';

/** The machine of a measurement. */
export interface Machine {
  readonly cores: number;
  readonly model: string;
  readonly memoryGiB: number;
  /** The load average of the last minute. */
  readonly load: number;
  readonly node: string;
}

/** This machine, now. */
export function thisMachine(): Machine {
  const all = cpus();
  return {
    cores: all.length,
    model: all[0]?.model.trim() ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    node: process.versions.node,
  };
}
