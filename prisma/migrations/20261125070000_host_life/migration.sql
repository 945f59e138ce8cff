-- Retired hosts keep their rows and count nowhere: every total asks for approved hosts.
ALTER TABLE "hosts" ADD COLUMN "retired_at" TIMESTAMPTZ(3);

CREATE TABLE "host_groups" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "owner_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "host_groups_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "host_groups_owner_id_idx" ON "host_groups"("owner_id");
ALTER TABLE "host_groups" ADD CONSTRAINT "host_groups_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Tokens of retired hosts end, also those that enrol a host again; for apps that may not read tokens.
CREATE FUNCTION "end_tokens_of_hosts"("hosts" uuid[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE public.host_access_tokens SET revoked_at = now() WHERE host_id = ANY($1) AND revoked_at IS NULL;
  UPDATE public.registration_tokens SET revoked_at = now() WHERE host_id = ANY($1) AND revoked_at IS NULL;
$$;
