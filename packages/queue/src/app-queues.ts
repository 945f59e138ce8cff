import type { ServiceApp } from '@plimsoll/model';
import type { JobName } from './job-spec.ts';
import { type Jobs, jobs } from './jobs.ts';

const all = Object.keys(jobs) as readonly JobName<Jobs>[]; // Object.keys forgets the names of a const object

/**
 * Which queues an app uses: those it takes jobs from, rings for or counts. It opens no other, and with Redis its user
 * reaches the keys of no other (redis-users.ts).
 */
export const appQueues: Readonly<Record<ServiceApp, readonly JobName<Jobs>[]>> = {
  // Counts all of them for its metrics.
  api: all,
  'report-worker': ['report-parse', 'report-parse-large', 'report-parse-pending', 'advisory-match'],
  'advisory-worker': ['advisory-match', 'advisory-match-large', 'repository-judge', 'advisory-sync'],
  'ssh-worker': ['ssh-pull', 'report-parse'],
  scheduler: all,
};
