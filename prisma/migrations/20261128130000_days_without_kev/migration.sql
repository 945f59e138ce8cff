-- Whether CISA KEV had data on a day: without it, zero exploited findings mean nothing.
ALTER TABLE "fleet_days" ADD COLUMN "exploitation_known" BOOLEAN NOT NULL DEFAULT false;

-- Written by hand: what the schema file cannot say.

-- Of earlier days: those from the first import on. Imports before there was a history count as of CISA's entries.
UPDATE "fleet_days" SET "exploitation_known" = true WHERE "noted_at" >= least(
  (SELECT min("exploited_known_at") FROM "cves"), (SELECT min("since") FROM "past_cve_facts" WHERE "kind" = 'exploited'));
