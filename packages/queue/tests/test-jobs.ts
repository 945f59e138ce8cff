import { z } from 'zod';
import { defineJob } from '../src/index.ts';

const timing = { firstBackoffMs: 20, timeoutMs: 30_000, lockMs: 2_000, stalledCheckMs: 400 };

const named = {
  payload: z.object({ id: z.string() }),
  dedupKey: (payload: { readonly id: string }) => payload.id,
  attempts: 3,
  exclusive: false,
  ...timing,
};

/** A registry with short times, so that tests take seconds instead of half a minute. */
export const testJobs = {
  work: defineJob(named),
  single: defineJob({ ...named, exclusive: true }),
  hasty: defineJob({ ...named, attempts: 2, timeoutMs: 200 }),
} as const;

/** The jobs of an older version, with payloads that differ from those of `testJobs`. */
export const olderJobs = {
  work: defineJob({
    ...named,
    payload: z.object({ number: z.number() }),
    dedupKey: (payload) => `older ${payload.number}`,
  }),
} as const;
