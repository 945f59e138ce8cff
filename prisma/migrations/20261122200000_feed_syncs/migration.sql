-- The progress of a sync while it runs, in a row of its own: the import's transaction locks the row of the feed.
CREATE TABLE "feed_syncs" (
    "feed_id" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "files_done" INTEGER NOT NULL DEFAULT 0,
    "files_total" INTEGER,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "bytes_expected" BIGINT,
    "records" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "progressed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "heartbeat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feed_syncs_pkey" PRIMARY KEY ("feed_id")
);

ALTER TABLE "feed_syncs" ADD CONSTRAINT "feed_syncs_feed_id_fkey" FOREIGN KEY ("feed_id") REFERENCES "feeds"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what the schema file cannot say.

-- Start and end of a sync and a new stage are told at once. Numbers are not: pages that show them ask for them.
CREATE FUNCTION "notify_feed_syncs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change('feed', jsonb_build_array(coalesce(NEW.feed_id, OLD.feed_id)), 100);
  RETURN NULL;
END $$;
CREATE TRIGGER "feed_syncs_begun_or_ended" AFTER INSERT OR DELETE ON "feed_syncs"
  FOR EACH ROW EXECUTE FUNCTION notify_feed_syncs();
CREATE TRIGGER "feed_syncs_next_stage" AFTER UPDATE ON "feed_syncs"
  FOR EACH ROW WHEN (NEW.stage <> OLD.stage) EXECUTE FUNCTION notify_feed_syncs();
