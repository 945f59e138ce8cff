-- What a host's tool says about a repository that fails, and the newest date on any host: docs/decisions/hosts.md.
ALTER TABLE "host_contacts" ADD COLUMN "repository_error" TEXT NOT NULL DEFAULT '';
ALTER TABLE "repositories" ADD COLUMN "seen_at" TIMESTAMPTZ(3), ADD COLUMN "judged_seen_at" TIMESTAMPTZ(3);
-- Every host's copies are judged again, which also moves the dates.
UPDATE "host_refreshes" SET "due" = true;
