-- The package changes of one snapshot become one row: a row for each change had four index entries of its own, and a check
-- of its host. Copied first, so that the table and its constraints have their names when they are made.
CREATE UNLOGGED TABLE "changes_by_snapshot" AS
SELECT "host_id", "sequence", min("at") AS "at", array_agg("name" ORDER BY "n") AS "names",
       array_agg("architecture" ORDER BY "n") AS "architectures",
       array_agg(coalesce("from_id", 0) ORDER BY "n") AS "from_ids", array_agg(coalesce("to_id", 0) ORDER BY "n") AS "to_ids"
FROM "package_changes" GROUP BY "host_id", "sequence";

DROP TABLE "package_changes";

CREATE TABLE "package_changes" (
    "host_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "names" TEXT[],
    "architectures" TEXT[],
    "from_ids" INTEGER[],
    "to_ids" INTEGER[],

    CONSTRAINT "package_changes_pkey" PRIMARY KEY ("host_id","sequence")
);

INSERT INTO "package_changes" ("host_id", "sequence", "at", "names", "architectures", "from_ids", "to_ids")
SELECT "host_id", "sequence", "at", "names", "architectures", "from_ids", "to_ids" FROM "changes_by_snapshot";

DROP TABLE "changes_by_snapshot";

ALTER TABLE "package_changes" ADD CONSTRAINT "package_changes_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what the schema file cannot say.

-- Who had a package version. Queries repeat the expression. Without a list of pending entries: merging it would stop one
-- upload for up to a second.
CREATE INDEX "package_changes_versions" ON "package_changes" USING GIN (array_remove("from_ids" || "to_ids", 0))
  WITH (fastupdate = off);
-- For the statistics of the expression.
ANALYZE "package_changes";

-- A package that changes version is an update. More of them on the last day learned change nothing. Rows that are due
-- already are locked all the same, so that learning waits for the changes of this transaction, or misses none.
CREATE OR REPLACE FUNCTION "note_updates"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO patch_rhythms (host_id)
  SELECT m.host_id FROM moved m LEFT JOIN patch_rhythms r ON r.host_id = m.host_id
  WHERE EXISTS (SELECT FROM unnest(m.from_ids, m.to_ids) AS c (from_id, to_id) WHERE c.from_id <> 0 AND c.to_id <> 0)
    AND (r.last_at IS NULL OR r.last_at <> date_trunc('day', m.at, 'UTC'))
  GROUP BY m.host_id
  ON CONFLICT (host_id) DO UPDATE SET due = true WHERE NOT patch_rhythms.due;
  RETURN NULL;
END $$;
CREATE TRIGGER "package_changes_inserted" AFTER INSERT ON "package_changes" REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION note_updates();
