-- The time by which rows are deleted by age. It begins with the last known work of the service, so that a wrong clock at this
-- very start deletes nothing either.
CREATE TABLE "retention_clock" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL,
    "jumped_at" TIMESTAMPTZ(3),

    CONSTRAINT "retention_clock_pkey" PRIMARY KEY ("id")
);
INSERT INTO "retention_clock" ("at", "noted_at")
SELECT t, t FROM (SELECT coalesce((SELECT max("noted_at") FROM "fleet_days"), now()) AS t) AS last;
