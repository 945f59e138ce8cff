-- What was known when: docs/decisions/0079.

-- What is stored now counts from when it was first imported: earlier contents were not kept.
ALTER TABLE "advisories" ADD COLUMN "since" TIMESTAMPTZ(3);
UPDATE "advisories" a SET "since" = coalesce(
  (SELECT min(ap."first_seen_at") FROM "advisory_packages" ap WHERE ap."advisory_id" = a."id"), now());
ALTER TABLE "advisories" ALTER COLUMN "since" SET NOT NULL;

ALTER TABLE "advisory_packages" ADD COLUMN "since" TIMESTAMPTZ(3);
UPDATE "advisory_packages" SET "since" = "first_seen_at";
ALTER TABLE "advisory_packages" ALTER COLUMN "since" SET NOT NULL;

ALTER TABLE "package_version_advisories" ADD COLUMN "since" TIMESTAMPTZ(3),
  ADD COLUMN "since_cause" TEXT,
  ADD COLUMN "known_at" TIMESTAMPTZ(3);
UPDATE "package_version_advisories" m
  SET "since" = ap."first_seen_at", "since_cause" = 'advisory_published', "known_at" = ap."first_seen_at"
  FROM "advisory_packages" ap WHERE ap."id" = m."advisory_package_id";
ALTER TABLE "package_version_advisories" ALTER COLUMN "since" SET NOT NULL,
  ALTER COLUMN "since_cause" SET NOT NULL,
  ALTER COLUMN "known_at" SET NOT NULL;

-- When the service learned of these facts was not kept: the time at which CISA stated them is the worse case.
ALTER TABLE "cves" ADD COLUMN "exploited_known_at" TIMESTAMPTZ(3),
  ADD COLUMN "ssvc_known_at" TIMESTAMPTZ(3);
UPDATE "cves" SET
  "exploited_known_at" = CASE WHEN "exploited_since" IS NOT NULL THEN "exploited_since"::timestamptz END,
  "ssvc_known_at" = "ssvc_at"
  WHERE "exploited_since" IS NOT NULL OR "ssvc_at" IS NOT NULL;

CREATE TABLE "knowledge_changes" (
    "id" SERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "feeds" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "knowledge_changes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "knowledge_changes_at_idx" ON "knowledge_changes"("at");

CREATE TABLE "knowledge_change_entries" (
    "change_id" INTEGER NOT NULL,
    "advisory_id" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "ids" BYTEA NOT NULL,
    "hosts" INTEGER,

    CONSTRAINT "knowledge_change_entries_pkey" PRIMARY KEY ("change_id","advisory_id","event","cause")
);
CREATE INDEX "knowledge_change_entries_advisory_id_idx" ON "knowledge_change_entries"("advisory_id");
ALTER TABLE "knowledge_change_entries" ADD CONSTRAINT "knowledge_change_entries_change_id_fkey"
  FOREIGN KEY ("change_id") REFERENCES "knowledge_changes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "past_advisories" (
    "id" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "feed_id" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "modified_at" TIMESTAMPTZ(3),
    "withdrawn_at" TIMESTAMPTZ(3),
    "aliases" TEXT[],
    "cves" TEXT[],
    "cvss_score" DOUBLE PRECISION,
    "cvss_vector" TEXT,

    CONSTRAINT "past_advisories_pkey" PRIMARY KEY ("id","until")
);
CREATE INDEX "past_advisories_until_idx" ON "past_advisories"("until");
CREATE INDEX "past_advisories_feed_id_external_id_idx" ON "past_advisories"("feed_id", "external_id");

CREATE TABLE "past_statements" (
    "id" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "advisory_id" INTEGER NOT NULL,
    "release_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "severity_source" TEXT NOT NULL,
    "stated_severity" TEXT NOT NULL,
    "stated_source" TEXT NOT NULL,
    "fixed_version" TEXT,
    "fixed_key" BYTEA,
    "fixed_service" TEXT,
    "unfixed_reason" TEXT,
    "unfixed_detail" TEXT NOT NULL,
    "architectures" TEXT[],
    "module" TEXT,
    "line" TEXT,
    "names" TEXT,
    "cves" TEXT[],
    "builds" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "past_statements_pkey" PRIMARY KEY ("id","until")
);
CREATE INDEX "past_statements_release_id_name_idx" ON "past_statements"("release_id", "name");
CREATE INDEX "past_statements_until_idx" ON "past_statements"("until");
CREATE INDEX "past_statements_advisory_id_idx" ON "past_statements"("advisory_id");

CREATE TABLE "past_matches" (
    "package_version_id" INTEGER NOT NULL,
    "advisory_package_id" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "since_cause" TEXT NOT NULL,
    "until_cause" TEXT NOT NULL,
    "known_at" TIMESTAMPTZ(3) NOT NULL,
    "open_cves" TEXT[],
    "severity" TEXT,

    CONSTRAINT "past_matches_pkey" PRIMARY KEY ("package_version_id","advisory_package_id","until")
);
CREATE INDEX "past_matches_advisory_package_id_idx" ON "past_matches"("advisory_package_id");
CREATE INDEX "past_matches_until_idx" ON "past_matches"("until");
ALTER TABLE "past_matches" ADD CONSTRAINT "past_matches_package_version_id_fkey"
  FOREIGN KEY ("package_version_id") REFERENCES "package_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "past_cve_facts" (
    "cve" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "fact" JSONB NOT NULL,

    CONSTRAINT "past_cve_facts_pkey" PRIMARY KEY ("cve","kind","until")
);
CREATE INDEX "past_cve_facts_until_idx" ON "past_cve_facts"("until");

-- When the existing versions were first matched was not kept.
ALTER TABLE "package_versions" ADD COLUMN "matched_at" TIMESTAMPTZ(3);
UPDATE "package_versions" SET "matched_at" = now() WHERE "matched";
