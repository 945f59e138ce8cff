-- Transactions report what they changed (docs/decisions/database-door.md). A trigger tells of it once per statement.

-- Transactions tell what they changed, on one channel, when they commit. Said once per statement, with the first ids;
-- with none, it was more than a list is good for. A payload has 8,000 bytes at most.
CREATE OR REPLACE FUNCTION "notify_change"("kind" text, "items" jsonb, "most" int) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF items IS NULL THEN RETURN; END IF;
  PERFORM pg_notify('plimsoll_changes', jsonb_build_object(
    'kind', kind, 'items', CASE WHEN jsonb_array_length(items) <= most THEN items END)::text);
END $$;

CREATE OR REPLACE FUNCTION "notify_hosts"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM notify_change(TG_ARGV[0], (SELECT jsonb_agg(id) FROM (SELECT id FROM moved LIMIT 101) AS listed), 100);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "hosts_inserted" AFTER INSERT ON "hosts" REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION notify_hosts('host_created');
CREATE OR REPLACE TRIGGER "hosts_updated" AFTER UPDATE ON "hosts" REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION notify_hosts('host_changed');
CREATE OR REPLACE TRIGGER "hosts_deleted" AFTER DELETE ON "hosts" REFERENCING OLD TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION notify_hosts('host_deleted');

CREATE OR REPLACE FUNCTION "notify_host_state"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM notify_change('host_changed',
    (SELECT jsonb_agg(host_id) FROM (SELECT host_id FROM moved LIMIT 101) AS listed), 100);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "host_state_updated" AFTER UPDATE ON "host_state" REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION notify_host_state();

CREATE OR REPLACE FUNCTION "notify_patch_rhythms"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM notify_change('host_changed', (SELECT jsonb_agg(host_id) FROM (
    SELECT n.host_id FROM after_it n JOIN before_it o USING (host_id)
    WHERE n.overdue_at IS DISTINCT FROM o.overdue_at LIMIT 101) AS listed), 100);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "patch_rhythms_updated" AFTER UPDATE ON "patch_rhythms"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_patch_rhythms();

-- When a host is due next changes with every pull and is nobody's news.
CREATE OR REPLACE FUNCTION "notify_ssh_targets"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM notify_change('host_changed', (SELECT jsonb_agg(host_id) FROM (
    SELECT n.host_id FROM after_it n JOIN before_it o USING (host_id)
    WHERE (n."user", n.port, n.frequency_minutes, n.pull_paused, n.key_pair_id, n.collector_pin, n.failures,
           n.host_key_fingerprint, n.host_key_type, n.other_key_fingerprint)
      IS DISTINCT FROM
          (o."user", o.port, o.frequency_minutes, o.pull_paused, o.key_pair_id, o.collector_pin, o.failures,
           o.host_key_fingerprint, o.host_key_type, o.other_key_fingerprint)
    LIMIT 101) AS listed), 100);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "ssh_targets_updated" AFTER UPDATE ON "ssh_targets"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_ssh_targets();

CREATE OR REPLACE FUNCTION "notify_pull_jobs"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM notify_change('pull_job', (SELECT jsonb_agg(jsonb_build_object('id', id, 'host_id', host_id, 'status', status))
      FROM (SELECT id, host_id, status FROM after_it LIMIT 51) AS listed), 50);
  ELSE
    PERFORM notify_change('pull_job', (SELECT jsonb_agg(jsonb_build_object('id', id, 'host_id', host_id, 'status', status))
      FROM (SELECT n.id, n.host_id, n.status FROM after_it n JOIN before_it o USING (id)
            WHERE n.status <> o.status LIMIT 51) AS listed), 50);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "pull_jobs_inserted" AFTER INSERT ON "pull_jobs" REFERENCING NEW TABLE AS after_it
  FOR EACH STATEMENT EXECUTE FUNCTION notify_pull_jobs();
CREATE OR REPLACE TRIGGER "pull_jobs_updated" AFTER UPDATE ON "pull_jobs"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_pull_jobs();

-- Not when an upload is accepted: every commit that notifies waits for the one before, and that path must not.
CREATE OR REPLACE FUNCTION "notify_uploads"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM notify_change('upload', (SELECT jsonb_agg(jsonb_build_object('id', id, 'host_id', host_id, 'state', state))
    FROM (SELECT n.id, n.host_id, n.state FROM after_it n JOIN before_it o USING (id)
          WHERE n.state <> o.state LIMIT 51) AS listed), 50);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "uploads_updated" AFTER UPDATE ON "uploads"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_uploads();

CREATE OR REPLACE FUNCTION "notify_feeds"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM notify_change('feed', (SELECT jsonb_agg(id) FROM (
    SELECT n.id FROM after_it n JOIN before_it o USING (id)
    WHERE (n.state, n.records, n.updated_at, n.last_sync_at, n.last_error)
      IS DISTINCT FROM (o.state, o.records, o.updated_at, o.last_sync_at, o.last_error) LIMIT 101) AS listed), 100);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "feeds_updated" AFTER UPDATE ON "feeds"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_feeds();

-- Start and end of a sync and a new stage are told at once. Numbers are not: pages that show them ask for them.
CREATE OR REPLACE FUNCTION "notify_feed_syncs"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM notify_change('feed', jsonb_build_array(coalesce(NEW.feed_id, OLD.feed_id)), 100);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "feed_syncs_begun_or_ended" AFTER INSERT OR DELETE ON "feed_syncs"
  FOR EACH ROW EXECUTE FUNCTION notify_feed_syncs();
CREATE OR REPLACE TRIGGER "feed_syncs_next_stage" AFTER UPDATE ON "feed_syncs"
  FOR EACH ROW WHEN (NEW.stage <> OLD.stage) EXECUTE FUNCTION notify_feed_syncs();

-- Whose tokens ended: streams that were opened with them end too.
CREATE OR REPLACE FUNCTION "notify_users"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM notify_change('session', jsonb_build_array(OLD.id), 1);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "users_updated" AFTER UPDATE ON "users" FOR EACH ROW
  WHEN ((OLD."token_generation", OLD."disabled_at") IS DISTINCT FROM (NEW."token_generation", NEW."disabled_at"))
  EXECUTE FUNCTION notify_users();
CREATE OR REPLACE TRIGGER "users_deleted" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION notify_users();
-- Streams of a user whose rights changed, and of a key that ended, end: their clients come back with other rights.
CREATE OR REPLACE TRIGGER "users_notify_limited" AFTER UPDATE ON "users" FOR EACH ROW
  WHEN (OLD.is_limited <> NEW.is_limited OR OLD.tags <> NEW.tags)
  EXECUTE FUNCTION notify_users();
CREATE OR REPLACE TRIGGER "api_keys_notify" AFTER DELETE ON "api_keys" FOR EACH ROW
  EXECUTE FUNCTION notify_users();

-- Event streams of a session end with it. Sessions that are over have none.
CREATE OR REPLACE FUNCTION "notify_sessions"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM notify_change('session', jsonb_build_array(OLD.id), 1);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "sessions_deleted" AFTER DELETE ON "sessions" FOR EACH ROW
  WHEN (OLD."ends_at" > now() AND (OLD."idle_ends_at" IS NULL OR OLD."idle_ends_at" > now()))
  EXECUTE FUNCTION notify_sessions();
