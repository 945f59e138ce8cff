-- CreateTable
CREATE TABLE "notification_hosts" (
    "host_id" UUID NOT NULL,
    "list_id" INTEGER NOT NULL,
    "disagreements" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_hosts_pkey" PRIMARY KEY ("host_id")
);

-- CreateIndex
CREATE INDEX "notification_hosts_list_id_idx" ON "notification_hosts"("list_id");

-- AddForeignKey
ALTER TABLE "notification_hosts" ADD CONSTRAINT "notification_hosts_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_hosts" ADD CONSTRAINT "notification_hosts_list_id_fkey" FOREIGN KEY ("list_id") REFERENCES "finding_lists"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
