-- CreateTable
CREATE TABLE "release_lifecycles" (
    "release" TEXT NOT NULL,
    "feed_id" TEXT NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "extended" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "release_lifecycles_pkey" PRIMARY KEY ("release")
);

-- CreateIndex
CREATE INDEX "release_lifecycles_feed_id_idx" ON "release_lifecycles"("feed_id");

-- AddForeignKey
ALTER TABLE "release_lifecycles" ADD CONSTRAINT "release_lifecycles_feed_id_fkey" FOREIGN KEY ("feed_id") REFERENCES "feeds"("id") ON DELETE CASCADE ON UPDATE CASCADE;
