import type { z } from 'zod';

/** What the registry says of one job. Its name is its key in the registry, and its queue bears the same name. */
export interface JobSpec<Payload = unknown> {
  /** What a payload must be. Checked at delivery, because older or newer code may have rung. Ids only, no data. */
  readonly payload: z.ZodType<Payload>;
  /** Two rings of the same key are one job while the first one is not ended. Any text. */
  dedupKey(payload: Payload): string;
  /** How often a ring is tried before it is given up; deaths of the worker do not count. */
  readonly attempts: number;
  /** The wait before the second attempt; doubled for each further one, with jitter. */
  readonly firstBackoffMs: number;
  /** How long one attempt may take; then its signal aborts. */
  readonly timeoutMs: number;
  /** How long a silent worker keeps its job; a living one renews the lock twice in this time. */
  readonly lockMs: number;
  /** How often workers look for jobs of dead ones: a job is back after `lockMs` + 2 × `stalledCheckMs` at the latest. */
  readonly stalledCheckMs: number;
  /** Whether only one job of this queue may run at a time, over all workers of all machines. */
  readonly exclusive: boolean;
}

/** All jobs there are, by name. Names are kebab-case and hold no colon (a rule of BullMQ). */
export type JobRegistry = Readonly<Record<string, JobSpec>>;

/** The names of a registry's jobs. */
export type JobName<R extends JobRegistry> = Extract<keyof R, string>;

/** The payload that job `Name` of registry `R` carries. */
export type PayloadOf<R extends JobRegistry, Name extends JobName<R>> = z.output<R[Name]['payload']>;

/** Checks one registry entry and keeps its payload type: `dedupKey` sees what `payload` lets through. */
export function defineJob<Payload>(spec: JobSpec<Payload>): JobSpec<Payload> {
  return spec;
}
