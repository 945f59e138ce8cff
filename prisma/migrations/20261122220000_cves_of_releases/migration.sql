-- A notice of Ubuntu lists per release which of its CVEs it fixes there. Null: all CVEs of the advisory.
ALTER TABLE "advisory_packages" ADD COLUMN "cves" TEXT[];
