-- AlterTable
ALTER TABLE "releases" ADD COLUMN     "rules" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "package_versions" ADD COLUMN     "rules" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "feeds" DROP COLUMN "etag",
DROP COLUMN "last_modified";

-- CreateTable
CREATE TABLE "feed_files" (
    "feed_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "etag" TEXT,
    "last_modified" TEXT,
    "digest" BYTEA NOT NULL,
    "rules" INTEGER NOT NULL,

    CONSTRAINT "feed_files_pkey" PRIMARY KEY ("feed_id","url")
);

-- AddForeignKey
ALTER TABLE "feed_files" ADD CONSTRAINT "feed_files_feed_id_fkey" FOREIGN KEY ("feed_id") REFERENCES "feeds"("id") ON DELETE CASCADE ON UPDATE CASCADE;
