-- Counted exposures are rows. Those in the packed form are not taken over: every host is walked again, and is uncounted until then.
DROP TABLE "exposure_ends";
ALTER TABLE "exposure_walks" DROP COLUMN "open";
UPDATE "exposure_walks" SET "due" = true WHERE NOT "due";

CREATE TABLE "exposure_counts" (
    "id" BIGSERIAL NOT NULL,
    "host_id" UUID NOT NULL,
    "severity" TEXT NOT NULL,
    "has_fix" BOOLEAN NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "timed_since" TIMESTAMPTZ(3) NOT NULL,
    "cause" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "hours" INTEGER,
    "known" INTEGER,
    "offered" INTEGER,
    "installed" INTEGER,
    "running" INTEGER,

    CONSTRAINT "exposure_counts_pkey" PRIMARY KEY ("host_id","id")
);
CREATE INDEX "exposure_counts_until_idx" ON "exposure_counts"("until");
ALTER TABLE "exposure_counts" ADD CONSTRAINT "exposure_counts_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
