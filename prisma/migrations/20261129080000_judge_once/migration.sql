-- A host is judged when a fact changed, and stored; docs/decisions/judging.md.
DROP VIEW IF EXISTS "host_overview";
ALTER TABLE "host_state" ADD COLUMN "is_manual" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "snapshot_collected_at" TIMESTAMPTZ(3),
  ADD COLUMN "status" TEXT NOT NULL DEFAULT 'new',
  ADD COLUMN "coverage" TEXT NOT NULL DEFAULT 'none',
  ADD COLUMN "updates_state" TEXT NOT NULL DEFAULT 'unknown',
  ADD COLUMN "repositories_state" TEXT NOT NULL DEFAULT 'unknown',
  ADD COLUMN "gaps" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "overall_action" TEXT NOT NULL DEFAULT 'unknown',
  ADD COLUMN "judged_until" TIMESTAMPTZ(3) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone;
UPDATE "host_state" hs SET "is_manual" = s."source" = 'manual', "snapshot_collected_at" = s."collected_at"
  FROM "snapshots" s WHERE s."id" = hs."snapshot_id";
CREATE INDEX "host_state_judged_until_idx" ON "host_state"("judged_until");

CREATE TABLE "judgements_due" (
    "n" BIGSERIAL NOT NULL,
    "host_id" UUID,
    "release_id" INTEGER,

    CONSTRAINT "judgements_due_pkey" PRIMARY KEY ("n")
);
