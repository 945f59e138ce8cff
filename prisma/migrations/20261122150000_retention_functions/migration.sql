-- What is over is dropped by these functions, with the rights of the owner: the role that calls them can delete nothing
-- else of these tables. The caller's clock may be ahead, so the database's own sets a bound.

-- At most `most` entries from before `before`, oldest first; never one of the last day. Answers how many.
CREATE FUNCTION "drop_audit_events"("before" timestamptz, "most" int) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH dropped AS (
    DELETE FROM public.audit_events WHERE id IN (
      SELECT id FROM public.audit_events WHERE at < least($1, now() - interval '1 day') ORDER BY at LIMIT $2)
    RETURNING 1)
  SELECT count(*) FROM dropped
$$;
REVOKE ALL ON FUNCTION "drop_audit_events"(timestamptz, int) FROM PUBLIC;

-- Tokens that were ended and would have expired by now, and counters of attempts that are over.
CREATE FUNCTION "drop_expired_sessions"("before" timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM public.revoked_tokens WHERE expires_at < least($1, now());
  DELETE FROM public.rate_limits WHERE expire < extract(epoch FROM least($1, now())) * 1000;
$$;
REVOKE ALL ON FUNCTION "drop_expired_sessions"(timestamptz) FROM PUBLIC;
