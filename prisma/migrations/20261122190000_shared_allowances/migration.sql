-- Hosts that a registration token approved share an allowance as well, for a day (docs/decisions/0050). A new table
-- instead of a renamed one, because a renamed table keeps the names of its constraints.
CREATE TABLE "shared_allowances" (
    "token_id" UUID NOT NULL,
    "uploads_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "bytes_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "entries_whole_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shared_allowances_pkey" PRIMARY KEY ("token_id")
);
ALTER TABLE "shared_allowances" SET (fillfactor = 50);
INSERT INTO "shared_allowances" SELECT * FROM "pending_allowances";
DROP TABLE "pending_allowances";

-- Hosts that are approved already had allowances of their own, and keep them.
ALTER TABLE "hosts" ADD COLUMN "shares_allowance_until" TIMESTAMPTZ(3);
