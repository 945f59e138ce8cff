-- AlterTable
ALTER TABLE "users" ADD COLUMN "last_login_at" TIMESTAMPTZ(3);

-- AlterTable: what was about hosts alone is about anything.
ALTER TABLE "audit_events" RENAME COLUMN "host_name" TO "target_name";
ALTER TABLE "audit_events"
  ADD COLUMN "actor_kind" TEXT,
  ADD COLUMN "request_id" TEXT,
  ADD COLUMN "target_kind" TEXT,
  ADD COLUMN "target_id" TEXT;
UPDATE "audit_events" SET
  "actor_kind" = CASE WHEN "actor_id" IS NULL THEN 'system' ELSE 'user' END,
  "target_kind" = CASE WHEN "host_id" IS NOT NULL THEN 'host' END,
  "target_id" = "host_id"::text;
ALTER TABLE "audit_events" ALTER COLUMN "actor_kind" SET NOT NULL, DROP COLUMN "host_id";

-- CreateIndex
CREATE INDEX "audit_events_at_idx" ON "audit_events"("at");

-- CreateIndex
CREATE INDEX "audit_events_actor_id_id_idx" ON "audit_events"("actor_id", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_target_id_id_idx" ON "audit_events"("target_id", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_action_at_idx" ON "audit_events"("action", "at" DESC);

-- CreateTable
CREATE TABLE "instances" (
    "id" UUID NOT NULL,
    "app" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instances_pkey" PRIMARY KEY ("id")
);

-- Written by hand: what the schema file cannot say.

-- What failed lately is counted on a page.
CREATE INDEX "uploads_rejected" ON "uploads" ("ended_at") WHERE "state" = 'rejected';
CREATE INDEX "pull_jobs_failed" ON "pull_jobs" ("finished_at") WHERE "status" = 'failed';

-- Transactions tell what they changed, on one channel, when they commit. Said once per statement, with the first ids;
-- with none, it was more than a list is good for. A payload has 8,000 bytes at most.
CREATE FUNCTION "notify_change"("kind" text, "items" jsonb, "most" int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF items IS NULL THEN RETURN; END IF;
  PERFORM pg_notify('plimsoll_changes', jsonb_build_object(
    'kind', kind, 'items', CASE WHEN jsonb_array_length(items) <= most THEN items END)::text);
END $$;

CREATE FUNCTION "notify_hosts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change(TG_ARGV[0], (SELECT jsonb_agg(id) FROM (SELECT id FROM moved LIMIT 101) AS listed), 100);
  RETURN NULL;
END $$;
CREATE TRIGGER "hosts_inserted" AFTER INSERT ON "hosts" REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION notify_hosts('host_created');
CREATE TRIGGER "hosts_updated" AFTER UPDATE ON "hosts" REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION notify_hosts('host_changed');
CREATE TRIGGER "hosts_deleted" AFTER DELETE ON "hosts" REFERENCING OLD TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION notify_hosts('host_deleted');

CREATE FUNCTION "notify_host_state"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change('host_changed',
    (SELECT jsonb_agg(host_id) FROM (SELECT host_id FROM moved LIMIT 101) AS listed), 100);
  RETURN NULL;
END $$;
CREATE TRIGGER "host_state_updated" AFTER UPDATE ON "host_state" REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION notify_host_state();

-- When a host is due next changes with every pull and is nobody's news.
CREATE FUNCTION "notify_ssh_targets"() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER "ssh_targets_updated" AFTER UPDATE ON "ssh_targets"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_ssh_targets();

CREATE FUNCTION "notify_pull_jobs"() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER "pull_jobs_inserted" AFTER INSERT ON "pull_jobs" REFERENCING NEW TABLE AS after_it
  FOR EACH STATEMENT EXECUTE FUNCTION notify_pull_jobs();
CREATE TRIGGER "pull_jobs_updated" AFTER UPDATE ON "pull_jobs"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_pull_jobs();

-- Not when an upload is accepted: every commit that notifies waits for the one before, and that path must not.
CREATE FUNCTION "notify_uploads"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change('upload', (SELECT jsonb_agg(jsonb_build_object('id', id, 'host_id', host_id, 'state', state))
    FROM (SELECT n.id, n.host_id, n.state FROM after_it n JOIN before_it o USING (id)
          WHERE n.state <> o.state LIMIT 51) AS listed), 50);
  RETURN NULL;
END $$;
CREATE TRIGGER "uploads_updated" AFTER UPDATE ON "uploads"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_uploads();

CREATE FUNCTION "notify_feeds"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change('feed', (SELECT jsonb_agg(id) FROM (
    SELECT n.id FROM after_it n JOIN before_it o USING (id)
    WHERE (n.state, n.records, n.updated_at, n.last_sync_at, n.last_error)
      IS DISTINCT FROM (o.state, o.records, o.updated_at, o.last_sync_at, o.last_error) LIMIT 101) AS listed), 100);
  RETURN NULL;
END $$;
CREATE TRIGGER "feeds_updated" AFTER UPDATE ON "feeds"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION notify_feeds();

-- Whose tokens ended: streams that were opened with them end too.
CREATE FUNCTION "notify_users"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change('session', jsonb_build_array(OLD.id), 1);
  RETURN NULL;
END $$;
CREATE TRIGGER "users_updated" AFTER UPDATE ON "users" FOR EACH ROW
  WHEN ((OLD."token_generation", OLD."disabled_at") IS DISTINCT FROM (NEW."token_generation", NEW."disabled_at"))
  EXECUTE FUNCTION notify_users();
CREATE TRIGGER "users_deleted" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION notify_users();

CREATE FUNCTION "notify_revoked_tokens"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_change('session', jsonb_build_array(NEW.jti), 1);
  RETURN NULL;
END $$;
CREATE TRIGGER "revoked_tokens_inserted" AFTER INSERT ON "revoked_tokens"
  FOR EACH ROW EXECUTE FUNCTION notify_revoked_tokens();
