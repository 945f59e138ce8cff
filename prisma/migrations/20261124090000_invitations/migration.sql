-- Invitations of users, by a token instead of a password that others know.

CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "token_hash" BYTEA NOT NULL,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "invitations_email_key" ON "invitations"("email");
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- Sessions and invitations that are over, tokens that were ended and would have expired by now, and counters of attempts
-- that are over.
CREATE OR REPLACE FUNCTION "drop_expired_sessions"("before" timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM public.sessions s USING public.users u
    WHERE u.id = s.user_id AND (least(s.ends_at, s.idle_ends_at) < least($1, now()) OR s.generation <> u.token_generation);
  DELETE FROM public.invitations WHERE expires_at < least($1, now());
  DELETE FROM public.revoked_tokens WHERE expires_at < least($1, now());
  DELETE FROM public.rate_limits WHERE expire < extract(epoch FROM least($1, now())) * 1000;
$$;
