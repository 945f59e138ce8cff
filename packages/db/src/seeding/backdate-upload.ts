import type { UploadId } from '@plimsoll/model';
import type { Database } from '../core/database.ts';

/**
 * Moves an accepted upload that is not parsed yet into the past, with the contact that it was, and the creation of its
 * host if that is later. What parsing and matching derive from it then has that time.
 */
export async function backdateUpload({ pool }: Database, id: UploadId, at: Date): Promise<void> {
  await pool.query(
    `WITH moved AS (
       UPDATE uploads SET received_at = $2 WHERE id = $1 AND state = 'received' RETURNING host_id),
     contact AS (
       UPDATE host_contacts c SET last_seen_at = $2 FROM moved WHERE c.host_id = moved.host_id)
     UPDATE hosts h SET created_at = $2 FROM moved WHERE h.id = moved.host_id AND h.created_at > $2`,
    [id, at],
  );
}
