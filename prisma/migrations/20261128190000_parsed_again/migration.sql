-- When a report was sent that was parsed again later; null: when it was received. What was read from it anew counts from
-- "received_at".
ALTER TABLE "uploads" ADD COLUMN "reported_at" TIMESTAMPTZ(3);
ALTER TABLE "snapshots" ADD COLUMN "reported_at" TIMESTAMPTZ(3);

-- A report that is parsed again is no contact: a silence goes on over it.
DO $$
DECLARE
  before text := pg_get_functiondef('fold_snapshots(text, timestamptz, timestamptz, uuid, int)'::regprocedure);
  after text := replace(
    replace(before, 's.received_at, s.prior_confirmed_at', 's.received_at, s.reported_at, s.prior_confirmed_at'),
    'lag(r.received_at) OVER w', 'lag(coalesce(r.reported_at, r.received_at)) OVER w');
BEGIN
  IF after NOT LIKE '%s.reported_at%' OR after NOT LIKE '%coalesce(r.reported_at, r.received_at)%' THEN
    RAISE EXCEPTION 'fold_snapshots is another function than expected';
  END IF;
  EXECUTE after;
END
$$;
