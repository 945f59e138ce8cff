-- Earlier versions counted as patched what ended because only something else was said about the same build.
UPDATE "exposure_walks" SET "due" = true;
-- With a rule whose clock starts with the installation: since the host has the build.
INSERT INTO recount_pieces (hosts)
SELECT array_agg(host_id ORDER BY host_id) FROM (
  SELECT host_id, (row_number() OVER (ORDER BY host_id) - 1) / 500 AS piece FROM host_state WHERE snapshot_id IS NOT NULL) h
WHERE EXISTS (SELECT FROM policies WHERE name = 'due_dates' AND document -> 'rules' @> '[{"clock": "installed"}]')
GROUP BY piece ORDER BY piece;
