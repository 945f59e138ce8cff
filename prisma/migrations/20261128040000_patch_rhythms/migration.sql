-- How often hosts install updates, learned again after updates, so that lists need not read the history.
CREATE TABLE "patch_rhythms" (
    "host_id" UUID NOT NULL,
    "due" BOOLEAN NOT NULL DEFAULT true,
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "days" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "rounds" INTEGER NOT NULL DEFAULT 0,
    "last_at" TIMESTAMPTZ(3),
    "median_days" DOUBLE PRECISION,
    "longest_days" DOUBLE PRECISION,
    "overdue_at" TIMESTAMPTZ(3),

    CONSTRAINT "patch_rhythms_pkey" PRIMARY KEY ("host_id")
);

ALTER TABLE "patch_rhythms" ADD CONSTRAINT "patch_rhythms_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what the schema file cannot say.

CREATE INDEX "patch_rhythms_due" ON "patch_rhythms" ("host_id") WHERE "due";

-- The rhythms of all hosts with a past are to be learned.
INSERT INTO "patch_rhythms" ("host_id") SELECT "id" FROM "hosts";

-- A package that changes version is an update. More of them on the last day learned change nothing. Rows that are due
-- already are locked all the same, so that learning waits for the changes of this transaction, or misses none.
CREATE FUNCTION "note_updates"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO patch_rhythms (host_id)
  SELECT m.host_id FROM moved m LEFT JOIN patch_rhythms r ON r.host_id = m.host_id
  WHERE m.from_id IS NOT NULL AND m.to_id IS NOT NULL
    AND (r.last_at IS NULL OR r.last_at <> date_trunc('day', m.at, 'UTC'))
  GROUP BY m.host_id
  ON CONFLICT (host_id) DO UPDATE SET due = true WHERE NOT patch_rhythms.due;
  RETURN NULL;
END $$;
CREATE TRIGGER "package_changes_inserted" AFTER INSERT ON "package_changes" REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION note_updates();

CREATE FUNCTION "notify_patch_rhythms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change('host_changed', (SELECT jsonb_agg(host_id) FROM (
    SELECT n.host_id FROM after_it n JOIN before_it o USING (host_id)
    WHERE n.overdue_at IS DISTINCT FROM o.overdue_at LIMIT 101) AS listed), 100);
  RETURN NULL;
END $$;
CREATE TRIGGER "patch_rhythms_updated" AFTER UPDATE ON "patch_rhythms"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_patch_rhythms();
