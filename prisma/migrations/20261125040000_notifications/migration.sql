-- CreateTable
CREATE TABLE "notification_events" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "n" BIGSERIAL NOT NULL,
    "event" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "host_ids" UUID[],
    "data" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "taken_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_conditions" (
    "event" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_conditions_pkey" PRIMARY KEY ("event","subject")
);

-- CreateTable
CREATE TABLE "notification_keys" (
    "key_id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_keys_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "notification_channels" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "shown_url" TEXT,
    "addresses" TEXT[],
    "sealed_url" BYTEA,
    "sealed_secret" BYTEA,
    "sealed_previous" BYTEA,
    "previous_until" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_routes" (
    "id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "events" TEXT[],
    "min_severity" TEXT,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "delay_minutes" INTEGER NOT NULL DEFAULT 0,
    "digest" JSONB,
    "quiet_hours" JSONB,
    "paused_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_routes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_deliveries" (
    "id" UUID NOT NULL,
    "channel_id" UUID,
    "route_id" UUID,
    "channel_name" TEXT NOT NULL,
    "channel_kind" TEXT NOT NULL,
    "route_name" TEXT NOT NULL,
    "is_limited" BOOLEAN NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "event" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "items" JSONB NOT NULL,
    "content" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "run_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,

    CONSTRAINT "notification_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_attempts" (
    "delivery_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "status" INTEGER,
    "error" TEXT,

    CONSTRAINT "notification_attempts_pkey" PRIMARY KEY ("delivery_id","n")
);

-- CreateIndex
CREATE UNIQUE INDEX "notification_events_n_key" ON "notification_events"("n");

-- CreateIndex
CREATE INDEX "notification_events_at_idx" ON "notification_events"("at");

-- CreateIndex
CREATE INDEX "notification_routes_channel_id_idx" ON "notification_routes"("channel_id");

-- CreateIndex
CREATE INDEX "notification_deliveries_channel_id_idx" ON "notification_deliveries"("channel_id");

-- CreateIndex
CREATE INDEX "notification_deliveries_route_id_created_at_idx" ON "notification_deliveries"("route_id", "created_at");

-- CreateIndex
CREATE INDEX "notification_deliveries_created_at_idx" ON "notification_deliveries"("created_at");

-- AddForeignKey
ALTER TABLE "notification_routes" ADD CONSTRAINT "notification_routes_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "notification_channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "notification_channels"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_route_id_fkey" FOREIGN KEY ("route_id") REFERENCES "notification_routes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_attempts" ADD CONSTRAINT "notification_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "notification_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what the schema file cannot say.

CREATE INDEX "notification_events_waiting" ON "notification_events" ("n") WHERE "taken_at" IS NULL;
CREATE INDEX "notification_deliveries_open" ON "notification_deliveries" ("next_attempt_at")
  WHERE "state" IN ('waiting', 'sending');

-- Adds a row to the outbox, in the transaction of its cause; nothing without a route that wants to hear of anything. With
-- the rights of the owner: apps cannot read or change the outbox, and triggers write it in whichever app's transaction.
CREATE FUNCTION "add_notification_event"("event" text, "subject" text, "host_ids" uuid[], "data" jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO public.notification_events (event, subject, host_ids, data)
  SELECT $1, $2, $3, $4 WHERE EXISTS (SELECT FROM public.notification_routes WHERE paused_at IS NULL)
$$;
REVOKE ALL ON FUNCTION "add_notification_event"(text, text, uuid[], jsonb) FROM PUBLIC;

CREATE FUNCTION "tell_new_hosts"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE enrolled uuid[]; pending uuid[];
BEGIN
  SELECT array_agg(id) FILTER (WHERE approval_status = 'approved'), array_agg(id) FILTER (WHERE approval_status = 'pending')
    INTO enrolled, pending FROM added WHERE onboarding_mode = 'agent';
  IF enrolled IS NOT NULL THEN PERFORM public.add_notification_event('host.enrolled', '', enrolled, '{}'); END IF;
  IF pending IS NOT NULL THEN PERFORM public.add_notification_event('host.pending', '', pending, '{}'); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "hosts_told" AFTER INSERT ON "hosts" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_new_hosts();

-- Three failures in a row, as for the status "unreachable"; a key that is not the pinned one, once per key.
CREATE FUNCTION "tell_pulls"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE failing uuid[]; changed uuid[];
BEGIN
  SELECT array_agg(n.host_id) FILTER (WHERE n.failures >= 3 AND o.failures < 3),
         array_agg(n.host_id) FILTER (WHERE n.other_key_fingerprint IS NOT NULL
                                        AND n.other_key_fingerprint IS DISTINCT FROM o.other_key_fingerprint)
    INTO failing, changed FROM after_it n JOIN before_it o USING (host_id);
  IF failing IS NOT NULL THEN PERFORM public.add_notification_event('pull.failing', '', failing, '{}'); END IF;
  IF changed IS NOT NULL THEN PERFORM public.add_notification_event('host_key.changed', '', changed, '{}'); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ssh_targets_told" AFTER UPDATE ON "ssh_targets"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION tell_pulls();

CREATE FUNCTION "tell_failed_feed"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.add_notification_event('feed.failed', NEW.id, '{}',
    jsonb_build_object('error', NEW.last_error, 'cause', NEW.last_error_cause));
  RETURN NULL;
END $$;
CREATE TRIGGER "feeds_told" AFTER UPDATE ON "feeds" FOR EACH ROW
  WHEN (NEW."consecutive_failures" > 0 AND OLD."consecutive_failures" = 0) EXECUTE FUNCTION tell_failed_feed();

-- What opened and closed is in two ledgers: the outbox has one row for each of their transactions.
CREATE FUNCTION "tell_knowledge"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.add_notification_event('ledger.knowledge', NEW.id::text, '{}', '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER "knowledge_changes_told" AFTER UPDATE ON "knowledge_changes" FOR EACH ROW
  WHEN (NEW."counted" AND NOT OLD."counted") EXECUTE FUNCTION tell_knowledge();

-- Of a host's first snapshot only what is known to be exploited is told, so the rows say which are first ones.
CREATE FUNCTION "tell_host_changes"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE ids uuid[]; items jsonb;
BEGIN
  SELECT array_agg(host_id), jsonb_agg(sequence) INTO ids, items FROM added WHERE length(opened) > 0;
  IF ids IS NOT NULL THEN
    PERFORM public.add_notification_event('ledger.hosts', '', ids, jsonb_build_object('sequences', items));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "host_changes_told" AFTER INSERT ON "host_changes" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_host_changes();

-- An account that has to wait after too many failed sign-ins; once an hour. Accounts are stored as hashes of their
-- address, and those that do not exist are not told.
CREATE FUNCTION "tell_lockout"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE account record;
BEGIN
  SELECT id, email INTO account FROM public.users
   WHERE rtrim(translate(encode(sha256(convert_to(email, 'UTF8')), 'base64'), '+/', '-_'), '=') = split_part(NEW.key, ':', 2);
  IF FOUND AND NOT EXISTS (SELECT FROM public.notification_events
      WHERE event = 'auth.lockout' AND subject = account.id::text AND at > now() - interval '1 hour') THEN
    PERFORM public.add_notification_event('auth.lockout', account.id::text, '{}', jsonb_build_object('email', account.email));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "rate_limits_told" AFTER INSERT OR UPDATE ON "rate_limits" FOR EACH ROW
  WHEN (NEW."key" LIKE 'login-wait:%') EXECUTE FUNCTION tell_lockout();
