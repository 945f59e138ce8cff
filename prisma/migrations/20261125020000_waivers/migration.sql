-- Decisions that findings are not to be acted on.
CREATE TABLE "waivers" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "advisories" TEXT[],
    "packages" TEXT[],
    "host_ids" UUID[],
    "tags" TEXT[],
    "all_hosts" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "ticket_url" TEXT,
    "origin" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_cause" TEXT,
    "ended_by" TEXT,

    CONSTRAINT "waivers_pkey" PRIMARY KEY ("id")
);

-- The waivers that apply, and the next one to end.
CREATE INDEX "waivers_open" ON "waivers" ("expires_at") WHERE "ended_at" IS NULL;

-- Hosts to count again because of what users decided about them.
ALTER TABLE "recount_pieces" ADD COLUMN "hosts" UUID[] DEFAULT ARRAY[]::UUID[];
