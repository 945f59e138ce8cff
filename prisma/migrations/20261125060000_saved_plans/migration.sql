-- Saved plans of several hosts, with their content as of the time they were made.

CREATE TABLE "plans" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "selection" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "made_by" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "host_count" INTEGER NOT NULL,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "plans_made_at_idx" ON "plans"("made_at");

CREATE TABLE "plan_hosts" (
    "plan_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "plan_hosts_pkey" PRIMARY KEY ("plan_id","host_id")
);
CREATE INDEX "plan_hosts_host_id_idx" ON "plan_hosts"("host_id");
-- The content is compressed already.
ALTER TABLE "plan_hosts" ALTER COLUMN "content" SET STORAGE EXTERNAL;

ALTER TABLE "plan_hosts" ADD CONSTRAINT "plan_hosts_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "plan_hosts" ADD CONSTRAINT "plan_hosts_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
