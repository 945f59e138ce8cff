-- The chain of audit events.

-- Gives events a position and a hash, oldest first: SHA-256 of the previous hash in hexadecimal, a line feed, and the
-- event as text. Callers wait for each other. The same text is in packages/db/src/people/audit-chain.ts. Answers how many.
CREATE OR REPLACE FUNCTION "seal_audit_events"("most" int) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET "TimeZone" = 'UTC' AS $$
DECLARE
  chain public.audit_chain;
  event record;
  sealed bigint := 0;
BEGIN
  SELECT * INTO STRICT chain FROM public.audit_chain FOR UPDATE;
  FOR event IN
    SELECT e.id, jsonb_build_object(
      'id', e.id, 'at', to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'action', e.action, 'actor_kind', e.actor_kind,
      'actor_id', e.actor_id, 'actor_name', e.actor_name, 'ip_address', e.ip_address, 'request_id', e.request_id,
      'target_kind', e.target_kind, 'target_id', e.target_id, 'target_name', e.target_name, 'details', e.details
    )::text AS text
    FROM public.audit_events e WHERE e.position IS NULL ORDER BY e.at, e.id LIMIT most
  LOOP
    chain.head_position := chain.head_position + 1;
    chain.head_hash := sha256(convert_to(encode(chain.head_hash, 'hex') || E'\n' || event.text, 'UTF8'));
    UPDATE public.audit_events SET position = chain.head_position, hash = chain.head_hash WHERE id = event.id;
    sealed := sealed + 1;
  END LOOP;
  IF sealed > 0 THEN
    UPDATE public.audit_chain SET head_position = chain.head_position, head_hash = chain.head_hash;
  END IF;
  RETURN sealed;
END $$;
REVOKE ALL ON FUNCTION "seal_audit_events"(int) FROM PUBLIC;

-- Drops the beginning of the chain: at most `most` events, up to the first that is not older than `before`; never one of
-- the last day, and none without a position. The chain keeps the hash of the last dropped event, and an event of its own
-- says so. Answers how many.
CREATE OR REPLACE FUNCTION "drop_audit_events"("before" timestamptz, "most" int) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  chain public.audit_chain;
  event record;
  dropped bigint := 0;
BEGIN
  SELECT * INTO STRICT chain FROM public.audit_chain FOR UPDATE;
  FOR event IN
    SELECT e.position, e.hash, e.at FROM public.audit_events e
    WHERE e.position >= chain.first_position ORDER BY e.position LIMIT most
  LOOP
    EXIT WHEN event.at >= least($1, now() - interval '1 day') OR event.position <> chain.first_position;
    chain.first_position := event.position + 1;
    chain.first_previous := event.hash;
    dropped := dropped + 1;
  END LOOP;
  IF dropped = 0 THEN RETURN 0; END IF;
  DELETE FROM public.audit_events WHERE position < chain.first_position;
  UPDATE public.audit_chain SET first_position = chain.first_position, first_previous = chain.first_previous;
  INSERT INTO public.audit_events (id, action, actor_kind, actor_name, details) VALUES (
    -- A UUID of version 7 (RFC 9562), so that ids sort by time.
    encode(set_byte(substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
      || substring(uuid_send(gen_random_uuid()) FROM 7), 6,
      (get_byte(uuid_send(gen_random_uuid()), 6) & 15) | 112), 'hex')::uuid,
    'audit.dropped', 'system', 'retention',
    jsonb_build_object('events', dropped, 'through_position', chain.first_position - 1,
      'through_hash', encode(chain.first_previous, 'hex')));
  RETURN dropped;
END $$;
REVOKE ALL ON FUNCTION "drop_audit_events"(timestamptz, int) FROM PUBLIC;
