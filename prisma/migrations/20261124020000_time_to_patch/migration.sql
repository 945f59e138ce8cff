-- CreateTable
CREATE TABLE "exposure_ends" (
    "host_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "cause" TEXT NOT NULL,
    "counts" BYTEA NOT NULL,

    CONSTRAINT "exposure_ends_pkey" PRIMARY KEY ("host_id","at","cause")
);

-- CreateTable
CREATE TABLE "exposure_walks" (
    "host_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "due" BOOLEAN NOT NULL DEFAULT false,
    "open" BYTEA NOT NULL,

    CONSTRAINT "exposure_walks_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "exposure_walk_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "version_change" BIGINT,

    CONSTRAINT "exposure_walk_state_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "exposure_ends_at_idx" ON "exposure_ends"("at");

-- AddForeignKey
ALTER TABLE "exposure_ends" ADD CONSTRAINT "exposure_ends_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exposure_walks" ADD CONSTRAINT "exposure_walks_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
