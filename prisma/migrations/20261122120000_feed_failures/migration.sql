-- Why a sync failed, from a closed list, and how often in a row: retries come after minutes, then later and later.
ALTER TABLE "feeds" ADD COLUMN "last_error_cause" TEXT,
  ADD COLUMN "consecutive_failures" INTEGER NOT NULL DEFAULT 0;

-- Sentences from before may hold the user name and the password of a mirror.
UPDATE "feeds" SET "last_error" = 'The last sync failed before Plimsoll was upgraded; the next one says why.',
  "last_error_cause" = 'internal', "consecutive_failures" = 1,
  "next_sync_at" = CASE WHEN "next_sync_at" IS NULL THEN NULL ELSE now() END
WHERE "state" = 'failed';
