-- CreateTable
CREATE TABLE "fleet_days" (
    "day" DATE NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL,
    "totals" JSONB NOT NULL,

    CONSTRAINT "fleet_days_pkey" PRIMARY KEY ("day")
);
