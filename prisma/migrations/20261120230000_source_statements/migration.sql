-- AlterTable
ALTER TABLE "advisory_packages" ADD COLUMN     "names" TEXT;

-- CreateTable
CREATE TABLE "repository_products" (
    "repository" TEXT NOT NULL,
    "products" TEXT[],

    CONSTRAINT "repository_products_pkey" PRIMARY KEY ("repository")
);

-- CreateIndex
CREATE INDEX "package_versions_release_id_source_name_idx" ON "package_versions"("release_id", "source_name");

-- Written by hand: what the schema file cannot say.

-- Few statements name a source rpm, and looking for them must not read all the others.
CREATE INDEX "advisory_packages_of_sources" ON "advisory_packages" ("release_id", "name") WHERE "names" IS NOT NULL;
