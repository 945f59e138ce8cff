-- What CISA's catalog says about an exploited CVE beside the day of its listing; the next sync fills it.
ALTER TABLE "cves" ADD COLUMN "exploited_due_on" DATE,
  ADD COLUMN "exploited_in_ransomware" BOOLEAN,
  ADD COLUMN "exploited_summary" TEXT;
