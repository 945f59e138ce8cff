-- What ends by itself of sessions, invitations, downloads and counted attempts.

CREATE OR REPLACE FUNCTION "drop_expired_sessions"("before" timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM public.sessions s USING public.users u
    WHERE u.id = s.user_id AND (least(s.ends_at, s.idle_ends_at) < least($1, now()) OR s.generation <> u.token_generation);
  DELETE FROM public.invitations WHERE expires_at < least($1, now());
  DELETE FROM public.rate_limits WHERE expire < extract(epoch FROM least($1, now())) * 1000;
  DELETE FROM public.downloads WHERE expires_at < now();
$$;
REVOKE ALL ON FUNCTION "drop_expired_sessions"(timestamptz) FROM PUBLIC;
