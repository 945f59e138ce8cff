-- Rows that nothing refers to any more are condemned first and deleted later: docs/decisions/0045.
ALTER TABLE "package_versions" ADD COLUMN "condemned" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "package_sets" ADD COLUMN "condemned" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "upgrades" ADD COLUMN "condemned" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "package_versions_condemned" ON "package_versions" ("id") WHERE "condemned";
CREATE INDEX "package_sets_condemned" ON "package_sets" ("id") WHERE "condemned";
CREATE INDEX "upgrades_condemned" ON "upgrades" ("id") WHERE "condemned";

-- Moves each time rows are condemned: ids that were looked up under an older epoch may not be referred to any more.
CREATE TABLE "interning_epoch" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "epoch" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "interning_epoch_pkey" PRIMARY KEY ("id")
);
INSERT INTO "interning_epoch" DEFAULT VALUES;
