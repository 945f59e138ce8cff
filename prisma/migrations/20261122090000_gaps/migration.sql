-- What asks for something to be done, as bits, takes the place of the one action: which ground comes first depends on
-- the time and on feeds as well. The rules changed with it, so that all hosts are counted again; until then the grounds
-- are derived from what is stored, and findings whose fix state is not stored count as open.
ALTER TABLE "host_state" ADD COLUMN "grounds" INTEGER NOT NULL DEFAULT 0;

UPDATE "host_state" SET "grounds" =
    CASE WHEN critical + important + moderate + low + unrated + unfixed > 0 THEN 1 ELSE 0 END
  | CASE WHEN "available_updates" > 0 THEN 2 ELSE 0 END
  | CASE "action" WHEN 'update_urgent' THEN 1024 | 64 | 32 WHEN 'reboot_urgent' THEN 256 | 64 | 8
                  WHEN 'update_security' THEN 32 ELSE 0 END;

-- The view goes first: it uses the column.
DROP VIEW "host_overview";
ALTER TABLE "host_state" DROP COLUMN "action";

-- From this age of its data on a feed is outdated.
ALTER TABLE "feeds" ADD COLUMN "stale_after_seconds" INTEGER NOT NULL DEFAULT 259200;

-- Whether a feed that has data of the release states what is unfixed, too.
ALTER TABLE "releases" ADD COLUMN "lists_unfixed" BOOLEAN NOT NULL DEFAULT false;

UPDATE "releases" r SET "lists_unfixed" = true
WHERE EXISTS (SELECT FROM "advisory_packages" ap WHERE ap."release_id" = r."id" AND ap."fixed_version" IS NULL);

-- Whether the host's copies of its repositories are as new as the newest known ones, and until when the earliest of them
-- is valid by its own word.
ALTER TABLE "host_contacts" ADD COLUMN "repositories_state" TEXT NOT NULL DEFAULT 'unknown',
ADD COLUMN "repositories_valid_until" TIMESTAMPTZ(3);

-- When the newest report was collected by the host's own clock, unchanged ones included.
ALTER TABLE "host_contacts" ADD COLUMN "collected_at" TIMESTAMPTZ(3);

-- Written by hand: what the schema file cannot say.

-- The one rule for what is known of a host and what to do first, in four steps: times, states, gaps, action. The bits of
-- "gaps" are in the order of gapBits of packages/model, those of "grounds" in the order of actionGrounds. Written out
-- instead of called, because PostgreSQL does not inline functions this large.
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
    -- 15392: the exempt gaps, beside which nothing to do is still known to be nothing (exemptGaps of packages/model).
    WHEN known."gaps" & ~15392 <> 0 THEN 'unknown'
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
        s."disagreements", s."updates_known", s."snapshot_id" IS NOT NULL AS "has_report", s."release_id",
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
        f."id" AS "feed_id", f."updated_at" AS "feed_updated_at",
        coalesce(f."updated_at" < now() - make_interval(secs => f."stale_after_seconds"), false) AS "feed_outdated"
      FROM "hosts" h
      JOIN "host_contacts" c ON c."host_id" = h."id"
      JOIN "host_state" s ON s."host_id" = h."id"
      LEFT JOIN "ssh_targets" t ON t."host_id" = h."id"
      LEFT JOIN "snapshots" p ON p."id" = s."snapshot_id"
      LEFT JOIN "releases" r ON r."id" = s."release_id"
      LEFT JOIN "feeds" f ON f."id" = r."feed_id"
    ) timed
  ) judged
) known;
