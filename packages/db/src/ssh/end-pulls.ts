import type { UploadId } from '@plimsoll/model';
import type { PgTransaction } from '../connection/pg-transaction.ts';
import { nextAfterFailure, nextAfterSuccess } from './pull-schedule.ts';

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
