-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_generation" INTEGER NOT NULL DEFAULT 0,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "revoked_tokens" (
    "jti" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revoked_tokens_pkey" PRIMARY KEY ("jti")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "hosts" (
    "id" UUID NOT NULL,
    "onboarding_mode" TEXT NOT NULL,
    "approval_status" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "machine_id" TEXT NOT NULL DEFAULT '',
    "machine_id_conflict_with" UUID,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "ip_address" TEXT,
    "agent_version" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hosts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "host_access_tokens" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "first_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "host_access_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "registration_tokens" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "auto_approve" BOOLEAN NOT NULL,
    "max_uses" INTEGER NOT NULL,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "host_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "registration_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "enrolments" (
    "token_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "host_id" UUID NOT NULL,

    CONSTRAINT "enrolments_pkey" PRIMARY KEY ("token_id","key_hash")
);

-- CreateTable
CREATE TABLE "host_contacts" (
    "host_id" UUID NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "stale_after_seconds" INTEGER NOT NULL,
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "last_upload_id" UUID,
    "content_hash" BYTEA,
    "last_confirmed_at" TIMESTAMPTZ(3),
    "lists_at" TIMESTAMPTZ(3),
    "booted_at" TIMESTAMPTZ(3),

    CONSTRAINT "host_contacts_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "host_state" (
    "host_id" UUID NOT NULL,
    "os_family" TEXT NOT NULL DEFAULT 'unknown',
    "os_name" TEXT NOT NULL DEFAULT '',
    "os_major" INTEGER NOT NULL DEFAULT 0,
    "os_version" TEXT NOT NULL DEFAULT '',
    "architecture" TEXT NOT NULL DEFAULT '',
    "release_id" INTEGER,
    "snapshot_id" UUID,
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "set_id" INTEGER,
    "first_snapshot_at" TIMESTAMPTZ(3),
    "critical" INTEGER NOT NULL DEFAULT 0,
    "important" INTEGER NOT NULL DEFAULT 0,
    "moderate" INTEGER NOT NULL DEFAULT 0,
    "low" INTEGER NOT NULL DEFAULT 0,
    "unrated" INTEGER NOT NULL DEFAULT 0,
    "unfixed" INTEGER NOT NULL DEFAULT 0,
    "known_exploited" INTEGER NOT NULL DEFAULT 0,
    "waived" INTEGER NOT NULL DEFAULT 0,
    "unknown" INTEGER NOT NULL DEFAULT 0,
    "available_updates" INTEGER NOT NULL DEFAULT 0,
    "updates_known" BOOLEAN NOT NULL DEFAULT false,
    "services_due" INTEGER NOT NULL DEFAULT 0,
    "reboot_state" TEXT NOT NULL DEFAULT 'unknown',
    "restart_state" TEXT NOT NULL DEFAULT 'unknown',
    "action" TEXT NOT NULL DEFAULT 'none',

    CONSTRAINT "host_state_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "uploads" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "door" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "payload_kind" TEXT NOT NULL,
    "body" BYTEA,
    "content_hash" BYTEA NOT NULL,
    "state" TEXT NOT NULL,
    "error_code" TEXT,
    "errors" JSONB,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "snapshots" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "source" TEXT NOT NULL,
    "collected_at" TIMESTAMPTZ(3),
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "schema_version" INTEGER NOT NULL,
    "collector_version" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    "payload_sha256" BYTEA NOT NULL,
    "payload_size" INTEGER NOT NULL,
    "set_id" INTEGER NOT NULL,
    "release_id" INTEGER NOT NULL,
    "facts" JSONB NOT NULL,
    "upgrade_ids" INTEGER[],
    "held_ids" INTEGER[],
    "running_kernel_id" INTEGER,

    CONSTRAINT "snapshots_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "package_changes" (
    "host_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "n" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "architecture" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "from_id" INTEGER,
    "to_id" INTEGER,

    CONSTRAINT "package_changes_pkey" PRIMARY KEY ("host_id","sequence","n")
);

-- CreateTable
CREATE TABLE "releases" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "feed_id" TEXT,
    "covered" BOOLEAN NOT NULL DEFAULT false,
    "ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "releases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "package_versions" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "release_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "architecture" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "source_name" TEXT NOT NULL,
    "source_version" TEXT NOT NULL,
    "vendor" TEXT NOT NULL,
    "suite" TEXT NOT NULL,
    "module" TEXT NOT NULL,
    "match_name" TEXT,
    "match_key" BYTEA,
    "verdict" JSONB NOT NULL,
    "matched" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "package_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "package_sets" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "n" INTEGER NOT NULL,
    "ids" BYTEA NOT NULL,

    CONSTRAINT "package_sets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "upgrades" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "release_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "architecture" TEXT NOT NULL,
    "installed_version" TEXT NOT NULL,
    "candidate_version" TEXT NOT NULL,
    "repository" TEXT NOT NULL,
    "is_security" BOOLEAN NOT NULL,
    "held" BOOLEAN NOT NULL,
    "phased" BOOLEAN NOT NULL,
    "source_name" TEXT NOT NULL,
    "source_version" TEXT NOT NULL,
    "suite" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "advisory_ids" TEXT[],

    CONSTRAINT "upgrades_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feeds" (
    "id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'never_synced',
    "records" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3),
    "last_sync_at" TIMESTAMPTZ(3),
    "next_sync_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "etag" TEXT,
    "last_modified" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "feeds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_imports" (
    "id" UUID NOT NULL,
    "format" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "complete" BOOLEAN NOT NULL,
    "release" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "records_read" INTEGER NOT NULL DEFAULT 0,
    "records_changed" INTEGER NOT NULL DEFAULT 0,
    "records_rejected" INTEGER NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "feed_imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_import_chunks" (
    "import_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "feed_import_chunks_pkey" PRIMARY KEY ("import_id","n")
);

-- CreateTable
CREATE TABLE "advisories" (
    "id" SERIAL NOT NULL,
    "feed_id" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
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

    CONSTRAINT "advisories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "advisory_packages" (
    "id" SERIAL NOT NULL,
    "advisory_id" INTEGER NOT NULL,
    "release_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "fixed_version" TEXT,
    "fixed_key" BYTEA,
    "unfixed_reason" TEXT,
    "unfixed_detail" TEXT NOT NULL DEFAULT '',
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "advisory_packages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "package_version_advisories" (
    "package_version_id" INTEGER NOT NULL,
    "advisory_package_id" INTEGER NOT NULL,

    CONSTRAINT "package_version_advisories_pkey" PRIMARY KEY ("package_version_id","advisory_package_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "revoked_tokens_expires_at_idx" ON "revoked_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "hosts_machine_id_idx" ON "hosts"("machine_id");

-- CreateIndex
CREATE INDEX "hosts_machine_id_conflict_with_idx" ON "hosts"("machine_id_conflict_with");

-- CreateIndex
CREATE INDEX "hosts_display_name_id_idx" ON "hosts"("display_name", "id");

-- CreateIndex
CREATE UNIQUE INDEX "host_access_tokens_token_hash_key" ON "host_access_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "host_access_tokens_host_id_idx" ON "host_access_tokens"("host_id");

-- CreateIndex
CREATE UNIQUE INDEX "registration_tokens_token_hash_key" ON "registration_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "registration_tokens_host_id_idx" ON "registration_tokens"("host_id");

-- CreateIndex
CREATE INDEX "enrolments_host_id_idx" ON "enrolments"("host_id");

-- CreateIndex
CREATE INDEX "host_state_set_id_idx" ON "host_state"("set_id");

-- CreateIndex
CREATE UNIQUE INDEX "uploads_host_id_sequence_key" ON "uploads"("host_id", "sequence");

-- CreateIndex
CREATE INDEX "snapshots_set_id_idx" ON "snapshots"("set_id");

-- CreateIndex
CREATE UNIQUE INDEX "snapshots_host_id_sequence_key" ON "snapshots"("host_id", "sequence" DESC);

-- CreateIndex
CREATE INDEX "package_changes_host_id_name_idx" ON "package_changes"("host_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "releases_name_key" ON "releases"("name");

-- CreateIndex
CREATE INDEX "releases_feed_id_idx" ON "releases"("feed_id");

-- CreateIndex
CREATE UNIQUE INDEX "package_versions_digest_key" ON "package_versions"("digest");

-- CreateIndex
CREATE INDEX "package_versions_release_id_match_name_idx" ON "package_versions"("release_id", "match_name");

-- CreateIndex
CREATE UNIQUE INDEX "package_sets_digest_key" ON "package_sets"("digest");

-- CreateIndex
CREATE UNIQUE INDEX "upgrades_digest_key" ON "upgrades"("digest");

-- CreateIndex
CREATE INDEX "feed_imports_state_idx" ON "feed_imports"("state");

-- CreateIndex
CREATE INDEX "advisories_cves_idx" ON "advisories" USING GIN ("cves");

-- CreateIndex
CREATE UNIQUE INDEX "advisories_feed_id_external_id_key" ON "advisories"("feed_id", "external_id");

-- CreateIndex
CREATE INDEX "advisory_packages_release_id_name_idx" ON "advisory_packages"("release_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "advisory_packages_advisory_id_release_id_name_key" ON "advisory_packages"("advisory_id", "release_id", "name");

-- CreateIndex
CREATE INDEX "package_version_advisories_advisory_package_id_idx" ON "package_version_advisories"("advisory_package_id");

-- AddForeignKey
ALTER TABLE "hosts" ADD CONSTRAINT "hosts_machine_id_conflict_with_fkey" FOREIGN KEY ("machine_id_conflict_with") REFERENCES "hosts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_access_tokens" ADD CONSTRAINT "host_access_tokens_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registration_tokens" ADD CONSTRAINT "registration_tokens_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "registration_tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_contacts" ADD CONSTRAINT "host_contacts_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_state" ADD CONSTRAINT "host_state_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_state" ADD CONSTRAINT "host_state_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_state" ADD CONSTRAINT "host_state_set_id_fkey" FOREIGN KEY ("set_id") REFERENCES "package_sets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_set_id_fkey" FOREIGN KEY ("set_id") REFERENCES "package_sets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "package_changes" ADD CONSTRAINT "package_changes_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "releases" ADD CONSTRAINT "releases_feed_id_fkey" FOREIGN KEY ("feed_id") REFERENCES "feeds"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "package_versions" ADD CONSTRAINT "package_versions_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feed_import_chunks" ADD CONSTRAINT "feed_import_chunks_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "feed_imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "advisories" ADD CONSTRAINT "advisories_feed_id_fkey" FOREIGN KEY ("feed_id") REFERENCES "feeds"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "advisory_packages" ADD CONSTRAINT "advisory_packages_advisory_id_fkey" FOREIGN KEY ("advisory_id") REFERENCES "advisories"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "advisory_packages" ADD CONSTRAINT "advisory_packages_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "package_version_advisories" ADD CONSTRAINT "package_version_advisories_package_version_id_fkey" FOREIGN KEY ("package_version_id") REFERENCES "package_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "package_version_advisories" ADD CONSTRAINT "package_version_advisories_advisory_package_id_fkey" FOREIGN KEY ("advisory_package_id") REFERENCES "advisory_packages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what the schema file cannot say.

-- Bodies are gzip already: compressing them again costs three times the insert.
ALTER TABLE "uploads" ALTER COLUMN "body" SET STORAGE EXTERNAL;
ALTER TABLE "snapshots" ALTER COLUMN "payload" SET STORAGE EXTERNAL;
ALTER TABLE "package_sets" ALTER COLUMN "ids" SET STORAGE EXTERNAL;
ALTER TABLE "feed_import_chunks" ALTER COLUMN "data" SET STORAGE EXTERNAL;

-- Rows that are rewritten often keep room beside them, so that an update stays on its page and touches no index.
ALTER TABLE "host_contacts" SET (fillfactor = 50);
ALTER TABLE "host_state" SET (fillfactor = 70);

-- What the scheduler rings again: only uploads that have not reached an end.
CREATE INDEX "uploads_pending" ON "uploads" ("received_at") WHERE "state" IN ('received', 'parsed');

-- What still waits for its first look-up of advisories.
CREATE INDEX "package_versions_unmatched" ON "package_versions" ("id") WHERE NOT "matched";

-- Hosts as the API shows them. What depends on the time is decided here and nowhere else, when it is read.
CREATE VIEW "host_overview" AS
SELECT
  fresh.*,
  CASE
    WHEN fresh."action" <> 'none' THEN fresh."action"
    WHEN fresh."status" = 'new' OR fresh."coverage" IN ('none', 'eol') OR fresh."updates_state" <> 'known' THEN 'unknown'
    ELSE 'none'
  END AS "overall_action"
FROM (
  SELECT
    h."id", h."onboarding_mode", h."approval_status", h."display_name", h."hostname", h."machine_id",
    h."machine_id_conflict_with", h."tags", h."ip_address", h."agent_version", h."created_at",
    s."os_family", s."os_name", s."os_major", s."os_version", s."architecture",
    s."critical", s."important", s."moderate", s."low", s."unrated", s."unfixed", s."known_exploited", s."waived",
    s."unknown", s."available_updates", s."services_due", s."reboot_state", s."restart_state", s."action",
    c."last_seen_at", p."collected_at" AS "snapshot_collected_at", f."updated_at" AS "feed_updated_at",
    CASE
      WHEN s."snapshot_id" IS NULL THEN 'new'
      WHEN c."last_confirmed_at" < now() - make_interval(secs => c."stale_after_seconds") THEN 'stale'
      ELSE 'active'
    END AS "status",
    CASE
      WHEN r."ends_at" < now() THEN 'eol'
      WHEN f."updated_at" IS NULL OR NOT r."covered" THEN 'none'
      WHEN f."updated_at" < now() - interval '3 days' THEN 'stale'
      WHEN s."unknown" > 0 THEN 'partial'
      ELSE 'full'
    END AS "coverage",
    CASE
      WHEN NOT s."updates_known" THEN 'unknown'
      WHEN c."lists_at" < now() - interval '7 days' THEN 'stale'
      ELSE 'known'
    END AS "updates_state"
  FROM "hosts" h
  JOIN "host_contacts" c ON c."host_id" = h."id"
  JOIN "host_state" s ON s."host_id" = h."id"
  LEFT JOIN "snapshots" p ON p."id" = s."snapshot_id"
  LEFT JOIN "releases" r ON r."id" = s."release_id"
  LEFT JOIN "feeds" f ON f."id" = r."feed_id"
) fresh;
