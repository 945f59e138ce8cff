-- Whether CISA KEV had data on a day: without it, zero exploited findings mean nothing.
ALTER TABLE "fleet_days" ADD COLUMN "exploitation_known" BOOLEAN NOT NULL DEFAULT false;

-- Written by hand: what the schema file cannot say.

-- Of earlier days: those from the first import on. Listings from before there was a history have CISA's day instead of the
-- time of their import: they do not count.
UPDATE "fleet_days" SET "exploitation_known" = true WHERE "noted_at" >= least(
  (SELECT min("exploited_known_at") FROM "cves" WHERE "exploited_known_at"::date > "exploited_since"), (SELECT min("since") FROM "past_cve_facts" WHERE "kind" = 'exploited'));
