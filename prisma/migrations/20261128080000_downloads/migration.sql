-- Downloads that a browser may begin, each once: docs/decisions/0142.
CREATE TABLE "downloads" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "body" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "downloads_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "downloads_user_id_expires_at_idx" ON "downloads"("user_id", "expires_at");
CREATE INDEX "downloads_expires_at_idx" ON "downloads"("expires_at");
ALTER TABLE "downloads" ADD CONSTRAINT "downloads_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
