-- CreateTable
CREATE TABLE "notification_bulletins" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "channel_id" UUID NOT NULL,
    "owner_id" UUID,
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "group_id" UUID,
    "tag" TEXT,
    "every" TEXT NOT NULL,
    "weekday" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "at" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3),
    "last_at" TIMESTAMPTZ(3),
    "base" JSONB,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_bulletins_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "notification_deliveries" ADD COLUMN "bulletin_id" UUID;

-- CreateIndex
CREATE INDEX "notification_bulletins_channel_id_idx" ON "notification_bulletins"("channel_id");

-- CreateIndex
CREATE INDEX "notification_bulletins_owner_id_idx" ON "notification_bulletins"("owner_id");

-- CreateIndex
CREATE INDEX "notification_deliveries_bulletin_id_idx" ON "notification_deliveries"("bulletin_id");

-- AddForeignKey
ALTER TABLE "notification_bulletins" ADD CONSTRAINT "notification_bulletins_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "notification_channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_bulletins" ADD CONSTRAINT "notification_bulletins_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_bulletin_id_fkey" FOREIGN KEY ("bulletin_id") REFERENCES "notification_bulletins"("id") ON DELETE SET NULL ON UPDATE CASCADE;
