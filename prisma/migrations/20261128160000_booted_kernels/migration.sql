-- The ledger of hosts has the kernel that ran, also while the rules could not judge it.
ALTER TABLE "host_changes" RENAME COLUMN "judged_kernel_id" TO "booted_kernel_id";

-- The same function with the new name; it reads no other column of the old one.
DO $$
BEGIN
  EXECUTE replace(
    pg_get_functiondef('fold_snapshots(text, timestamptz, timestamptz, uuid, int)'::regprocedure),
    'judged_kernel_id', 'booted_kernel_id');
END
$$;
