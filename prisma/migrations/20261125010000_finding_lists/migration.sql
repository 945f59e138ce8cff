-- The open advisories of each host with their fix states, once for hosts with equal ones.
CREATE TABLE "finding_lists" (
    "id" SERIAL NOT NULL,
    "digest" BYTEA NOT NULL,
    "n" INTEGER NOT NULL,
    "entries" BYTEA NOT NULL,
    "condemned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "finding_lists_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "finding_lists_digest_key" ON "finding_lists"("digest");
ALTER TABLE "host_state" ADD COLUMN "finding_list_id" INTEGER;
CREATE INDEX "host_state_finding_list_id_idx" ON "host_state"("finding_list_id");
ALTER TABLE "host_state" ADD CONSTRAINT "host_state_finding_list_id_fkey" FOREIGN KEY ("finding_list_id") REFERENCES "finding_lists"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
