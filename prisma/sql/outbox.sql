-- Events to notify of: triggers write them in the transaction of their cause.

-- Adds a row to the outbox, in the transaction of its cause; nothing without a route that wants to hear of anything. With
-- the rights of the owner: apps cannot read or change the outbox, and triggers write it in whichever app's transaction.
CREATE OR REPLACE FUNCTION "add_notification_event"("event" text, "subject" text, "host_ids" uuid[], "data" jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO public.notification_events (event, subject, host_ids, data)
  SELECT $1, $2, $3, $4 WHERE EXISTS (SELECT FROM public.notification_routes WHERE paused_at IS NULL)
$$;
REVOKE ALL ON FUNCTION "add_notification_event"(text, text, uuid[], jsonb) FROM PUBLIC;

CREATE OR REPLACE FUNCTION "tell_new_hosts"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE enrolled uuid[]; pending uuid[];
BEGIN
  SELECT array_agg(id) FILTER (WHERE approval_status = 'approved'), array_agg(id) FILTER (WHERE approval_status = 'pending')
    INTO enrolled, pending FROM added WHERE onboarding_mode = 'agent';
  IF enrolled IS NOT NULL THEN PERFORM public.add_notification_event('host.enrolled', '', enrolled, '{}'); END IF;
  IF pending IS NOT NULL THEN PERFORM public.add_notification_event('host.pending', '', pending, '{}'); END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "hosts_told" AFTER INSERT ON "hosts" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_new_hosts();

-- Three failures in a row, as for the status "unreachable"; a key that is not the pinned one, once per key.
CREATE OR REPLACE FUNCTION "tell_pulls"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE OR REPLACE TRIGGER "ssh_targets_told" AFTER UPDATE ON "ssh_targets"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION tell_pulls();

CREATE OR REPLACE FUNCTION "tell_failed_feed"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM public.add_notification_event('feed.failed', NEW.id, '{}',
    jsonb_build_object('error', NEW.last_error, 'cause', NEW.last_error_cause));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "feeds_told" AFTER UPDATE ON "feeds" FOR EACH ROW
  WHEN (NEW."consecutive_failures" > 0 AND OLD."consecutive_failures" = 0) EXECUTE FUNCTION tell_failed_feed();

-- What opened and closed is in two ledgers: the outbox has one row for each of their transactions.
CREATE OR REPLACE FUNCTION "tell_knowledge"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM public.add_notification_event('ledger.knowledge', NEW.id::text, '{}', '{}');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "knowledge_changes_told" AFTER UPDATE ON "knowledge_changes" FOR EACH ROW
  WHEN (NEW."counted" AND NOT OLD."counted") EXECUTE FUNCTION tell_knowledge();

-- Of a host's first snapshot only what is known to be exploited is told, so the rows say which are first ones.
CREATE OR REPLACE FUNCTION "tell_host_changes"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE ids uuid[]; items jsonb;
BEGIN
  SELECT array_agg(host_id), jsonb_agg(sequence) INTO ids, items FROM added WHERE length(opened) > 0;
  IF ids IS NOT NULL THEN
    PERFORM public.add_notification_event('ledger.hosts', '', ids, jsonb_build_object('sequences', items));
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "host_changes_told" AFTER INSERT ON "host_changes" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_host_changes();

-- An account that has to wait after too many failed sign-ins; once an hour. Accounts are stored as hashes of their
-- address, and those that do not exist are not told.
CREATE OR REPLACE FUNCTION "tell_lockout"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE OR REPLACE TRIGGER "rate_limits_told" AFTER INSERT OR UPDATE ON "rate_limits" FOR EACH ROW
  WHEN (NEW."key" LIKE 'login-wait:%') EXECUTE FUNCTION tell_lockout();
