-- Overtaken snapshots are part of the past of their hosts: docs/decisions/0157.

-- A snapshot that was parsed before an older one says until when the content before both was confirmed: a silence begins
-- with the older one then. Nothing is folded of a host of which an older report still waits to be matched.
DO $$
DECLARE
  before text := pg_get_functiondef('fold_snapshots(text, timestamptz, timestamptz, uuid, int)'::regprocedure);
  after text := replace(
    replace(before, 'coalesce(prior_confirmed_at, before_at)', 'greatest(prior_confirmed_at, before_at)'),
    E'least($3, now() - interval \'1 day\')\n    GROUP BY 1, 2',
    E'least($3, now() - interval \'1 day\')\n      AND NOT EXISTS (SELECT FROM public.uploads u
        WHERE u.host_id = n.host_id AND u.sequence < n.sequence AND u.state = \'parsed\')\n    GROUP BY 1, 2');
BEGIN
  IF after NOT LIKE '%greatest(prior_confirmed_at, before_at)%' OR after NOT LIKE '%public.uploads u%' THEN
    RAISE EXCEPTION 'fold_snapshots is another function than expected';
  END IF;
  EXECUTE after;
END
$$;

-- Snapshots that a newer one overtook were left out of the changes of packages and of kernels: they are matched again, now
-- as late ones. Those of deleted uploads stay left out.
UPDATE "uploads" u SET "state" = 'parsed', "ended_at" = NULL
WHERE u."state" = 'superseded' AND EXISTS (SELECT FROM "snapshots" s WHERE s."id" = u."id");
ALTER TABLE "history_bounds" ADD COLUMN "past_whole_from" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- Each host with a history has a row that recounts can mark.
INSERT INTO "exposure_walks" ("host_id", "sequence", "due", "open")
SELECT "host_id", 0, true, '' FROM "host_state" WHERE "first_snapshot_at" IS NOT NULL ON CONFLICT DO NOTHING;
