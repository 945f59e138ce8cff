-- A snapshot that was parsed before an older one says until when the content before both was confirmed: a silence begins
-- with the older one then.
DO $$
BEGIN
  EXECUTE replace(
    pg_get_functiondef('fold_snapshots(text, timestamptz, timestamptz, uuid, int)'::regprocedure),
    'coalesce(prior_confirmed_at, before_at)', 'greatest(prior_confirmed_at, before_at)');
END
$$;

-- Snapshots that a newer one overtook were left out of the changes of packages and of kernels: they are matched again, now
-- as late ones.
UPDATE "uploads" u SET "state" = 'parsed', "ended_at" = NULL
WHERE u."state" = 'superseded' AND EXISTS (SELECT FROM "snapshots" s WHERE s."id" = u."id");
