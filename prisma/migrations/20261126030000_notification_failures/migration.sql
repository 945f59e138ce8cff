-- AlterTable
ALTER TABLE "notification_events"
  ADD COLUMN "starts" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "error" TEXT,
  ADD COLUMN "next_try_at" TIMESTAMPTZ(3),
  ADD COLUMN "failed_at" TIMESTAMPTZ(3);

-- Written by hand: what the schema file cannot say.

DROP INDEX "notification_events_waiting";
CREATE INDEX "notification_events_waiting" ON "notification_events" ("n") WHERE "taken_at" IS NULL AND "failed_at" IS NULL;
CREATE INDEX "notification_events_failed" ON "notification_events" ("n") WHERE "taken_at" IS NULL AND "error" IS NOT NULL;
