-- What a host's tool says about a repository that fails, and the newest date on any host: docs/decisions/hosts.md.
ALTER TABLE "host_contacts" ADD COLUMN "repository_error" TEXT NOT NULL DEFAULT '';
ALTER TABLE "repositories" ADD COLUMN "seen_at" TIMESTAMPTZ(3), ADD COLUMN "judged_seen_at" TIMESTAMPTZ(3);
-- Every host's copies are judged again, which also moves the dates.
UPDATE "host_refreshes" SET "due" = true;
-- Findings without a fix by severity. Every host is counted again.
ALTER TABLE "host_state" ADD COLUMN "unfixed_critical" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "unfixed_important" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "unfixed_moderate" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "unfixed_low" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "unfixed_unrated" INTEGER NOT NULL DEFAULT 0;
INSERT INTO "recount_pieces" ("hosts")
SELECT array_agg("host_id" ORDER BY "host_id") FROM (
  SELECT "host_id", (row_number() OVER (ORDER BY "host_id") - 1) / 500 AS "piece"
  FROM "host_state" WHERE "snapshot_id" IS NOT NULL AND "unfixed" > 0) h
GROUP BY "piece" ORDER BY "piece";
-- Since when exposures can be fixed. Every host's are counted again.
ALTER TABLE "exposure_counts" ADD COLUMN "fixable_at" TIMESTAMPTZ(3);
UPDATE "exposure_walks" SET "due" = true;
