-- Which package versions each change of advisories touched, so that counting keeps what it knows of all others.
CREATE TABLE "version_changes" (
    "n" BIGSERIAL NOT NULL,
    "ids" BYTEA NOT NULL,

    CONSTRAINT "version_changes_pkey" PRIMARY KEY ("n")
);

-- Recounting the hosts of changed versions looks them up by set and by the kernel that runs.
CREATE INDEX "snapshots_running_kernel_id_idx" ON "snapshots"("running_kernel_id");

ALTER TABLE "feeds" DROP COLUMN "epoch";
