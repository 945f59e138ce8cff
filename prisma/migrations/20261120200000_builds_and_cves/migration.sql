-- DropIndex
DROP INDEX "advisory_packages_advisory_id_release_id_name_key";

-- AlterTable
ALTER TABLE "advisories" ADD COLUMN     "known_exploited" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "advisory_packages" ADD COLUMN     "architectures" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "builds" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "fixed_service" TEXT,
ADD COLUMN     "line" TEXT,
ADD COLUMN     "module" TEXT;

-- CreateTable
CREATE TABLE "cves" (
    "id" TEXT NOT NULL,
    "exploited_since" DATE,
    "epss" DOUBLE PRECISION,

    CONSTRAINT "cves_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "advisory_packages_advisory_id_release_id_name_builds_key" ON "advisory_packages"("advisory_id", "release_id", "name", "builds");
