-- Which version of the program rejected an upload; null: an earlier one, or it was not rejected.
ALTER TABLE "uploads" ADD COLUMN "rejected_by" TEXT;
-- Records that the last sync which read files could not read, with the first errors.
ALTER TABLE "feeds" ADD COLUMN "rejected_records" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "rejected_at" TIMESTAMPTZ(3),
  ADD COLUMN "rejected_errors" JSONB NOT NULL DEFAULT '[]';
