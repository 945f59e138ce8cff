-- The hosts to count again after changes of advisories, in pieces that several processes share.
CREATE TABLE "recount_pieces" (
    "n" BIGSERIAL NOT NULL,
    "changes" BIGINT[],
    "first_set" INTEGER,
    "last_set" INTEGER,

    CONSTRAINT "recount_pieces_pkey" PRIMARY KEY ("n")
);

ALTER TABLE "version_changes" ADD COLUMN "planned" BOOLEAN NOT NULL DEFAULT false;
