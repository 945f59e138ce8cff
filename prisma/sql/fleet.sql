-- What is derived of hosts, and hosts as the API shows them.

-- Whether a rule that gives tags applies to a host. A host states its name, system and address itself: without
-- "trust_hosts" only names count that users gave or approved.
CREATE OR REPLACE FUNCTION "tag_rule_applies"("rule" jsonb, "host" "hosts", "os_name" text, "os_version" text) RETURNS boolean
LANGUAGE sql STABLE
RETURN coalesce(
  ("rule" @> '{"trust_hosts": true}' OR "host"."approval_status" <> 'pending' OR NOT "rule" ? 'name')
  AND (NOT "rule" ? 'registration_token' OR "host"."registration_token_id"::text = "rule"->>'registration_token')
  AND (NOT "rule" ? 'name' OR "host"."display_name" ILIKE ("rule"->>'name_like')
    OR ("rule" @> '{"trust_hosts": true}' OR "host"."onboarding_mode" <> 'agent')
       AND "host"."hostname" ILIKE ("rule"->>'name_like'))
  AND (NOT "rule" ? 'os' OR "os_name" = split_part("rule"->>'os', ':', 1)
    AND (split_part("rule"->>'os', ':', 2) IN ('', "os_version")
      OR starts_with("os_version", split_part("rule"->>'os', ':', 2) || '.')))
  AND (NOT "rule" ? 'address' OR CASE WHEN pg_input_is_valid("host"."ip_address", 'inet')
    THEN "host"."ip_address"::inet <<= ("rule"->>'address')::inet ELSE false END), false);

-- The tags that the rules in force give a host beside those that were set by hand, sorted.
CREATE OR REPLACE FUNCTION "tags_by_rule"("host" "hosts", "os_name" text, "os_version" text) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT ARRAY(
    SELECT DISTINCT t.tag COLLATE "C" FROM policies p, jsonb_array_elements(p.document->'rules') AS r (rule),
      jsonb_array_elements_text(r.rule->'tags') AS t (tag)
    WHERE p.name = 'tags' AND t.tag <> ALL ("host"."set_tags")
      AND tag_rule_applies(r.rule, "host", "os_name", "os_version") ORDER BY 1)
$$;

CREATE OR REPLACE FUNCTION "derive_host"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  system record;
  ruled text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('exposure rules', 0));
  IF TG_OP = 'INSERT' THEN
    NEW.set_tags := NEW.tags;
  ELSIF NEW.tags IS DISTINCT FROM OLD.tags AND NEW.set_tags IS NOT DISTINCT FROM OLD.set_tags THEN
    NEW.set_tags := NEW.tags;
  END IF;
  NEW.tags := NEW.set_tags;
  IF EXISTS (SELECT FROM policies WHERE name = 'tags') THEN
    SELECT s.os_name, s.os_version INTO system FROM host_state s WHERE s.host_id = NEW.id;
    NEW.tags := NEW.set_tags || tags_by_rule(NEW, coalesce(system.os_name, ''), coalesce(system.os_version, ''));
  END IF;
  SELECT r.rule->>'exposure' INTO ruled
    FROM policies p, jsonb_array_elements(p.document->'rules') WITH ORDINALITY AS r (rule, n)
    WHERE p.name = 'exposure' AND r.rule->>'tag' = ANY(NEW.tags) ORDER BY r.n LIMIT 1;
  NEW.exposure := coalesce(NEW.set_exposure, ruled, NEW.enrolled_exposure, 'unknown');
  NEW.exposure_source := CASE
    WHEN NEW.set_exposure IS NOT NULL THEN 'operator'
    WHEN ruled IS NOT NULL THEN 'tag_rule'
    WHEN NEW.enrolled_exposure IS NOT NULL THEN 'registration_token' END;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER "hosts_derived" BEFORE INSERT OR UPDATE OF "tags", "set_tags", "set_exposure", "enrolled_exposure",
  "display_name", "hostname", "ip_address", "approval_status", "registration_token_id" ON "hosts"
  FOR EACH ROW EXECUTE FUNCTION derive_host();

-- The system of a host is in another table.
CREATE OR REPLACE FUNCTION "derive_host_of_system"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('exposure rules', 0));
  IF EXISTS (SELECT FROM policies WHERE name = 'tags' AND jsonb_path_exists(document, '$.rules[*].os')) THEN
    UPDATE hosts SET set_tags = set_tags WHERE id = NEW.host_id;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "host_state_added" AFTER INSERT ON "host_state"
  FOR EACH ROW WHEN (NEW."os_name" <> '') EXECUTE FUNCTION derive_host_of_system();
CREATE OR REPLACE TRIGGER "host_state_system" AFTER UPDATE OF "os_name", "os_version" ON "host_state"
  FOR EACH ROW WHEN ((OLD."os_name", OLD."os_version") IS DISTINCT FROM (NEW."os_name", NEW."os_version"))
  EXECUTE FUNCTION derive_host_of_system();

-- Turns the newest snapshots of hosts into uploads again, to be read under the rules of now, and returns their number. A newer
-- upload of the host that waits will be anyway; one was matched if the state has another snapshot by now.
CREATE OR REPLACE FUNCTION "resubmit_snapshots"("snapshot_ids" uuid[]) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  resubmitted integer;
BEGIN
  -- Lock order: hosts, then their contacts, ids ascending.
  PERFORM 1 FROM hosts WHERE id IN (SELECT host_id FROM snapshots WHERE id = ANY(snapshot_ids)) ORDER BY id FOR KEY SHARE;
  PERFORM 1 FROM host_contacts WHERE host_id IN (SELECT host_id FROM snapshots WHERE id = ANY(snapshot_ids))
    ORDER BY host_id FOR UPDATE;
  WITH again AS (
    SELECT s.host_id, s.source, s.payload, coalesce(s.reported_at, s.received_at) AS reported_at, c.content_hash, s.payload_sha256
    FROM snapshots s JOIN host_contacts c ON c.host_id = s.host_id
      JOIN host_state hs ON hs.host_id = s.host_id AND hs.snapshot_id = s.id
    WHERE s.id = ANY(snapshot_ids)
      AND NOT EXISTS (SELECT FROM uploads u WHERE u.host_id = s.host_id AND u.sequence > s.sequence
                        AND u.state IN ('received', 'parsed'))),
  contact AS (
    UPDATE host_contacts c SET sequence = c.sequence + 1 FROM again WHERE c.host_id = again.host_id
    RETURNING c.host_id, c.sequence)
  INSERT INTO uploads (id, host_id, door, sequence, payload_kind, body, content_hash, state, received_at, reported_at)
  SELECT gen_random_uuid(), a.host_id, a.source, c.sequence, 'protobuf', a.payload,
         coalesce(a.content_hash, a.payload_sha256), 'received', clock_timestamp(), a.reported_at
  FROM again a JOIN contact c USING (host_id);
  GET DIAGNOSTICS resubmitted = ROW_COUNT;
  RETURN resubmitted;
END $$;

-- What could not be taken in or sent, with the reason and what can be done. Text columns, because feeds have no uuid.
CREATE OR REPLACE VIEW "quarantine" AS
  SELECT 'upload' AS kind, u.id::text AS id, u.ended_at AS at, u.error_code AS reason, coalesce(u.errors -> 0 ->> 'detail', '') AS detail,
         u.host_id, h.display_name AS name,
         CASE WHEN u.body IS NULL THEN 'bytes_deleted'
              -- A newer report was read, or the host confirmed other content since.
              WHEN EXISTS (SELECT FROM snapshots s WHERE s.host_id = u.host_id AND s.sequence > u.sequence)
                OR EXISTS (SELECT FROM uploads n WHERE n.host_id = u.host_id AND n.sequence > u.sequence AND n.state = 'received')
                OR c.last_confirmed_at > u.received_at AND c.content_hash IS DISTINCT FROM u.content_hash THEN 'overtaken'
              ELSE 'possible' END AS retry
  FROM uploads u JOIN hosts h ON h.id = u.host_id JOIN host_contacts c ON c.host_id = u.host_id
  WHERE u.state = 'rejected' AND u.refusals = 0 AND (u.body IS NOT NULL OR u.error_code = 'internal') AND h.approval_status <> 'retired'
  UNION ALL
  SELECT 'feed_record', id, rejected_at, 'unreadable', rejected_records || ' records: ' || coalesce(rejected_errors -> 0 ->> 'detail', ''),
         NULL, id, 'with_next_sync'
  FROM feeds WHERE rejected_records > 0
  UNION ALL
  SELECT 'feed_record', i.id::text, i.finished_at, 'unreadable',
         i.records_rejected || ' records: ' || coalesce(i.errors -> 0 ->> 'detail', ''), NULL, i.format, 'impossible'
  FROM feed_imports i WHERE i.state = 'done' AND i.records_rejected > 0 AND NOT EXISTS (
    SELECT FROM feed_imports n WHERE n.state = 'done' AND n.format = i.format AND n.release = i.release AND n.finished_at > i.finished_at)
  UNION ALL
  SELECT 'notification', id::text, ended_at, event, coalesce(end_reason, ''), NULL, channel_name,
         CASE WHEN channel_id IS NULL OR event IN ('test', 'confirmation') THEN 'impossible' ELSE 'possible' END
  FROM notification_deliveries WHERE state = 'failed'
  UNION ALL
  SELECT 'notification', id::text, failed_at, event, coalesce(error, ''), NULL, 'events', 'possible'
  FROM notification_events WHERE taken_at IS NULL AND failed_at IS NOT NULL;

-- Lets rejected uploads be parsed once more, under the numbers they have, and returns the ids of those for which that is possible.
CREATE OR REPLACE FUNCTION "retry_uploads"("ids" uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- Lock order: hosts, then their contacts, ids ascending.
  PERFORM 1 FROM hosts WHERE id IN (SELECT host_id FROM uploads WHERE id = ANY(ids)) ORDER BY id FOR KEY SHARE;
  PERFORM 1 FROM host_contacts WHERE host_id IN (SELECT host_id FROM uploads WHERE id = ANY(ids)) ORDER BY host_id FOR UPDATE;
  RETURN QUERY
  WITH again AS (
    -- One failure ends it again, and five starts that end the worker; alone: packages/pipeline/src/parse/report-parser.ts.
    UPDATE uploads u SET state = 'received', error_code = NULL, errors = NULL, ended_at = NULL, attempts = 20, parse_after = NULL
    WHERE u.id = ANY(ids) AND u.state = 'rejected'
      AND u.id::text IN (SELECT q.id FROM quarantine q WHERE q.kind = 'upload' AND q.retry = 'possible')
    RETURNING u.id, u.host_id, u.content_hash),
  contact AS (
    UPDATE host_contacts c SET last_upload_id = a.id, content_hash = a.content_hash FROM again a WHERE c.host_id = a.host_id)
  SELECT a.id FROM again a;
END $$;

-- The same of those that another build rejected as `internal`, with an audit event of the given id; returns their number.
CREATE OR REPLACE FUNCTION "retry_uploads_of_other_builds"("build" text, "event" uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  retried bigint;
BEGIN
  SELECT count(*) INTO retried FROM retry_uploads(ARRAY(SELECT id FROM uploads
    WHERE state = 'rejected' AND error_code = 'internal' AND rejected_by IS DISTINCT FROM build));
  IF retried > 0 THEN
    INSERT INTO audit_events (id, action, actor_kind, actor_name, details)
    VALUES (event, 'upload.retried', 'system', 'report-worker',
            jsonb_build_object('uploads', retried, 'reason', 'internal', 'ids', '[]'::jsonb));
  END IF;
  RETURN retried;
END $$;

-- EXECUTE plans the statement each time, by the number of changed hosts. A plan that was kept from a change of one host compares
-- each old row with each new one: of 100,000 hosts at once it took many minutes.
CREATE OR REPLACE FUNCTION "recount_retagged_hosts"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  retagged uuid[];
BEGIN
  EXECUTE 'SELECT array_agg(n.id ORDER BY n.id)
    FROM after_it n JOIN before_it o USING (id) JOIN host_state s ON s.host_id = n.id
    WHERE n.tags IS DISTINCT FROM o.tags AND n.set_tags = o.set_tags AND s.snapshot_id IS NOT NULL' INTO retagged;
  IF retagged IS NOT NULL AND (
    EXISTS (SELECT FROM policies WHERE name = 'due_dates')
    OR EXISTS (SELECT FROM waivers WHERE ended_at IS NULL AND tags <> '{}')) THEN
    INSERT INTO recount_pieces (hosts) VALUES (retagged);
  END IF;
  -- Rules of origins are applied when a report is read: the newest is read again, and so is the next, even if it is the same.
  IF EXISTS (SELECT FROM policies WHERE name = 'origins' AND jsonb_path_exists(document, '$.rules[*].tags')) THEN
    EXECUTE 'SELECT array_agg(n.id) FROM after_it n JOIN before_it o USING (id) WHERE EXISTS (
      SELECT FROM policies p, jsonb_path_query(p.document, ''$.rules[*].tags[*]'') AS r (tag)
      WHERE p.name = ''origins'' AND (r.tag #>> ''{}'' = ANY(n.tags)) <> (r.tag #>> ''{}'' = ANY(o.tags)))' INTO retagged;
    UPDATE host_contacts SET content_hash = NULL WHERE host_id = ANY(retagged);
    PERFORM resubmit_snapshots(ARRAY(SELECT snapshot_id FROM host_state
      WHERE host_id = ANY(retagged) AND snapshot_id IS NOT NULL));
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "hosts_retagged" AFTER UPDATE ON "hosts"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it
  FOR EACH STATEMENT EXECUTE FUNCTION recount_retagged_hosts();

CREATE OR REPLACE FUNCTION "note_approval"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.approved_at := now();
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER "hosts_approved" BEFORE UPDATE OF "approval_status" ON "hosts" FOR EACH ROW
  WHEN (NEW."approval_status" = 'approved' AND OLD."approval_status" <> 'approved')
  EXECUTE FUNCTION note_approval();

-- Tokens of retired hosts end, also those that enrol a host again; for apps that may not read tokens.
CREATE OR REPLACE FUNCTION "end_tokens_of_hosts"("hosts" uuid[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE public.host_access_tokens SET revoked_at = now() WHERE host_id = ANY($1) AND revoked_at IS NULL;
  UPDATE public.registration_tokens SET revoked_at = now() WHERE host_id = ANY($1) AND revoked_at IS NULL;
$$;

-- A package that changes version is an update. More of them on the last day learned change nothing. Rows that are due
-- already are locked all the same, so that learning waits for the changes of this transaction, or misses none.
CREATE OR REPLACE FUNCTION "note_updates"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO patch_rhythms (host_id)
  SELECT m.host_id FROM moved m LEFT JOIN patch_rhythms r ON r.host_id = m.host_id
  WHERE EXISTS (SELECT FROM unnest(m.from_ids, m.to_ids) AS c (from_id, to_id) WHERE c.from_id <> 0 AND c.to_id <> 0)
    AND (r.last_at IS NULL OR r.last_at <> date_trunc('day', m.at, 'UTC'))
  GROUP BY m.host_id
  ON CONFLICT (host_id) DO UPDATE SET due = true WHERE NOT patch_rhythms.due;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "package_changes_inserted" AFTER INSERT ON "package_changes" REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION note_updates();
