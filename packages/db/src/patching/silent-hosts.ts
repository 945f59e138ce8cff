/**
 * SQL: whether a host `h` was silent in a period: the content that it had at the end was neither received nor confirmed
 * since the start. With `host_state hs` and `host_contacts c`; $1 and $2 are the period, $3 is now.
 */
export const isSilentBySql = `CASE WHEN hs.first_snapshot_at IS NULL OR hs.first_snapshot_at >= $2 THEN true
  WHEN coalesce(c.last_confirmed_at, '-infinity') < $1 THEN true
  WHEN $2 >= $3 THEN false
  ELSE NOT EXISTS (
    SELECT FROM (SELECT s.received_at, s.sequence FROM snapshots s
                 WHERE s.host_id = h.id AND s.received_at < $2 ORDER BY s.sequence DESC LIMIT 1) s
    WHERE s.received_at >= $1
      OR coalesce((SELECT n.prior_confirmed_at FROM snapshots n WHERE n.host_id = h.id AND n.sequence > s.sequence
                   ORDER BY n.sequence LIMIT 1), c.last_confirmed_at) >= $1)
END`;
