-- Retired hosts keep their rows and count nowhere: every total asks for approved hosts.
ALTER TABLE "hosts" ADD COLUMN "retired_at" TIMESTAMPTZ(3);
ALTER TABLE "hosts" ADD CONSTRAINT "hosts_retired_check" CHECK (("approval_status" = 'retired') = ("retired_at" IS NOT NULL));

CREATE TABLE "host_groups" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "owner_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "host_groups_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "host_groups_owner_id_idx" ON "host_groups"("owner_id");
ALTER TABLE "host_groups" ADD CONSTRAINT "host_groups_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
