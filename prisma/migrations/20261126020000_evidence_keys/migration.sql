-- Keys that sign evidence packs. The private half is sealed to a key that only the API has.
CREATE TABLE "evidence_keys" (
    "fingerprint" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "sealed" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "evidence_keys_pkey" PRIMARY KEY ("fingerprint")
);

-- One key is in use.
CREATE UNIQUE INDEX "evidence_keys_in_use_key" ON "evidence_keys" ((true)) WHERE "retired_at" IS NULL;
