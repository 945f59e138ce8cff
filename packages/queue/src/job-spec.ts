import type { z } from 'zod';

/** The definition of one job. Its key in the registry is its name and the name of its queue. */
export interface JobSpec<Payload = unknown> {
  /**
   * The schema of payloads. Checked at delivery, because an older or newer version may have rung. Payloads contain ids
   * only, no data.
   */
  readonly payload: z.ZodType<Payload>;
  /** Rings with the same key are one job until it ends. Any text. */
  dedupKey(payload: Payload): string;
  /** Attempts before the job is dropped. Deaths of the worker do not count. */
  readonly attempts: number;
  /** The wait before the second attempt. Doubles for each further attempt, with jitter. */
  readonly firstBackoffMs: number;
  /** Milliseconds after which the signal of an attempt aborts. */
  readonly timeoutMs: number;
  /** Milliseconds until a worker without contact loses its job. A running worker renews its lock twice in this time. */
  readonly lockMs: number;
  /**
   * The interval in which workers look for jobs of dead workers: a job is available again after at most `lockMs` + 2 ×
   * `stalledCheckMs`.
   */
  readonly stalledCheckMs: number;
  /** Whether only one job of this queue may run at a time, across all workers on all machines. */
  readonly exclusive: boolean;
}

/** All jobs by name. Names are kebab-case without colons (a rule of BullMQ). */
export type JobRegistry = Readonly<Record<string, JobSpec>>;

/** The names of a registry's jobs. */
export type JobName<R extends JobRegistry> = Extract<keyof R, string>;

/** The payload type of job `Name` in registry `R`. */
export type PayloadOf<R extends JobRegistry, Name extends JobName<R>> = z.output<R[Name]['payload']>;

/** Defines one registry entry with a checked payload type: `dedupKey` takes the output of `payload`. */
export function defineJob<Payload>(spec: JobSpec<Payload>): JobSpec<Payload> {
  return spec;
}
