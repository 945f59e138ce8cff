-- What lists select and count by is in one row; docs/decisions/judging.md.
ALTER TABLE "host_state" ADD COLUMN "patch_rhythm" TEXT NOT NULL DEFAULT 'unknown',
  ADD COLUMN "approval" TEXT NOT NULL DEFAULT 'pending',
  ADD COLUMN "mode" TEXT NOT NULL DEFAULT 'agent';
-- Judged again before they are read.
UPDATE "host_state" SET "judged_until" = '1970-01-01 00:00:00+00';

-- Lists are in the order of code points.
DROP INDEX "hosts_display_name_id_idx";
CREATE INDEX "hosts_display_name_id_idx" ON "hosts" ("display_name" COLLATE "C", "id");
