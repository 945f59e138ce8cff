-- The schema that every later migration changes. Functions, triggers and views are in prisma/sql, which is applied after the
-- migrations. Only a function that an index uses is here: to change it, the index has to be built again.

-- ---- People ----------------------------------------------------------------------------------------------------------------

CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "role" TEXT NOT NULL,
    "token_generation" INTEGER NOT NULL DEFAULT 0,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_login_at" TIMESTAMPTZ(3),
    "is_limited" BOOLEAN NOT NULL DEFAULT false,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "second_factor_at" TIMESTAMPTZ(3),
    "password_allowed_until" TIMESTAMPTZ(3),
    "access_withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "users_email_key" ON "users" ("email");

CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "method" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "idle_ends_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT NOT NULL,
    "refresh_hash" BYTEA,
    "previous_hash" BYTEA,
    "rotated_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "sessions_user_id_idx" ON "sessions" ("user_id");

CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "role" TEXT NOT NULL,
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys" ("key_hash");
CREATE INDEX "api_keys_user_id_idx" ON "api_keys" ("user_id");

CREATE TABLE "user_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("issuer", "subject")
);
CREATE INDEX "user_identities_user_id_idx" ON "user_identities" ("user_id");

CREATE TABLE "spent_sign_ins" (
    "id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "spent_sign_ins_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "spent_sign_ins_expires_at_idx" ON "spent_sign_ins" ("expires_at");

CREATE TABLE "downloads" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "body" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "downloads_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "downloads_expires_at_idx" ON "downloads" ("expires_at");
CREATE INDEX "downloads_user_id_expires_at_idx" ON "downloads" ("user_id", "expires_at");

CREATE TABLE "totp_secrets" (
    "user_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "totp_secrets_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "recovery_codes" (
    "user_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id", "digest")
);

CREATE TABLE "passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys" ("credential_id");
CREATE INDEX "passkeys_user_id_idx" ON "passkeys" ("user_id");

CREATE TABLE "sign_in_challenges" (
    "digest" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "user_id" UUID,
    "token_generation" INTEGER,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_challenges_pkey" PRIMARY KEY ("digest")
);
CREATE INDEX "sign_in_challenges_expires_at_idx" ON "sign_in_challenges" ("expires_at");
CREATE INDEX "sign_in_challenges_user_id_idx" ON "sign_in_challenges" ("user_id");

CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "token_hash" BYTEA NOT NULL,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "invitations_email_key" ON "invitations" ("email");
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations" ("token_hash");

CREATE TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- ---- Hosts -----------------------------------------------------------------------------------------------------------------

CREATE TABLE "policies" (
    "name" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_by" TEXT NOT NULL,

    CONSTRAINT "policies_pkey" PRIMARY KEY ("name")
);

-- What machine ids are compared by: without regard to case, and a UUID with or without dashes and braces is one id.
-- packages/model/src/machine-key.ts is the same rule.
CREATE FUNCTION "machine_key"("machine_id" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN translate(machine_id, '-{}', '') COLLATE "C" ~ '^[0-9A-Fa-f]{32}$'
    THEN lower(translate(machine_id, '-{}', '') COLLATE "C")
    ELSE lower(machine_id COLLATE "C")
  END
$$;

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
    "registration_token_id" UUID,
    "shares_allowance_until" TIMESTAMPTZ(3),
    "exposure" TEXT NOT NULL DEFAULT 'unknown',
    "exposure_source" TEXT,
    "set_exposure" TEXT,
    "enrolled_exposure" TEXT,
    "retired_at" TIMESTAMPTZ(3),
    "set_tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "approved_at" TIMESTAMPTZ(3),

    CONSTRAINT "hosts_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "hosts_display_name_id_idx" ON "hosts" ("display_name", "id");
CREATE INDEX "hosts_machine_id_conflict_with_idx" ON "hosts" ("machine_id_conflict_with");
CREATE INDEX "hosts_machine_key_idx" ON "hosts" ("machine_key" ("machine_id"));

CREATE TABLE "host_groups" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "owner_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "host_groups_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "host_groups_owner_id_idx" ON "host_groups" ("owner_id");

CREATE TABLE "host_access_tokens" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "first_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "replaces_id" UUID,

    CONSTRAINT "host_access_tokens_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "host_access_tokens_host_id_idx" ON "host_access_tokens" ("host_id");
CREATE UNIQUE INDEX "host_access_tokens_replaces_id_key" ON "host_access_tokens" ("replaces_id");
CREATE UNIQUE INDEX "host_access_tokens_token_hash_key" ON "host_access_tokens" ("token_hash");

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
    "enrolments_whole_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "refusal_noted_at" TIMESTAMPTZ(3),
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "exposure" TEXT,

    CONSTRAINT "registration_tokens_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "registration_tokens_host_id_idx" ON "registration_tokens" ("host_id");
CREATE UNIQUE INDEX "registration_tokens_token_hash_key" ON "registration_tokens" ("token_hash");

CREATE TABLE "enrolments" (
    "token_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "host_id" UUID NOT NULL,

    CONSTRAINT "enrolments_pkey" PRIMARY KEY ("token_id", "key_hash")
);
CREATE INDEX "enrolments_host_id_idx" ON "enrolments" ("host_id");

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
    "repositories_state" TEXT NOT NULL DEFAULT 'unknown',
    "repositories_valid_until" TIMESTAMPTZ(3),
    "collected_at" TIMESTAMPTZ(3),

    CONSTRAINT "host_contacts_pkey" PRIMARY KEY ("host_id")
);
-- Rows that are rewritten often keep room beside them, so that an update stays on its page and touches no index.
ALTER TABLE "host_contacts" SET (fillfactor = 50);

CREATE TABLE "host_refreshes" (
    "host_id" UUID NOT NULL,
    "refreshes" JSONB NOT NULL,
    "digest" BYTEA NOT NULL,
    "due" BOOLEAN NOT NULL DEFAULT true,
    "judged_by" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "host_refreshes_pkey" PRIMARY KEY ("host_id")
);
-- What is to be judged again.
CREATE INDEX "host_refreshes_due" ON "host_refreshes" ("host_id") WHERE "due";

CREATE TABLE "repositories" (
    "id" SERIAL NOT NULL,
    "key" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "suite" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "architecture" TEXT NOT NULL,
    "base" TEXT NOT NULL,
    "publisher_at" TIMESTAMPTZ(3),
    "newest_at" TIMESTAMPTZ(3),
    "newest_source" TEXT,
    "judged_newest_at" TIMESTAMPTZ(3),

    CONSTRAINT "repositories_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "repositories_key_key" ON "repositories" ("key");
CREATE INDEX "repositories_name_id_idx" ON "repositories" ("name", "id");

CREATE TABLE "host_repositories" (
    "host_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "repository_id" INTEGER,
    "url" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "suite" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "used" BOOLEAN NOT NULL,
    "counted" BOOLEAN NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "valid_until" TIMESTAMPTZ(3),
    "error" TEXT NOT NULL,
    "max_lag_days" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "host_repositories_pkey" PRIMARY KEY ("host_id", "source")
);
CREATE INDEX "host_repositories_repository_id_published_at_idx" ON "host_repositories" ("repository_id", "published_at");
-- The few copies that are behind.
CREATE INDEX "host_repositories_outdated" ON "host_repositories" ("repository_id") WHERE "state" = 'outdated';

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
    "disagreements" INTEGER NOT NULL DEFAULT 0,
    "judged_kernel_id" INTEGER,
    "support_ends_at" TIMESTAMPTZ(3),
    "grounds" INTEGER NOT NULL DEFAULT 0,
    "counted_input" BYTEA,
    "finding_list_id" INTEGER,
    "due_at" TIMESTAMPTZ(3),
    "overdue" INTEGER NOT NULL DEFAULT 0,
    "next_due_at" TIMESTAMPTZ(3),

    CONSTRAINT "host_state_pkey" PRIMARY KEY ("host_id")
);
-- As host_contacts.
ALTER TABLE "host_state" SET (fillfactor = 70);
CREATE INDEX "host_state_finding_list_id_idx" ON "host_state" ("finding_list_id");
CREATE INDEX "host_state_judged_kernel_id_idx" ON "host_state" ("judged_kernel_id");
CREATE INDEX "host_state_set_id_idx" ON "host_state" ("set_id");
-- The hosts whose next due date has passed are looked for every few seconds.
CREATE INDEX "host_state_next_due" ON "host_state" ("next_due_at") WHERE "next_due_at" IS NOT NULL;

CREATE TABLE "plans" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "selection" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "made_by" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "host_count" INTEGER NOT NULL,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "plans_made_at_idx" ON "plans" ("made_at");

CREATE TABLE "plan_hosts" (
    "plan_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "plan_hosts_pkey" PRIMARY KEY ("plan_id", "host_id")
);
-- Compressed already.
ALTER TABLE "plan_hosts" ALTER COLUMN "content" SET STORAGE EXTERNAL;
CREATE INDEX "plan_hosts_host_id_idx" ON "plan_hosts" ("host_id");

-- ---- What users decide about hosts -----------------------------------------------------------------------------------------

CREATE TABLE "waivers" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "advisories" TEXT[],
    "packages" TEXT[],
    "host_ids" UUID[],
    "tags" TEXT[],
    "all_hosts" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "ticket_url" TEXT,
    "origin" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_cause" TEXT,
    "ended_by" TEXT,
    "purls" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "waivers_pkey" PRIMARY KEY ("id")
);
-- The waivers that apply, and the next one to end.
CREATE INDEX "waivers_open" ON "waivers" ("expires_at") WHERE "ended_at" IS NULL;

-- ---- Hosts that are pulled over SSH ----------------------------------------------------------------------------------------

CREATE TABLE "ssh_key_pairs" (
    "id" UUID NOT NULL,
    "host_id" UUID,
    "public_key" BYTEA NOT NULL,
    "sealed" BYTEA NOT NULL,
    "sealed_to" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ssh_key_pairs_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "ssh_key_pairs_host_id_idx" ON "ssh_key_pairs" ("host_id");
-- The installation has one pair of its own.
CREATE UNIQUE INDEX "ssh_key_pairs_installation" ON "ssh_key_pairs" ((true)) WHERE "host_id" IS NULL;

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
CREATE INDEX "ssh_targets_key_pair_id_idx" ON "ssh_targets" ("key_pair_id");
CREATE INDEX "ssh_targets_previous_key_pair_id_idx" ON "ssh_targets" ("previous_key_pair_id");
-- What the scheduler looks for.
CREATE INDEX "ssh_targets_due" ON "ssh_targets" ("next_pull_at") WHERE NOT "pull_paused";

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
CREATE INDEX "pull_jobs_host_id_id_idx" ON "pull_jobs" ("host_id", "id" DESC);
-- Jobs that end with their upload.
CREATE INDEX "pull_jobs_awaiting_upload" ON "pull_jobs" ("upload_id") WHERE "status" = 'running' AND "upload_id" IS NOT NULL;
-- What failed lately is counted on a page.
CREATE INDEX "pull_jobs_failed" ON "pull_jobs" ("finished_at") WHERE "status" = 'failed';
-- A host has one open job at most.
CREATE UNIQUE INDEX "pull_jobs_open" ON "pull_jobs" ("host_id") WHERE "status" IN ('queued', 'running');

CREATE TABLE "collectors" (
    "sha256" BYTEA NOT NULL,
    "version" TEXT NOT NULL,
    "script" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "collectors_pkey" PRIMARY KEY ("sha256")
);

CREATE TABLE "instances" (
    "id" UUID NOT NULL,
    "app" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instances_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "audit_events" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "action" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT NOT NULL,
    "ip_address" TEXT,
    "target_name" TEXT,
    "details" JSONB NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "request_id" TEXT,
    "target_kind" TEXT,
    "target_id" TEXT,
    "position" BIGINT,
    "hash" BYTEA,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_events_action_at_idx" ON "audit_events" ("action", "at" DESC);
CREATE INDEX "audit_events_actor_id_id_idx" ON "audit_events" ("actor_id", "id" DESC);
CREATE INDEX "audit_events_at_idx" ON "audit_events" ("at");
CREATE UNIQUE INDEX "audit_events_position_key" ON "audit_events" ("position");
CREATE INDEX "audit_events_target_id_id_idx" ON "audit_events" ("target_id", "id" DESC);
-- Events that have no position yet.
CREATE INDEX "audit_events_unsealed" ON "audit_events" ("at", "id") WHERE "position" IS NULL;

CREATE TABLE "audit_chain" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "first_position" BIGINT NOT NULL,
    "first_previous" BYTEA NOT NULL,
    "head_position" BIGINT NOT NULL,
    "head_hash" BYTEA NOT NULL,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("id")
);
INSERT INTO "audit_chain" VALUES (1, 1, decode(repeat('00', 32), 'hex'), 0, decode(repeat('00', 32), 'hex'));

CREATE TABLE "audit_exports" (
    "target" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "exported_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_exports_pkey" PRIMARY KEY ("target")
);

CREATE TABLE "fleet_days" (
    "day" DATE NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL,
    "totals" JSONB NOT NULL,
    "exploitation_known" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "fleet_days_pkey" PRIMARY KEY ("day")
);

CREATE TABLE "fleet_tag_days" (
    "day" DATE NOT NULL,
    "fields" TEXT[],
    "combinations" JSONB NOT NULL,
    "numbers" BYTEA NOT NULL,
    "is_complete" BOOLEAN NOT NULL,

    CONSTRAINT "fleet_tag_days_pkey" PRIMARY KEY ("day")
);
-- Compressed already.
ALTER TABLE "fleet_tag_days" ALTER COLUMN "numbers" SET STORAGE EXTERNAL;

-- ---- What hosts sent -------------------------------------------------------------------------------------------------------

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
    "parse_after" TIMESTAMPTZ(3),
    "changes_charged" BOOLEAN NOT NULL DEFAULT false,
    "notes" JSONB,
    "refusals" INTEGER NOT NULL DEFAULT 0,
    "size" INTEGER NOT NULL DEFAULT 0,
    "reported_at" TIMESTAMPTZ(3),

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);
-- Bodies are gzip already: compressing them again costs three times the insert.
ALTER TABLE "uploads" ALTER COLUMN "body" SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX "uploads_host_id_sequence_key" ON "uploads" ("host_id", "sequence");
-- What the scheduler rings again: only uploads that have not reached an end.
CREATE INDEX "uploads_pending" ON "uploads" ("received_at") WHERE "state" IN ('received', 'parsed');
-- What failed lately is counted on a page.
CREATE INDEX "uploads_rejected" ON "uploads" ("ended_at") WHERE "state" = 'rejected';

CREATE TABLE "upload_allowances" (
    "host_id" UUID NOT NULL,
    "door" TEXT NOT NULL,
    "uploads_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "bytes_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "entries_whole_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "upload_allowances_pkey" PRIMARY KEY ("host_id", "door")
);
-- As host_contacts: every upload moves these times.
ALTER TABLE "upload_allowances" SET (fillfactor = 50);

CREATE TABLE "shared_allowances" (
    "token_id" UUID NOT NULL,
    "uploads_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "bytes_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "entries_whole_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shared_allowances_pkey" PRIMARY KEY ("token_id")
);
-- As host_contacts: every upload moves these times.
ALTER TABLE "shared_allowances" SET (fillfactor = 50);

CREATE TABLE "snapshots" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "source" TEXT NOT NULL,
    "collected_at" TIMESTAMPTZ(3),
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "schema_version" INTEGER NOT NULL,
    "collector_version" TEXT NOT NULL,
    "payload" BYTEA,
    "payload_sha256" BYTEA NOT NULL,
    "payload_size" INTEGER NOT NULL,
    "set_id" INTEGER NOT NULL,
    "release_id" INTEGER NOT NULL,
    "facts" JSONB NOT NULL,
    "upgrade_ids" INTEGER[],
    "held_ids" INTEGER[],
    "running_kernel_id" INTEGER,
    "prior_confirmed_at" TIMESTAMPTZ(3),
    "lists_at" TIMESTAMPTZ(3),
    "reported_at" TIMESTAMPTZ(3),

    CONSTRAINT "snapshots_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "snapshots" ALTER COLUMN "payload" SET STORAGE EXTERNAL; -- As the body of an upload.
CREATE UNIQUE INDEX "snapshots_host_id_sequence_key" ON "snapshots" ("host_id", "sequence" DESC);
CREATE INDEX "snapshots_running_kernel_id_idx" ON "snapshots" ("running_kernel_id");
CREATE INDEX "snapshots_set_id_idx" ON "snapshots" ("set_id");

CREATE TABLE "folded_snapshots" (
    "snapshot_id" UUID NOT NULL,
    "resolution" TEXT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "offer_ids" INTEGER[],
    "offered_at" TIMESTAMPTZ(3)[],
    "restarted_at" TIMESTAMPTZ(3)[],
    "silent_from" TIMESTAMPTZ(3)[],
    "silent_until" TIMESTAMPTZ(3)[],

    CONSTRAINT "folded_snapshots_pkey" PRIMARY KEY ("snapshot_id")
);

CREATE TABLE "package_changes" (
    "host_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "names" TEXT[],
    "architectures" TEXT[],
    "from_ids" INTEGER[],
    "to_ids" INTEGER[],

    CONSTRAINT "package_changes_pkey" PRIMARY KEY ("host_id", "sequence")
);
-- Which hosts had a package version: queries repeat the expression. Without a list of pending entries: merging it would stop one
-- upload for up to a second.
CREATE INDEX "package_changes_versions" ON "package_changes" USING GIN (array_remove("from_ids" || "to_ids", 0))
  WITH (fastupdate = off);

CREATE TABLE "patch_rhythms" (
    "host_id" UUID NOT NULL,
    "due" BOOLEAN NOT NULL DEFAULT true,
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "days" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "rounds" INTEGER NOT NULL DEFAULT 0,
    "last_at" TIMESTAMPTZ(3),
    "median_days" DOUBLE PRECISION,
    "longest_days" DOUBLE PRECISION,
    "overdue_at" TIMESTAMPTZ(3),

    CONSTRAINT "patch_rhythms_pkey" PRIMARY KEY ("host_id")
);
CREATE INDEX "patch_rhythms_due" ON "patch_rhythms" ("host_id") WHERE "due";

CREATE TABLE "host_changes" (
    "host_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "is_first" BOOLEAN NOT NULL,
    "booted_kernel_id" INTEGER,
    "opened" BYTEA NOT NULL,
    "closed" BYTEA NOT NULL,

    CONSTRAINT "host_changes_pkey" PRIMARY KEY ("host_id", "sequence")
);
CREATE INDEX "host_changes_at_idx" ON "host_changes" USING BRIN ("at");

CREATE TABLE "exposure_ends" (
    "host_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "cause" TEXT NOT NULL,
    "counts" BYTEA NOT NULL,

    CONSTRAINT "exposure_ends_pkey" PRIMARY KEY ("host_id", "at", "cause")
);
CREATE INDEX "exposure_ends_at_idx" ON "exposure_ends" ("at");

CREATE TABLE "exposure_walks" (
    "host_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "due" BOOLEAN NOT NULL DEFAULT false,
    "open" BYTEA NOT NULL,

    CONSTRAINT "exposure_walks_pkey" PRIMARY KEY ("host_id")
);

CREATE TABLE "exposure_walk_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "version_change" BIGINT,

    CONSTRAINT "exposure_walk_state_pkey" PRIMARY KEY ("id")
);

-- ---- What is distinct ------------------------------------------------------------------------------------------------------

CREATE TABLE "releases" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "feed_id" TEXT,
    "covered" BOOLEAN NOT NULL DEFAULT false,
    "ends_at" TIMESTAMPTZ(3),
    "rules" INTEGER NOT NULL DEFAULT 0,
    "lists_unfixed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "releases_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "releases_feed_id_idx" ON "releases" ("feed_id");
CREATE UNIQUE INDEX "releases_name_key" ON "releases" ("name");

CREATE TABLE "release_coverage" (
    "release_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "feed_id" TEXT,
    "covered" BOOLEAN NOT NULL,
    "lists_unfixed" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "release_coverage_pkey" PRIMARY KEY ("release_id", "at")
);

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
    "rules" INTEGER NOT NULL DEFAULT 0,
    "condemned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "package_versions_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "package_versions_condemned" ON "package_versions" ("id") WHERE "condemned";
CREATE UNIQUE INDEX "package_versions_digest_key" ON "package_versions" ("digest");
CREATE INDEX "package_versions_name_idx" ON "package_versions" ("name");
CREATE INDEX "package_versions_release_id_match_name_idx" ON "package_versions" ("release_id", "match_name");
CREATE INDEX "package_versions_release_id_source_name_idx" ON "package_versions" ("release_id", "source_name");

CREATE TABLE "version_arrivals" (
    "n" BIGSERIAL NOT NULL,
    "ids" INTEGER[],
    "matched_at" TIMESTAMPTZ(3),

    CONSTRAINT "version_arrivals_pkey" PRIMARY KEY ("n")
);
CREATE INDEX "version_arrivals_unmatched" ON "version_arrivals" ("n") WHERE "matched_at" IS NULL;

CREATE TABLE "version_changes" (
    "n" BIGSERIAL NOT NULL,
    "ids" BYTEA NOT NULL,
    "releases" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "counted" BOOLEAN NOT NULL,
    "planned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "version_changes_pkey" PRIMARY KEY ("n")
);
CREATE INDEX "version_changes_uncounted" ON "version_changes" ("n") WHERE NOT "counted";

CREATE TABLE "recount_pieces" (
    "n" BIGSERIAL NOT NULL,
    "changes" BIGINT[],
    "first_set" INTEGER,
    "last_set" INTEGER,
    "hosts" UUID[] DEFAULT ARRAY[]::UUID[],

    CONSTRAINT "recount_pieces_pkey" PRIMARY KEY ("n")
);

CREATE TABLE "package_sets" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "n" INTEGER NOT NULL,
    "ids" BYTEA NOT NULL,
    "condemned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "package_sets_pkey" PRIMARY KEY ("id")
);
-- Compressed already.
ALTER TABLE "package_sets" ALTER COLUMN "ids" SET STORAGE EXTERNAL;
CREATE INDEX "package_sets_condemned" ON "package_sets" ("id") WHERE "condemned";
CREATE UNIQUE INDEX "package_sets_digest_key" ON "package_sets" ("digest");

CREATE TABLE "finding_lists" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "n" INTEGER NOT NULL,
    "entries" BYTEA NOT NULL,
    "condemned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "finding_lists_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "finding_lists_digest_key" ON "finding_lists" ("digest");

CREATE TABLE "set_postings" (
    "version_id" INTEGER NOT NULL,
    "block" INTEGER NOT NULL,
    "sets" BYTEA NOT NULL,

    CONSTRAINT "set_postings_pkey" PRIMARY KEY ("version_id", "block")
);

CREATE TABLE "posted_blocks" (
    "block" INTEGER NOT NULL,
    "sets" INTEGER NOT NULL,

    CONSTRAINT "posted_blocks_pkey" PRIMARY KEY ("block")
);

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
    "condemned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "upgrades_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "upgrades_condemned" ON "upgrades" ("id") WHERE "condemned";
CREATE UNIQUE INDEX "upgrades_digest_key" ON "upgrades" ("digest");

CREATE TABLE "interning_epoch" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "epoch" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "interning_epoch_pkey" PRIMARY KEY ("id")
);
INSERT INTO "interning_epoch" DEFAULT VALUES;

-- ---- Advisories ------------------------------------------------------------------------------------------------------------

CREATE TABLE "feeds" (
    "id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'never_synced',
    "records" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3),
    "last_sync_at" TIMESTAMPTZ(3),
    "next_sync_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "stale_after_seconds" INTEGER NOT NULL DEFAULT 259200,
    "last_error_cause" TEXT,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "feeds_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "feed_releases" (
    "feed_id" TEXT NOT NULL,
    "release" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "last_error_cause" TEXT,

    CONSTRAINT "feed_releases_pkey" PRIMARY KEY ("feed_id", "release")
);

CREATE TABLE "feed_syncs" (
    "feed_id" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "files_done" INTEGER NOT NULL DEFAULT 0,
    "files_total" INTEGER,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "bytes_expected" BIGINT,
    "records" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "progressed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "heartbeat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feed_syncs_pkey" PRIMARY KEY ("feed_id")
);

CREATE TABLE "feed_files" (
    "feed_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "etag" TEXT,
    "last_modified" TEXT,
    "digest" BYTEA NOT NULL,
    "rules" INTEGER NOT NULL,
    "release" TEXT,

    CONSTRAINT "feed_files_pkey" PRIMARY KEY ("feed_id", "url")
);

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
    "as_of" TIMESTAMPTZ(3),

    CONSTRAINT "feed_imports_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "feed_imports_state_idx" ON "feed_imports" ("state");

CREATE TABLE "feed_import_chunks" (
    "import_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "feed_import_chunks_pkey" PRIMARY KEY ("import_id", "n")
);
-- Compressed already.
ALTER TABLE "feed_import_chunks" ALTER COLUMN "data" SET STORAGE EXTERNAL;

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
    "known_exploited" BOOLEAN NOT NULL DEFAULT false,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "advisories_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "advisories_feed_id_external_id_key" ON "advisories" ("feed_id", "external_id");
-- A large import looks records up by CVE right after it has rewritten them. With a pending list, each look-up would read all
-- entries that the import has added.
CREATE INDEX "advisories_cves_idx" ON "advisories" USING GIN ("cves") WITH (fastupdate = off);
-- Advisories, newest first.
CREATE INDEX "advisories_newest" ON "advisories" ("published_at" DESC NULLS LAST, "id" DESC);

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
CREATE UNIQUE INDEX "feed_overrides_feed_id_release_package_cve_key" ON "feed_overrides" ("feed_id", "release", "package", "cve");

CREATE TABLE "cves" (
    "id" TEXT NOT NULL,
    "exploited_since" DATE,
    "epss" DOUBLE PRECISION,
    "ssvc_exploitation" TEXT,
    "ssvc_automatable" BOOLEAN,
    "ssvc_impact" TEXT,
    "ssvc_at" TIMESTAMPTZ(3),
    "exploited_known_at" TIMESTAMPTZ(3),
    "ssvc_known_at" TIMESTAMPTZ(3),
    "exploited_due_on" DATE,
    "exploited_in_ransomware" BOOLEAN,
    "exploited_summary" TEXT,

    CONSTRAINT "cves_pkey" PRIMARY KEY ("id")
);
-- A few thousand of hundreds of thousands of CVEs are or were listed as exploited. They are read together after each
-- change of what is known.
CREATE INDEX "cves_exploited" ON "cves" ("id") WHERE "exploited_since" IS NOT NULL;

CREATE TABLE "repository_products" (
    "repository" TEXT NOT NULL,
    "products" TEXT[],

    CONSTRAINT "repository_products_pkey" PRIMARY KEY ("repository")
);

CREATE TABLE "release_lifecycles" (
    "release" TEXT NOT NULL,
    "feed_id" TEXT NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "extended" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "release_lifecycles_pkey" PRIMARY KEY ("release")
);
CREATE INDEX "release_lifecycles_feed_id_idx" ON "release_lifecycles" ("feed_id");

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
    "architectures" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "builds" TEXT NOT NULL DEFAULT '',
    "fixed_service" TEXT,
    "line" TEXT,
    "module" TEXT,
    "names" TEXT,
    "severity_source" TEXT NOT NULL,
    "stated_severity" TEXT NOT NULL,
    "stated_source" TEXT NOT NULL,
    "override_id" INTEGER,
    "cves" TEXT[],
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "advisory_packages_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "advisory_packages_advisory_id_release_id_name_builds_key" ON "advisory_packages" ("advisory_id", "release_id", "name", "builds");
CREATE INDEX "advisory_packages_release_id_name_idx" ON "advisory_packages" ("release_id", "name");
-- Few statements name a source rpm, and looking for them must not read all the others.
CREATE INDEX "advisory_packages_of_sources" ON "advisory_packages" ("release_id", "name") WHERE "names" IS NOT NULL;

CREATE TABLE "package_version_advisories" (
    "package_version_id" INTEGER NOT NULL,
    "advisory_package_id" INTEGER NOT NULL,
    "open_cves" TEXT[],
    "severity" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "since_cause" TEXT NOT NULL,
    "known_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "package_version_advisories_pkey" PRIMARY KEY ("package_version_id", "advisory_package_id")
);
CREATE INDEX "package_version_advisories_advisory_package_id_idx" ON "package_version_advisories" ("advisory_package_id");

-- ---- What was known when ---------------------------------------------------------------------------------------------------

CREATE TABLE "knowledge_changes" (
    "id" SERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "feeds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "counted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "knowledge_changes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "knowledge_changes_at_idx" ON "knowledge_changes" ("at");

CREATE TABLE "knowledge_change_entries" (
    "change_id" INTEGER NOT NULL,
    "advisory_id" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "ids" BYTEA NOT NULL,
    "hosts" INTEGER,

    CONSTRAINT "knowledge_change_entries_pkey" PRIMARY KEY ("change_id", "advisory_id", "event", "cause")
);
CREATE INDEX "knowledge_change_entries_advisory_id_idx" ON "knowledge_change_entries" ("advisory_id");

CREATE TABLE "history_bounds" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "starts_at" TIMESTAMPTZ(3),
    "days_folded_to" TIMESTAMPTZ(3),
    "months_folded_to" TIMESTAMPTZ(3),
    "past_whole_from" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "history_bounds_pkey" PRIMARY KEY ("id")
);
INSERT INTO "history_bounds" ("id") VALUES (1);

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

    CONSTRAINT "past_advisories_pkey" PRIMARY KEY ("id", "until")
);
CREATE INDEX "past_advisories_cves_idx" ON "past_advisories" USING GIN ("cves");
CREATE INDEX "past_advisories_feed_id_external_id_idx" ON "past_advisories" ("feed_id", "external_id");
CREATE INDEX "past_advisories_until_idx" ON "past_advisories" ("until");

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

    CONSTRAINT "past_statements_pkey" PRIMARY KEY ("id", "until")
);
CREATE INDEX "past_statements_advisory_id_idx" ON "past_statements" ("advisory_id");
CREATE INDEX "past_statements_release_id_name_idx" ON "past_statements" ("release_id", "name");
CREATE INDEX "past_statements_until_idx" ON "past_statements" ("until");

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

    CONSTRAINT "past_matches_pkey" PRIMARY KEY ("package_version_id", "advisory_package_id", "until")
);
CREATE INDEX "past_matches_advisory_package_id_idx" ON "past_matches" ("advisory_package_id");
CREATE INDEX "past_matches_until_idx" ON "past_matches" ("until");

CREATE TABLE "past_cve_facts" (
    "cve" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "fact" JSONB NOT NULL,

    CONSTRAINT "past_cve_facts_pkey" PRIMARY KEY ("cve", "kind", "until")
);
CREATE INDEX "past_cve_facts_until_idx" ON "past_cve_facts" ("until");
-- As cves_exploited.
CREATE INDEX "past_cve_facts_exploited" ON "past_cve_facts" ("cve") WHERE "kind" = 'exploited';

-- ---- Notifications ---------------------------------------------------------------------------------------------------------

CREATE TABLE "notification_events" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "n" BIGSERIAL NOT NULL,
    "event" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "host_ids" UUID[],
    "data" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "taken_at" TIMESTAMPTZ(3),
    "starts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "next_try_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_events_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "notification_events_at_idx" ON "notification_events" ("at");
CREATE INDEX "notification_events_failed" ON "notification_events" ("n") WHERE "taken_at" IS NULL AND "error" IS NOT NULL;
CREATE UNIQUE INDEX "notification_events_n_key" ON "notification_events" ("n");
CREATE INDEX "notification_events_waiting" ON "notification_events" ("n") WHERE "taken_at" IS NULL AND "failed_at" IS NULL;

CREATE TABLE "notification_conditions" (
    "event" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_conditions_pkey" PRIMARY KEY ("event", "subject")
);

CREATE TABLE "notification_hosts" (
    "host_id" UUID NOT NULL,
    "list_id" INTEGER NOT NULL,
    "disagreements" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_hosts_pkey" PRIMARY KEY ("host_id")
);
CREATE INDEX "notification_hosts_list_id_idx" ON "notification_hosts" ("list_id");

CREATE TABLE "notification_keys" (
    "key_id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_keys_pkey" PRIMARY KEY ("key_id")
);

CREATE TABLE "evidence_keys" (
    "fingerprint" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "sealed" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "evidence_keys_pkey" PRIMARY KEY ("fingerprint")
);
-- One key is in use.
CREATE UNIQUE INDEX "evidence_keys_in_use_key" ON "evidence_keys" ((true)) WHERE "retired_at" IS NULL;

CREATE TABLE "notification_channels" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "shown_url" TEXT,
    "addresses" TEXT[],
    "sealed_url" BYTEA,
    "sealed_secret" BYTEA,
    "sealed_previous" BYTEA,
    "previous_until" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_channels_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "notification_routes" (
    "id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "events" TEXT[],
    "min_severity" TEXT,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "delay_minutes" INTEGER NOT NULL DEFAULT 0,
    "digest" JSONB,
    "quiet_hours" JSONB,
    "paused_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_routes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "notification_routes_channel_id_idx" ON "notification_routes" ("channel_id");

CREATE TABLE "notification_bulletins" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "channel_id" UUID NOT NULL,
    "owner_id" UUID,
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "group_id" UUID,
    "tag" TEXT,
    "every" TEXT NOT NULL,
    "weekday" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "at" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3),
    "last_at" TIMESTAMPTZ(3),
    "base" JSONB,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_bulletins_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "notification_bulletins_channel_id_idx" ON "notification_bulletins" ("channel_id");
CREATE INDEX "notification_bulletins_owner_id_idx" ON "notification_bulletins" ("owner_id");

CREATE TABLE "notification_deliveries" (
    "id" UUID NOT NULL,
    "channel_id" UUID,
    "route_id" UUID,
    "channel_name" TEXT NOT NULL,
    "channel_kind" TEXT NOT NULL,
    "route_name" TEXT NOT NULL,
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "event" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "items" JSONB NOT NULL,
    "content" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "run_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,
    "bulletin_id" UUID,

    CONSTRAINT "notification_deliveries_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "notification_deliveries_bulletin_id_idx" ON "notification_deliveries" ("bulletin_id");
CREATE INDEX "notification_deliveries_channel_id_idx" ON "notification_deliveries" ("channel_id");
CREATE INDEX "notification_deliveries_created_at_idx" ON "notification_deliveries" ("created_at");
CREATE INDEX "notification_deliveries_open" ON "notification_deliveries" ("next_attempt_at")
  WHERE "state" IN ('waiting', 'sending');
CREATE INDEX "notification_deliveries_route_id_created_at_idx" ON "notification_deliveries" ("route_id", "created_at");

CREATE TABLE "notification_attempts" (
    "delivery_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "status" INTEGER,
    "error" TEXT,

    CONSTRAINT "notification_attempts_pkey" PRIMARY KEY ("delivery_id", "n")
);

-- ---- Foreign keys ----------------------------------------------------------------------------------------------------------

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "downloads" ADD CONSTRAINT "downloads_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "hosts" ADD CONSTRAINT "hosts_machine_id_conflict_with_fkey"
  FOREIGN KEY ("machine_id_conflict_with") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "host_groups" ADD CONSTRAINT "host_groups_owner_id_fkey"
  FOREIGN KEY ("owner_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "host_access_tokens" ADD CONSTRAINT "host_access_tokens_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "registration_tokens" ADD CONSTRAINT "registration_tokens_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_token_id_fkey"
  FOREIGN KEY ("token_id") REFERENCES "registration_tokens" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "host_contacts" ADD CONSTRAINT "host_contacts_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "host_refreshes" ADD CONSTRAINT "host_refreshes_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "host_repositories" ADD CONSTRAINT "host_repositories_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "host_repositories" ADD CONSTRAINT "host_repositories_repository_id_fkey"
  FOREIGN KEY ("repository_id") REFERENCES "repositories" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "host_state" ADD CONSTRAINT "host_state_finding_list_id_fkey"
  FOREIGN KEY ("finding_list_id") REFERENCES "finding_lists" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "host_state" ADD CONSTRAINT "host_state_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "host_state" ADD CONSTRAINT "host_state_release_id_fkey"
  FOREIGN KEY ("release_id") REFERENCES "releases" ("id") ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "host_state" ADD CONSTRAINT "host_state_set_id_fkey"
  FOREIGN KEY ("set_id") REFERENCES "package_sets" ("id") ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "plan_hosts" ADD CONSTRAINT "plan_hosts_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "plan_hosts" ADD CONSTRAINT "plan_hosts_plan_id_fkey"
  FOREIGN KEY ("plan_id") REFERENCES "plans" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "ssh_key_pairs" ADD CONSTRAINT "ssh_key_pairs_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "ssh_targets" ADD CONSTRAINT "ssh_targets_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "ssh_targets" ADD CONSTRAINT "ssh_targets_key_pair_id_fkey"
  FOREIGN KEY ("key_pair_id") REFERENCES "ssh_key_pairs" ("id") ON UPDATE CASCADE;
ALTER TABLE "ssh_targets" ADD CONSTRAINT "ssh_targets_previous_key_pair_id_fkey"
  FOREIGN KEY ("previous_key_pair_id") REFERENCES "ssh_key_pairs" ("id") ON UPDATE CASCADE;
ALTER TABLE "pull_jobs" ADD CONSTRAINT "pull_jobs_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "upload_allowances" ADD CONSTRAINT "upload_allowances_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_release_id_fkey"
  FOREIGN KEY ("release_id") REFERENCES "releases" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_set_id_fkey"
  FOREIGN KEY ("set_id") REFERENCES "package_sets" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "folded_snapshots" ADD CONSTRAINT "folded_snapshots_snapshot_id_fkey"
  FOREIGN KEY ("snapshot_id") REFERENCES "snapshots" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "package_changes" ADD CONSTRAINT "package_changes_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "patch_rhythms" ADD CONSTRAINT "patch_rhythms_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "host_changes" ADD CONSTRAINT "host_changes_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "exposure_ends" ADD CONSTRAINT "exposure_ends_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "exposure_walks" ADD CONSTRAINT "exposure_walks_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "releases" ADD CONSTRAINT "releases_feed_id_fkey"
  FOREIGN KEY ("feed_id") REFERENCES "feeds" ("id") ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "release_coverage" ADD CONSTRAINT "release_coverage_release_id_fkey"
  FOREIGN KEY ("release_id") REFERENCES "releases" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "package_versions" ADD CONSTRAINT "package_versions_release_id_fkey"
  FOREIGN KEY ("release_id") REFERENCES "releases" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_release_id_fkey"
  FOREIGN KEY ("release_id") REFERENCES "releases" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "feed_releases" ADD CONSTRAINT "feed_releases_feed_id_fkey"
  FOREIGN KEY ("feed_id") REFERENCES "feeds" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "feed_syncs" ADD CONSTRAINT "feed_syncs_feed_id_fkey"
  FOREIGN KEY ("feed_id") REFERENCES "feeds" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "feed_files" ADD CONSTRAINT "feed_files_feed_id_fkey"
  FOREIGN KEY ("feed_id") REFERENCES "feeds" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "feed_import_chunks" ADD CONSTRAINT "feed_import_chunks_import_id_fkey"
  FOREIGN KEY ("import_id") REFERENCES "feed_imports" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "advisories" ADD CONSTRAINT "advisories_feed_id_fkey"
  FOREIGN KEY ("feed_id") REFERENCES "feeds" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "release_lifecycles" ADD CONSTRAINT "release_lifecycles_feed_id_fkey"
  FOREIGN KEY ("feed_id") REFERENCES "feeds" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "advisory_packages" ADD CONSTRAINT "advisory_packages_advisory_id_fkey"
  FOREIGN KEY ("advisory_id") REFERENCES "advisories" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "advisory_packages" ADD CONSTRAINT "advisory_packages_release_id_fkey"
  FOREIGN KEY ("release_id") REFERENCES "releases" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "package_version_advisories" ADD CONSTRAINT "package_version_advisories_advisory_package_id_fkey"
  FOREIGN KEY ("advisory_package_id") REFERENCES "advisory_packages" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "package_version_advisories" ADD CONSTRAINT "package_version_advisories_package_version_id_fkey"
  FOREIGN KEY ("package_version_id") REFERENCES "package_versions" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "knowledge_change_entries" ADD CONSTRAINT "knowledge_change_entries_change_id_fkey"
  FOREIGN KEY ("change_id") REFERENCES "knowledge_changes" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "past_matches" ADD CONSTRAINT "past_matches_package_version_id_fkey"
  FOREIGN KEY ("package_version_id") REFERENCES "package_versions" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "notification_hosts" ADD CONSTRAINT "notification_hosts_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "notification_hosts" ADD CONSTRAINT "notification_hosts_list_id_fkey"
  FOREIGN KEY ("list_id") REFERENCES "finding_lists" ("id") ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "notification_routes" ADD CONSTRAINT "notification_routes_channel_id_fkey"
  FOREIGN KEY ("channel_id") REFERENCES "notification_channels" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "notification_bulletins" ADD CONSTRAINT "notification_bulletins_channel_id_fkey"
  FOREIGN KEY ("channel_id") REFERENCES "notification_channels" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "notification_bulletins" ADD CONSTRAINT "notification_bulletins_owner_id_fkey"
  FOREIGN KEY ("owner_id") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_bulletin_id_fkey"
  FOREIGN KEY ("bulletin_id") REFERENCES "notification_bulletins" ("id") ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_channel_id_fkey"
  FOREIGN KEY ("channel_id") REFERENCES "notification_channels" ("id") ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_route_id_fkey"
  FOREIGN KEY ("route_id") REFERENCES "notification_routes" ("id") ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE "notification_attempts" ADD CONSTRAINT "notification_attempts_delivery_id_fkey"
  FOREIGN KEY ("delivery_id") REFERENCES "notification_deliveries" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
