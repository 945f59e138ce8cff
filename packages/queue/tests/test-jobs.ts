import { z } from 'zod';
import { defineJob } from '../src/index.ts';

const timing = { firstBackoffMs: 20, timeoutMs: 30_000, lockMs: 2_000, stalledCheckMs: 400 };

/** A registry with short times, so that tests take seconds instead of half a minute. */
export const testJobs = {
  work: defineJob({
    payload: z.object({ id: z.string() }),
    dedupKey: (payload) => payload.id,
    attempts: 3,
    exclusive: false,
    ...timing,
  }),
  single: defineJob({
    payload: z.object({ id: z.string() }),
    dedupKey: (payload) => payload.id,
    attempts: 3,
    exclusive: true,
    ...timing,
  }),
  hasty: defineJob({
    payload: z.object({ id: z.string() }),
    dedupKey: (payload) => payload.id,
    attempts: 2,
    exclusive: false,
    ...timing,
    timeoutMs: 200,
  }),
} as const;

/** The jobs of an older version, with payloads that differ from those of `testJobs`. */
export const olderJobs = {
  work: defineJob({
    payload: z.object({ number: z.number() }),
    dedupKey: (payload) => `older ${payload.number}`,
    attempts: 3,
    exclusive: false,
    ...timing,
  }),
} as const;
