-- A few thousand of hundreds of thousands of CVEs are or were listed as exploited. They are read together after each
-- change of what is known.
CREATE INDEX "cves_exploited" ON "cves" ("id") WHERE "exploited_since" IS NOT NULL;
CREATE INDEX "past_cve_facts_exploited" ON "past_cve_facts" ("cve") WHERE "kind" = 'exploited';
