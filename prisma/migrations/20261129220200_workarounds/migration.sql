-- What vendors advise without a fix; filled when feeds are read again under the new rules.
ALTER TABLE "advisories" ADD COLUMN "workarounds" JSONB NOT NULL DEFAULT '[]';
