-- CreateTable
CREATE TABLE "fleet_tag_days" (
    "day" DATE NOT NULL,
    "fields" TEXT[],
    "combinations" JSONB NOT NULL,
    "numbers" BYTEA NOT NULL,
    "is_complete" BOOLEAN NOT NULL,

    CONSTRAINT "fleet_tag_days_pkey" PRIMARY KEY ("day")
);

-- Compressed already.
ALTER TABLE "fleet_tag_days" ALTER COLUMN "numbers" SET STORAGE EXTERNAL;
