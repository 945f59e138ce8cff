-- How the last runs of the work went that the service repeats.
CREATE TABLE "rounds" (
    "name" TEXT NOT NULL,
    "last_ok_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "rounds_pkey" PRIMARY KEY ("name")
);
