-- Addresses of channels that exist count as confirmed.
ALTER TABLE "notification_channels" ADD COLUMN "unconfirmed" TEXT[] DEFAULT ARRAY[]::TEXT[];

CREATE TABLE "mail_confirmations" (
    "token_hash" BYTEA NOT NULL,
    "channel_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "mail_confirmations_pkey" PRIMARY KEY ("token_hash")
);
CREATE UNIQUE INDEX "mail_confirmations_channel_id_address_key" ON "mail_confirmations"("channel_id", "address");
ALTER TABLE "mail_confirmations" ADD CONSTRAINT "mail_confirmations_channel_id_fkey"
    FOREIGN KEY ("channel_id") REFERENCES "notification_channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;
