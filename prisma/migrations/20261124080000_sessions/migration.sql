-- Sessions: docs/decisions/0087. Tokens that were issued before belong to no session and are refused.

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
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Event streams of a session end with it. Sessions that are over have none.
CREATE FUNCTION "notify_sessions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change('session', jsonb_build_array(OLD.id), 1);
  RETURN NULL;
END $$;
CREATE TRIGGER "sessions_deleted" AFTER DELETE ON "sessions" FOR EACH ROW
  WHEN (OLD."ends_at" > now() AND (OLD."idle_ends_at" IS NULL OR OLD."idle_ends_at" > now()))
  EXECUTE FUNCTION notify_sessions();

-- Sessions that are over, tokens that were ended and would have expired by now, and counters of attempts that are over.
CREATE OR REPLACE FUNCTION "drop_expired_sessions"("before" timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM public.sessions s USING public.users u
    WHERE u.id = s.user_id AND (least(s.ends_at, s.idle_ends_at) < least($1, now()) OR s.generation <> u.token_generation);
  DELETE FROM public.revoked_tokens WHERE expires_at < least($1, now());
  DELETE FROM public.rate_limits WHERE expire < extract(epoch FROM least($1, now())) * 1000;
$$;
