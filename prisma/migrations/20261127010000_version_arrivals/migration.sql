-- Which package versions were matched, and when, is stored per statement that stored them: a flag in each row was written
-- by an update of the whole row and of all its index entries.
CREATE TABLE "version_arrivals" (
    "n" BIGSERIAL NOT NULL,
    "ids" INTEGER[],
    "matched_at" TIMESTAMPTZ(3),

    CONSTRAINT "version_arrivals_pkey" PRIMARY KEY ("n")
);

CREATE INDEX "version_arrivals_unmatched" ON "version_arrivals" ("n") WHERE "matched_at" IS NULL;

-- The versions of one transaction that matched them have the same time.
INSERT INTO "version_arrivals" ("ids", "matched_at")
SELECT array_agg("id" ORDER BY "id"), CASE WHEN "matched" THEN coalesce("matched_at", '-infinity') END
FROM "package_versions" GROUP BY 2 ORDER BY min("id");

DROP INDEX "package_versions_unmatched";
ALTER TABLE "package_versions" DROP COLUMN "matched", DROP COLUMN "matched_at";
