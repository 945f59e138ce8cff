-- What a record says of its own severity, beside the severity that counts: that of an erratum without a word of its vendor
-- is taken from the records of its CVEs.
ALTER TABLE "advisory_packages" ADD COLUMN "stated_severity" TEXT, ADD COLUMN "stated_source" TEXT;

UPDATE "advisory_packages" SET "stated_severity" = "severity", "stated_source" = "severity_source";

ALTER TABLE "advisory_packages" ALTER COLUMN "stated_severity" SET NOT NULL, ALTER COLUMN "stated_source" SET NOT NULL;
