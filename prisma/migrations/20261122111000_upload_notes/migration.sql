-- What was set right in an upload that was understood, to be read beside what was wrong with one that was not.
ALTER TABLE "uploads" ADD COLUMN "notes" JSONB;
