import type { UploadId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import type { Transaction } from '../../core/transaction.ts';
import { Prisma } from '../../generated/client.ts';

/**
 * The times of next pulls, as SQL expressions on a row `t` of ssh_targets. Each has jitter, evaluated per row, so that
 * hosts that were added, failed or recovered together are spread out.
 */
const interval = 'make_interval(mins => t.frequency_minutes)';

/** The interval for a host that was never pulled, on its first day. */
const firstDayInterval = "interval '5 minutes'";

/** After a claim: one interval later, minus up to 5 %. */
export const nextRegularPull = `now() + ${interval} * (0.95 + 0.05 * random())`;

/** After the first success: anywhere in the interval, so that hosts that were added together are spread out. */
const nextAfterFirst = `now() + ${interval} * (0.1 + 0.9 * random())`;

/** After a success that follows failures: back to the regular interval, spread over its second half. */
const nextAfterRecovery = `now() + ${interval} * (0.5 + 0.5 * random())`;

/**
 * After a change of pull settings: at most one interval from now, regardless of earlier delays and intervals. Many
 * hosts may change at once, so those whose pull moves forward are spread over the interval.
 */
export const nextAfterChange = `CASE
  WHEN t.next_pull_at > now() + ${interval} THEN now() + ${interval} * (0.1 + 0.9 * random())
  ELSE t.next_pull_at END`;

/** After any success. */
const nextAfterSuccess = `CASE
  WHEN t.first_pulled_at IS NULL THEN ${nextAfterFirst}
  WHEN t.failures > 0 THEN ${nextAfterRecovery}
  ELSE t.next_pull_at END`;

/**
 * After a failure that `t.failures` does not count yet. A host that was pulled before is delayed up to eight intervals.
 * A host that was never pulled probably lacks its key: it is tried every five minutes for a day, then at its interval.
 */
export const nextAfterFailure = `now() + CASE
  WHEN t.first_pulled_at IS NOT NULL THEN ${interval} * least(8, power(2, least(t.failures, 3)))
  WHEN t.created_at > now() - interval '1 day' THEN least(${firstDayInterval}, ${interval})
  ELSE ${interval} END * (0.85 + 0.15 * random())`;

/** For a host that can be pulled again (resumed, or with a new key): soon, but spread out. */
export const nextSoon = `now() + least(${firstDayInterval}, ${interval}) * random()`;

/** Sets a host's next pull to an expression of the schedule, whose times and jitter the database computes. */
export async function planNextPull(tx: Transaction, hostId: string, next: string): Promise<void> {
  await tx.$executeRaw`UPDATE ssh_targets t SET next_pull_at = ${Prisma.raw(next)} WHERE host_id = ${hostId}::uuid`;
}

/**
 * Ends the pulls of these uploads if the uploads have ended: a pull succeeds when its report is matched, and not
 * before. Call it after ending the uploads, in the same transaction, with their hosts locked.
 */
export async function endPulls(tx: PgTransaction, uploads: readonly UploadId[]): Promise<void> {
  if (uploads.length === 0) return;
  await tx.query(
    `WITH ended AS (
       UPDATE pull_jobs p SET finished_at = now(),
         status = CASE WHEN u.state = 'rejected' THEN 'failed' ELSE 'succeeded' END,
         error_code = CASE WHEN u.state = 'rejected' THEN CASE u.error_code WHEN 'report_invalid' THEN 'report_invalid' ELSE 'internal' END END,
         error_message = CASE WHEN u.state = 'rejected' THEN ${rejectionSentence} END
       FROM uploads u
       WHERE u.id = ANY($1::uuid[]) AND u.state IN ('matched', 'superseded', 'rejected')
         AND p.upload_id = u.id AND p.status = 'running'
       RETURNING p.host_id, p.status)
     UPDATE ssh_targets t SET
       next_pull_at = CASE WHEN ended.status = 'succeeded' THEN ${nextAfterSuccess} ELSE ${nextAfterFailure} END,
       failures = CASE WHEN ended.status = 'succeeded' THEN 0 ELSE t.failures + 1 END,
       first_pulled_at = CASE WHEN ended.status = 'succeeded' THEN coalesce(t.first_pulled_at, now()) ELSE t.first_pulled_at END
     FROM ended WHERE t.host_id = ended.host_id`,
    [uploads],
  );
}

/** The reason for the upload's rejection, as a message on the pull. */
const rejectionSentence = `concat('What the collector printed could not be understood (',
  u.errors -> 0 ->> 'pointer', ': ', u.errors -> 0 ->> 'detail',
  '): run the collector on the host by hand and check its output.')`;
