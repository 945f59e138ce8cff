-- Releases that nothing refers to are collected: docs/decisions/0045.
ALTER TABLE "releases" ADD COLUMN "condemned" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "host_state_release_id_idx" ON "host_state"("release_id");
CREATE INDEX "snapshots_release_id_idx" ON "snapshots"("release_id");
CREATE INDEX "upgrades_release_id_idx" ON "upgrades"("release_id");
