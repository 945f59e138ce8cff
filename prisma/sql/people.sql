-- What ends by itself of sessions, invitations with the confirmations of mail addresses, downloads, sign-ins and counted attempts.

-- Deletes what is over of one kind, with the rights of the owner: the caller can delete nothing else of these tables. The
-- caller's time may be ahead, so the database's own sets a bound.
CREATE OR REPLACE FUNCTION "drop_expired"("kind" text, "before" timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  until timestamptz := least("before", now());
BEGIN
  CASE "kind"
    WHEN 'sessions' THEN
      DELETE FROM sessions s USING users u
      WHERE u.id = s.user_id AND (least(s.ends_at, s.idle_ends_at) < until OR s.generation <> u.token_generation
        -- Begun while the clock was ahead: it would last too long.
        OR s.created_at > now() + interval '1 day');
    WHEN 'invitations' THEN
      DELETE FROM invitations WHERE expires_at < until;
      DELETE FROM mail_confirmations WHERE expires_at < until;
    WHEN 'downloads' THEN DELETE FROM downloads WHERE expires_at < until;
    WHEN 'rate limits' THEN DELETE FROM rate_limits WHERE expire < extract(epoch FROM until) * 1000
      -- Longer than any refusal lasts: the clock was ahead.
      OR key NOT LIKE 'login-known:%' AND expire > extract(epoch FROM now() + interval '30 days') * 1000;
    WHEN 'sign-ins' THEN
      DELETE FROM spent_sign_ins WHERE expires_at < until;
      DELETE FROM sign_in_challenges WHERE expires_at < until;
  END CASE;
END $$;
REVOKE ALL ON FUNCTION "drop_expired"(text, timestamptz) FROM PUBLIC;
