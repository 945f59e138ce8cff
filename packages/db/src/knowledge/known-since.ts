/**
 * SQL: since when findings of each release are known: when a feed had advisories for it first. A table of (release_id, at)
 * without the releases of which that was never so.
 */
export const coveredReleases = `SELECT r.id AS release_id, c.at FROM releases r CROSS JOIN LATERAL (
  SELECT at FROM release_coverage WHERE release_id = r.id AND covered ORDER BY at LIMIT 1) c`;
