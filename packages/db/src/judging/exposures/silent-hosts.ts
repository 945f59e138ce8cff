/**
 * SQL: whether a host `h` was silent in a period: the content that it had at the end was neither received nor confirmed
 * since the start. With `host_state hs` and `host_contacts c`; $1 and $2 are the period, $3 is now.
 */
export const isSilentBySql = `CASE WHEN hs.first_snapshot_at IS NULL OR hs.first_snapshot_at >= $2 THEN true
  WHEN coalesce(c.last_confirmed_at, '-infinity') < $1 THEN true
  WHEN $2 >= $3 THEN false
  ELSE (
    SELECT CASE WHEN n.first_at < $2
        -- What counted at the end was folded into the next one; of the time between them its silences are known.
        THEN EXISTS (SELECT FROM unnest(n.silent_from, n.silent_until) AS u (since, until) WHERE since < $1 AND until >= $2)
      -- A snapshot that was parsed after newer ones may not say until when the content before it was confirmed.
      ELSE coalesce(s.reported_at, '-infinity') < $1
        AND coalesce(CASE WHEN n.sequence IS NULL THEN c.last_confirmed_at ELSE n.prior_confirmed_at END, '-infinity') < $1 END
    FROM (VALUES (true)) AS host (is_known)
    LEFT JOIN LATERAL (SELECT coalesce(s.reported_at, s.received_at) AS reported_at, s.sequence FROM snapshots s
      WHERE s.host_id = h.id AND s.received_at < $2 ORDER BY s.sequence DESC LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT n.sequence, n.prior_confirmed_at, f.first_at, f.silent_from, f.silent_until
      FROM snapshots n LEFT JOIN folded_snapshots f ON f.snapshot_id = n.id
      WHERE n.host_id = h.id AND n.sequence > coalesce(s.sequence, -1) ORDER BY n.sequence LIMIT 1) n ON true)
END`;
