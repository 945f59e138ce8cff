-- AlterTable
ALTER TABLE "host_access_tokens" ADD COLUMN "replaces_id" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "host_access_tokens_replaces_id_key" ON "host_access_tokens"("replaces_id");
