-- Which program brought the schema to its present state.
CREATE TABLE "schema_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "digest" BYTEA NOT NULL,
    "version" TEXT NOT NULL,
    "applied_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "schema_state_pkey" PRIMARY KEY ("id")
);
