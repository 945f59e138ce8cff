-- The CVEs of an erratum that are open on one package version, and the severity of these.
ALTER TABLE "package_version_advisories" ADD COLUMN "open_cves" TEXT[], ADD COLUMN "severity" TEXT;
