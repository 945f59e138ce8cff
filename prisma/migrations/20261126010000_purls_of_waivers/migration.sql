-- Waivers whose advisories are covered only for some packages.
ALTER TABLE "waivers" ADD COLUMN "purls" TEXT[] DEFAULT ARRAY[]::TEXT[];
