-- What was known of each release, and of each host's report, when: docs/decisions/0080.
CREATE TABLE "release_coverage" (
    "release_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "feed_id" TEXT,
    "covered" BOOLEAN NOT NULL,
    "lists_unfixed" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "release_coverage_pkey" PRIMARY KEY ("release_id","at")
);
ALTER TABLE "release_coverage" ADD CONSTRAINT "release_coverage_release_id_fkey"
  FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Of the time before this version two facts are kept: the feed was imported at first, and it was current last. Whether
-- it listed unfixed packages at first is not known.
INSERT INTO "release_coverage"
  SELECT r."id", min(ap."first_seen_at"), r."feed_id", true, false, min(ap."first_seen_at")
  FROM "releases" r JOIN "advisory_packages" ap ON ap."release_id" = r."id"
  JOIN "advisories" a ON a."id" = ap."advisory_id" AND a."feed_id" = r."feed_id"
  WHERE r."covered" GROUP BY r."id", r."feed_id";
INSERT INTO "release_coverage"
  SELECT * FROM (
    SELECT r."id", CASE WHEN fr."release" IS NULL THEN f."updated_at" ELSE fr."updated_at" END AS "at", r."feed_id",
           r."covered", r."lists_unfixed", CASE WHEN fr."release" IS NULL THEN f."updated_at" ELSE fr."updated_at" END
    FROM "releases" r JOIN "feeds" f ON f."id" = r."feed_id"
    LEFT JOIN "feed_releases" fr ON fr."feed_id" = r."feed_id" AND fr."release" = r."name") now
  WHERE now."at" IS NOT NULL
  ON CONFLICT DO NOTHING;

ALTER TABLE "snapshots" ADD COLUMN "prior_confirmed_at" TIMESTAMPTZ(3),
  ADD COLUMN "lists_at" TIMESTAMPTZ(3);
