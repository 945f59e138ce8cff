-- Users limited to hosts with some tags, API keys, and tags that hosts get from their registration token.

ALTER TABLE "users" ADD COLUMN "is_limited" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

ALTER TABLE "registration_tokens" ADD COLUMN "tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "role" TEXT NOT NULL,
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");
CREATE INDEX "api_keys_user_id_idx" ON "api_keys"("user_id");
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Streams of a user whose rights changed, and of a key that ended, end: their clients come back with other rights.
CREATE TRIGGER "users_notify_limited" AFTER UPDATE ON "users" FOR EACH ROW
  WHEN (OLD.is_limited <> NEW.is_limited OR OLD.tags <> NEW.tags)
  EXECUTE FUNCTION notify_users();
CREATE TRIGGER "api_keys_notify" AFTER DELETE ON "api_keys" FOR EACH ROW
  EXECUTE FUNCTION notify_users();
