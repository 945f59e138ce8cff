-- CreateTable
CREATE TABLE "ssh_key_pairs" (
    "id" UUID NOT NULL,
    "host_id" UUID,
    "public_key" BYTEA NOT NULL,
    "sealed" BYTEA NOT NULL,
    "sealed_to" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ssh_key_pairs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ssh_targets" (
    "host_id" UUID NOT NULL,
    "user" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "frequency_minutes" INTEGER NOT NULL,
    "pull_paused" BOOLEAN NOT NULL DEFAULT false,
    "key_pair_id" UUID NOT NULL,
    "previous_key_pair_id" UUID,
    "next_pull_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "first_pulled_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "collector_pin" BYTEA,
    "host_key_type" TEXT,
    "host_key_fingerprint" TEXT,
    "host_key_pinned_at" TIMESTAMPTZ(3),
    "other_key_type" TEXT,
    "other_key_fingerprint" TEXT,
    "other_key_seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "ssh_targets_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "pull_jobs" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "trigger" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_message" TEXT,
    "upload_id" UUID,
    "starts" INTEGER NOT NULL DEFAULT 0,
    "run_id" UUID,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "pull_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "collectors" (
    "sha256" BYTEA NOT NULL,
    "version" TEXT NOT NULL,
    "script" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "collectors_pkey" PRIMARY KEY ("sha256")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "action" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT NOT NULL,
    "ip_address" TEXT,
    "host_id" UUID,
    "host_name" TEXT,
    "details" JSONB NOT NULL,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ssh_key_pairs_host_id_idx" ON "ssh_key_pairs"("host_id");

-- CreateIndex
CREATE INDEX "ssh_targets_key_pair_id_idx" ON "ssh_targets"("key_pair_id");

-- CreateIndex
CREATE INDEX "ssh_targets_previous_key_pair_id_idx" ON "ssh_targets"("previous_key_pair_id");

-- CreateIndex
CREATE INDEX "pull_jobs_host_id_id_idx" ON "pull_jobs"("host_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "ssh_key_pairs" ADD CONSTRAINT "ssh_key_pairs_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ssh_targets" ADD CONSTRAINT "ssh_targets_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ssh_targets" ADD CONSTRAINT "ssh_targets_key_pair_id_fkey" FOREIGN KEY ("key_pair_id") REFERENCES "ssh_key_pairs"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ssh_targets" ADD CONSTRAINT "ssh_targets_previous_key_pair_id_fkey" FOREIGN KEY ("previous_key_pair_id") REFERENCES "ssh_key_pairs"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pull_jobs" ADD CONSTRAINT "pull_jobs_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what the schema file cannot say.

-- The installation has one pair of its own.
CREATE UNIQUE INDEX "ssh_key_pairs_installation" ON "ssh_key_pairs" ((true)) WHERE "host_id" IS NULL;

-- What the scheduler looks for.
CREATE INDEX "ssh_targets_due" ON "ssh_targets" ("next_pull_at") WHERE NOT "pull_paused";

-- A host has one open job at most: whoever asks meanwhile gets that one.
CREATE UNIQUE INDEX "pull_jobs_open" ON "pull_jobs" ("host_id") WHERE "status" IN ('queued', 'running');

-- Jobs that end with their upload.
CREATE INDEX "pull_jobs_awaiting_upload" ON "pull_jobs" ("upload_id") WHERE "status" = 'running' AND "upload_id" IS NOT NULL;

-- As before, and a host that can no longer be pulled says so first.
CREATE OR REPLACE VIEW "host_overview" AS
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
      WHEN t."failures" >= 3 AND t."first_pulled_at" IS NOT NULL THEN 'unreachable'
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
  LEFT JOIN "ssh_targets" t ON t."host_id" = h."id"
  LEFT JOIN "snapshots" p ON p."id" = s."snapshot_id"
  LEFT JOIN "releases" r ON r."id" = s."release_id"
  LEFT JOIN "feeds" f ON f."id" = r."feed_id"
) fresh;
