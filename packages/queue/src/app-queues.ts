import type { ServiceApp } from '@plimsoll/model';
import type { JobName } from './job-spec.ts';
import { type Jobs, jobs } from './jobs.ts';

const all = Object.keys(jobs) as readonly JobName<Jobs>[]; // Object.keys forgets the names of a const object

/**
 * The queues that each app consumes, rings or counts. An app opens no other queue, and its Redis user cannot access the
 * keys of other queues (redis-users.ts).
 */
export const appQueues: Readonly<Record<ServiceApp, readonly JobName<Jobs>[]>> = {
  // For its metrics, which count all queues.
  api: all,
  'report-worker': ['report-parse', 'report-parse-large', 'report-parse-pending', 'advisory-match'],
  'advisory-worker': ['advisory-match', 'advisory-match-large', 'repository-judge', 'advisory-sync'],
  'ssh-worker': ['ssh-pull', 'report-parse'],
  scheduler: all,
};
