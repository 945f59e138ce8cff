-- The ledger of hosts has the kernel that ran, also while the rules could not judge it.
ALTER TABLE "host_changes" RENAME COLUMN "judged_kernel_id" TO "booted_kernel_id";

-- Newest rows without a kernel, of hosts of which one is judged by now: it ran since then.
WITH corrected AS (
  UPDATE "host_changes" c SET "booted_kernel_id" = s."judged_kernel_id" FROM "host_state" s
  WHERE s."host_id" = c."host_id" AND s."judged_kernel_id" IS NOT NULL AND c."booted_kernel_id" IS NULL
    AND NOT EXISTS (
      SELECT FROM "host_changes" o
      WHERE o."host_id" = c."host_id" AND o."sequence" > c."sequence" AND o."booted_kernel_id" IS NOT NULL)
  RETURNING c."host_id")
UPDATE "exposure_walks" SET "due" = true WHERE "host_id" IN (SELECT "host_id" FROM corrected);

-- The same function with the new name; it reads no other column of the old one.
DO $$
BEGIN
  EXECUTE replace(
    pg_get_functiondef('fold_snapshots(text, timestamptz, timestamptz, uuid, int)'::regprocedure),
    'judged_kernel_id', 'booted_kernel_id');
END
$$;
