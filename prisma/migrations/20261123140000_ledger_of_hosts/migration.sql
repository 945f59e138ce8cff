-- What changed on which hosts: docs/decisions/0081.

-- The hosts of earlier changes cannot be counted any more: these entries keep NULL.
ALTER TABLE "knowledge_changes" ADD COLUMN "counted" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "knowledge_changes" ALTER COLUMN "counted" SET DEFAULT false;

CREATE TABLE "host_changes" (
    "host_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "is_first" BOOLEAN NOT NULL,
    "judged_kernel_id" INTEGER,
    "opened" BYTEA NOT NULL,
    "closed" BYTEA NOT NULL,

    CONSTRAINT "host_changes_pkey" PRIMARY KEY ("host_id","sequence")
);
CREATE INDEX "host_changes_at_idx" ON "host_changes" USING BRIN ("at");
ALTER TABLE "host_changes" ADD CONSTRAINT "host_changes_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The kernel that each host runs now is known from its newest snapshot on.
INSERT INTO "host_changes" ("host_id", "sequence", "at", "is_first", "judged_kernel_id", "opened", "closed")
  SELECT hs."host_id", hs."sequence", s."received_at", false, hs."judged_kernel_id", '', ''
  FROM "host_state" hs JOIN "snapshots" s ON s."id" = hs."snapshot_id";
