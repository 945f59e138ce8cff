-- Where a severity comes from: the vendor's word, CVSS, or neither. The rules changed with it, so that feeds are read again
-- and say it exactly; until then it is derived from what is stored. Debian has no word for "critical": there it is CVSS.
-- Elsewhere a rating counts as the vendor's.
ALTER TABLE "advisory_packages" ADD COLUMN "severity_source" TEXT;

UPDATE "advisory_packages" ap SET "severity_source" = CASE
    WHEN ap."severity" = 'unrated' THEN 'none'
    WHEN a."feed_id" = 'debian-osv' AND ap."severity" = 'critical' THEN 'cvss'
    ELSE 'vendor' END
  FROM "advisories" a WHERE a."id" = ap."advisory_id";

ALTER TABLE "advisory_packages" ALTER COLUMN "severity_source" SET NOT NULL;
