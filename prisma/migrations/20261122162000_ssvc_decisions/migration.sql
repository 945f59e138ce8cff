-- CISA's answers to the questions of SSVC, by CVE.
ALTER TABLE "cves"
  ADD COLUMN "ssvc_exploitation" TEXT,
  ADD COLUMN "ssvc_automatable" BOOLEAN,
  ADD COLUMN "ssvc_impact" TEXT,
  ADD COLUMN "ssvc_at" TIMESTAMPTZ(3);
