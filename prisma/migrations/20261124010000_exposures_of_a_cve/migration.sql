-- CreateIndex
CREATE INDEX "package_changes_from_id_idx" ON "package_changes"("from_id");

-- CreateIndex
CREATE INDEX "package_changes_to_id_idx" ON "package_changes"("to_id");

-- CreateIndex
CREATE INDEX "past_advisories_cves_idx" ON "past_advisories" USING GIN ("cves");
