-- Installations that did not end.
ALTER TABLE "package_versions" ADD COLUMN "unfinished" TEXT;
ALTER TABLE "host_state" ADD COLUMN "broken_packages" INTEGER NOT NULL DEFAULT 0;
