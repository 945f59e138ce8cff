-- The rules of the preset are those of the version of the service: hosts that were counted by earlier ones are counted again.
INSERT INTO "recount_pieces" ("hosts")
SELECT array_agg("host_id" ORDER BY "host_id") FROM (
  SELECT "host_id", (row_number() OVER (ORDER BY "host_id") - 1) / 500 AS "piece"
  FROM "host_state" WHERE "snapshot_id" IS NOT NULL AND EXISTS (
    SELECT FROM "policies" WHERE "name" = 'due_dates' AND "document" ->> 'preset' = 'cisa-bod-26-04')) h
GROUP BY "piece" ORDER BY "piece";
