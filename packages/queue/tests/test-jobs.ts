import { z } from 'zod';
import { defineJob } from '../src/index.ts';

const timing = { firstBackoffMs: 20, timeoutMs: 30_000, lockMs: 2_000, stalledCheckMs: 400 };

/** A registry with short times, so that what takes half a minute in production is seen in seconds. */
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

/** What older code called the same job: its payloads are not those of `testJobs`. */
export const olderJobs = {
  work: defineJob({
    payload: z.object({ number: z.number() }),
    dedupKey: (payload) => `older ${payload.number}`,
    attempts: 3,
    exclusive: false,
    ...timing,
  }),
} as const;
