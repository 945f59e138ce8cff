-- AlterTable
ALTER TABLE "host_state" ADD COLUMN     "disagreements" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "judged_kernel_id" INTEGER,
ADD COLUMN     "support_ends_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "host_state_judged_kernel_id_idx" ON "host_state"("judged_kernel_id");

-- CreateIndex
CREATE INDEX "package_versions_name_idx" ON "package_versions"("name");

-- Written by hand: what the schema file cannot say.

-- Advisories, newest first.
CREATE INDEX "advisories_newest" ON "advisories" ("published_at" DESC NULLS LAST, "id" DESC);

-- As before, with the disagreements, and with support that a subscription extends.
DROP VIEW "host_overview";

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
    s."disagreements",
    c."last_seen_at", p."collected_at" AS "snapshot_collected_at", f."updated_at" AS "feed_updated_at",
    CASE
      WHEN t."failures" >= 3 AND t."first_pulled_at" IS NOT NULL THEN 'unreachable'
      WHEN s."snapshot_id" IS NULL THEN 'new'
      WHEN c."last_confirmed_at" < now() - make_interval(secs => c."stale_after_seconds") THEN 'stale'
      ELSE 'active'
    END AS "status",
    CASE
      WHEN COALESCE(s."support_ends_at", r."ends_at") < now() THEN 'eol'
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
