-- Which package sets contain a package version, in blocks of 4,096 ids of sets.
CREATE TABLE "set_postings" (
    "version_id" INTEGER NOT NULL,
    "block" INTEGER NOT NULL,
    "sets" BYTEA NOT NULL,

    CONSTRAINT "set_postings_pkey" PRIMARY KEY ("version_id", "block")
);

-- The blocks that are posted. Later sets are read one by one.
CREATE TABLE "posted_blocks" (
    "block" INTEGER NOT NULL,
    "sets" INTEGER NOT NULL,

    CONSTRAINT "posted_blocks_pkey" PRIMARY KEY ("block")
);
