-- What one host may still send through one door. Each time says when that allowance is whole again; a time that has passed,
-- or a row that is missing, says that it is whole now.
CREATE TABLE "upload_allowances" (
    "host_id" UUID NOT NULL,
    "door" TEXT NOT NULL,
    "uploads_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "bytes_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "entries_whole_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "upload_allowances_pkey" PRIMARY KEY ("host_id", "door")
);
ALTER TABLE "upload_allowances" ADD CONSTRAINT "upload_allowances_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- Every upload moves these times: room on the page keeps such an update in place.
ALTER TABLE "upload_allowances" SET (fillfactor = 50);

-- Uploads that were refused since the last one that was not share a row, which counts them; 0: the row is an upload.
ALTER TABLE "uploads" ADD COLUMN "refusals" INTEGER NOT NULL DEFAULT 0;
-- Size of the body before compression: what parsing it takes. 0 where it was stored by an older version.
ALTER TABLE "uploads" ADD COLUMN "size" INTEGER NOT NULL DEFAULT 0;

-- Bytes of rejected uploads are kept for the newest of each host alone.
UPDATE "uploads" u SET "body" = NULL
WHERE u."state" = 'rejected' AND u."body" IS NOT NULL AND EXISTS (
  SELECT FROM "uploads" n WHERE n."host_id" = u."host_id" AND n."sequence" > u."sequence" AND n."state" = 'rejected');
