-- When a report was sent that was parsed again later; null: when it was received. What was read from it anew counts from
-- "received_at".
ALTER TABLE "uploads" ADD COLUMN "reported_at" TIMESTAMPTZ(3);
ALTER TABLE "snapshots" ADD COLUMN "reported_at" TIMESTAMPTZ(3);
