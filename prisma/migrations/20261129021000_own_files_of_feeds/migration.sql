-- Addresses in feeds.urls may have passwords: other apps than the advisory-worker know only which feeds have one.
ALTER TABLE "feeds" ADD COLUMN "has_own_file" BOOLEAN NOT NULL DEFAULT false;
