-- Hosts are counted after the transaction that changed advisories, so that uploads are matched meanwhile. What was not
-- counted yet is counted by the next process that looks.
ALTER TABLE "version_changes" ADD COLUMN "releases" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "version_changes" ADD COLUMN "counted" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "version_changes" ALTER COLUMN "counted" DROP DEFAULT;
CREATE INDEX "version_changes_uncounted" ON "version_changes" ("n") WHERE NOT "counted";
