-- A large import looks records up by CVE right after it has rewritten them. With a pending list, each look-up would read all
-- entries that the import has added.
ALTER INDEX "advisories_cves_idx" SET (fastupdate = off);
SELECT gin_clean_pending_list('advisories_cves_idx');
