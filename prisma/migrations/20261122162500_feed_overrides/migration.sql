-- The list of known feed errors that is in force, and the statements that it applies to.
CREATE TABLE "feed_overrides" (
  "id" SERIAL NOT NULL,
  "digest" TEXT NOT NULL,
  "origin" TEXT NOT NULL,
  "feed_id" TEXT NOT NULL,
  "release" TEXT NOT NULL,
  "package" TEXT NOT NULL,
  "cve" TEXT NOT NULL,
  "affected_from" TEXT,
  "from_key" BYTEA,
  "affected_before" TEXT,
  "before_key" BYTEA,
  "reason" TEXT NOT NULL,
  "source" TEXT NOT NULL,

  CONSTRAINT "feed_overrides_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "feed_overrides_feed_id_release_package_cve_key" ON "feed_overrides"("feed_id", "release", "package", "cve");

ALTER TABLE "advisory_packages" ADD COLUMN "override_id" INTEGER;
