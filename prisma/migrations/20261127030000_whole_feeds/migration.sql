-- Whether a feed's data was ever loaded as a whole: by a sync or by a complete import. The silence of parts means nothing.
ALTER TABLE "feeds" ADD COLUMN "is_whole" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "feed_releases" ADD COLUMN "is_whole" BOOLEAN NOT NULL DEFAULT false;

-- Of stored feeds, those with the files of a successful sync, and any with data if a complete file was imported: which
-- feeds that file was for is not stored.
UPDATE "feeds" f SET "is_whole" = true
WHERE f."updated_at" IS NOT NULL AND (EXISTS (SELECT FROM "feed_files" ff WHERE ff."feed_id" = f."id")
  OR EXISTS (SELECT FROM "feed_imports" i WHERE i."complete" AND i."state" = 'done'));
UPDATE "feed_releases" fr SET "is_whole" = fr."updated_at" IS NOT NULL
WHERE EXISTS (SELECT FROM "feeds" f WHERE f."id" = fr."feed_id" AND f."is_whole");

-- Written by hand: what the schema file cannot say.

-- The one rule for what is known of a host and what to do first, in four steps: times, states, gaps, action. The bits of
-- "gaps" are in the order of gapBits of packages/model, those of "grounds" in the order of actionGrounds. Written out
-- instead of called, because PostgreSQL does not inline functions this large.
DROP VIEW "host_overview";
CREATE VIEW "host_overview" AS
SELECT
  known.*,
  CASE
    WHEN known."grounds" & 1024 <> 0 THEN 'update_urgent'
    WHEN known."grounds" & 512 <> 0 AND NOT known."eol" THEN 'unblock_urgent'
    WHEN known."grounds" & 64 <> 0 AND known."eol" THEN 'upgrade_release_urgent'
    WHEN known."grounds" & 256 <> 0 THEN 'reboot_urgent'
    WHEN known."grounds" & 128 <> 0 AND NOT known."eol" THEN 'mitigate_urgent'
    WHEN known."grounds" & 32 <> 0 THEN 'update_security'
    WHEN (known."grounds" & 16 <> 0 OR known."repositories_state" = 'outdated') AND NOT known."eol" THEN 'unblock'
    WHEN known."eol" THEN 'upgrade_release'
    WHEN known."reboot_state" = 'needed' OR known."grounds" & 8 <> 0 THEN 'reboot'
    WHEN known."grounds" & 4 <> 0 THEN 'subscribe'
    WHEN known."restart_state" = 'needed' THEN 'restart'
    WHEN known."grounds" & 2 <> 0 THEN 'update'
    -- 31776: the exempt gaps, beside which nothing to do is still known to be nothing (exemptGaps of packages/model).
    WHEN known."gaps" & ~31776 <> 0 THEN 'unknown'
    WHEN known."grounds" & 1 <> 0 OR known."available_updates" > 0 THEN 'watch'
    ELSE 'none'
  END AS "overall_action"
FROM (
  SELECT
    judged.*,
    -- Of a host without a report nothing else is known, and no other gap is named.
    CASE WHEN NOT judged."has_report" THEN 1 | CASE WHEN judged."status" = 'unreachable' THEN 2 ELSE 0 END ELSE
        CASE WHEN judged."status" IN ('stale', 'unreachable') THEN 2 ELSE 0 END
      | CASE WHEN judged."feed_id" IS NULL OR (judged."feed_updated_at" IS NOT NULL AND NOT judged."covered")
             THEN 4 ELSE 0 END
      | CASE WHEN judged."feed_id" IS NOT NULL AND judged."feed_updated_at" IS NULL THEN 8 ELSE 0 END
      | CASE WHEN judged."feed_outdated" THEN 16 ELSE 0 END
      | CASE WHEN judged."covered" AND NOT judged."lists_unfixed" THEN 32 ELSE 0 END
      | CASE WHEN judged."eol" THEN 64 ELSE 0 END
      | CASE judged."updates_state" WHEN 'unknown' THEN 128 WHEN 'stale' THEN 256 ELSE 0 END
      | CASE judged."repositories_state" WHEN 'outdated' THEN 512 WHEN 'unknown' THEN 1024 ELSE 0 END
      | CASE WHEN judged."unknown" > 0 THEN 2048 ELSE 0 END
      | CASE WHEN judged."reboot_state" = 'unknown' THEN 4096 ELSE 0 END
      | CASE WHEN judged."restart_state" = 'unknown' THEN 8192 ELSE 0 END
      | CASE WHEN judged."covered" AND judged."feed_updated_at" IS NOT NULL AND NOT judged."feed_is_whole"
             THEN 16384 ELSE 0 END
    END AS "gaps",
    CASE
      WHEN judged."eol" THEN 'eol'
      WHEN judged."feed_updated_at" IS NULL OR NOT judged."covered" THEN 'none'
      WHEN judged."feed_outdated" THEN 'stale'
      WHEN judged."unknown" > 0 THEN 'partial'
      ELSE 'full'
    END AS "coverage"
  FROM (
    SELECT
      timed.*,
      CASE
        WHEN timed."failed_pulls" THEN 'unreachable'
        WHEN NOT timed."has_report" THEN 'new'
        WHEN timed."reported_at" < now() - make_interval(secs => timed."stale_after_seconds") THEN 'stale'
        ELSE 'active'
      END AS "status",
      CASE
        WHEN NOT timed."updates_known" OR timed."lists_at" IS NULL THEN 'unknown'
        WHEN timed."lists_at" < timed."reported_at" - interval '7 days' THEN 'stale'
        ELSE 'known'
      END AS "updates_state",
      CASE
        WHEN timed."repositories_valid_until" < now() THEN 'outdated'
        ELSE timed."judged_repositories_state"
      END AS "repositories_state"
    FROM (
      SELECT
        h."id", h."onboarding_mode", h."approval_status", h."display_name", h."hostname", h."machine_id",
        h."machine_id_conflict_with", h."tags", h."ip_address", h."agent_version", h."created_at",
        s."os_family", s."os_name", s."os_major", s."os_version", s."architecture",
        s."critical", s."important", s."moderate", s."low", s."unrated", s."unfixed", s."known_exploited", s."waived",
        s."unknown", s."available_updates", s."services_due", s."reboot_state", s."restart_state", s."grounds",
        s."disagreements", s."due_at", s."overdue", h."exposure", h."exposure_source", s."updates_known", s."snapshot_id" IS NOT NULL AS "has_report", s."release_id",
        c."last_seen_at", c."stale_after_seconds", c."lists_at", c."repositories_valid_until",
        c."repositories_state" AS "judged_repositories_state",
        -- People can bring an old report any day; it is as old as it says.
        CASE WHEN p."source" = 'manual'
             THEN least(c."last_confirmed_at", coalesce(c."collected_at", p."collected_at", c."last_confirmed_at"))
             ELSE c."last_confirmed_at" END AS "reported_at",
        p."collected_at" AS "snapshot_collected_at",
        coalesce(t."failures" >= 3 AND t."first_pulled_at" IS NOT NULL, false) AS "failed_pulls",
        coalesce(coalesce(s."support_ends_at", r."ends_at") < now(), false) AS "eol",
        coalesce(r."covered", false) AS "covered", coalesce(r."lists_unfixed", false) AS "lists_unfixed",
        f."id" AS "feed_id",
        -- A release with files of its own can be older than its feed, or missing in it.
        CASE WHEN fr."release" IS NULL THEN f."updated_at" ELSE fr."updated_at" END AS "feed_updated_at",
        coalesce(CASE WHEN fr."release" IS NULL THEN f."updated_at" ELSE fr."updated_at" END
                 < now() - make_interval(secs => f."stale_after_seconds"), false) AS "feed_outdated",
        coalesce(CASE WHEN fr."release" IS NULL THEN f."is_whole" ELSE fr."is_whole" END, false) AS "feed_is_whole"
      FROM "hosts" h
      JOIN "host_contacts" c ON c."host_id" = h."id"
      JOIN "host_state" s ON s."host_id" = h."id"
      LEFT JOIN "ssh_targets" t ON t."host_id" = h."id"
      LEFT JOIN "snapshots" p ON p."id" = s."snapshot_id"
      LEFT JOIN "releases" r ON r."id" = s."release_id"
      LEFT JOIN "feeds" f ON f."id" = r."feed_id"
      LEFT JOIN "feed_releases" fr ON fr."feed_id" = r."feed_id" AND fr."release" = r."name"
    ) timed
  ) judged
) known;
