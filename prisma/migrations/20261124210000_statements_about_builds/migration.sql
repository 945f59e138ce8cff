-- Statements about specific builds are looked up for each list of findings. Most feeds have none, and a package such as
-- the kernel has thousands of other statements.
CREATE INDEX "advisory_packages_of_builds" ON "advisory_packages" ("release_id", "name") WHERE "builds" <> '' AND "names" IS NULL;
