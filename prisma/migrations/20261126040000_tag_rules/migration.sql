-- The tags of a host are those that were set by hand, and those that rules give it.
ALTER TABLE "hosts" ADD COLUMN "set_tags" TEXT[] DEFAULT ARRAY[]::TEXT[];
UPDATE "hosts" SET "set_tags" = "tags" WHERE "tags" <> '{}';

-- Whether a rule that gives tags applies to a host. A host states its name, system and address itself: without
-- "trust_hosts" only names count that users gave or approved.
CREATE FUNCTION "tag_rule_applies"("rule" jsonb, "host" "hosts", "os_name" text, "os_version" text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    ("rule" @> '{"trust_hosts": true}' OR "host"."approval_status" <> 'pending' OR NOT "rule" ? 'name')
    AND (NOT "rule" ? 'registration_token' OR "host"."registration_token_id"::text = "rule"->>'registration_token')
    AND (NOT "rule" ? 'name' OR "host"."display_name" ILIKE ("rule"->>'name_like')
      OR ("rule" @> '{"trust_hosts": true}' OR "host"."onboarding_mode" <> 'agent')
         AND "host"."hostname" ILIKE ("rule"->>'name_like'))
    AND (NOT "rule" ? 'os' OR "os_name" = split_part("rule"->>'os', ':', 1)
      AND (split_part("rule"->>'os', ':', 2) IN ('', "os_version")
        OR starts_with("os_version", split_part("rule"->>'os', ':', 2) || '.')))
    AND (NOT "rule" ? 'address' OR CASE WHEN pg_input_is_valid("host"."ip_address", 'inet')
      THEN "host"."ip_address"::inet <<= ("rule"->>'address')::inet ELSE false END), false)
$$;

-- The tags that the rules in force give a host beside those that were set by hand, sorted.
CREATE FUNCTION "tags_by_rule"("host" "hosts", "os_name" text, "os_version" text) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT ARRAY(
    SELECT DISTINCT t.tag COLLATE "C" FROM policies p, jsonb_array_elements(p.document->'rules') AS r (rule),
      jsonb_array_elements_text(r.rule->'tags') AS t (tag)
    WHERE p.name = 'tags' AND t.tag <> ALL ("host"."set_tags")
      AND tag_rule_applies(r.rule, "host", "os_name", "os_version") ORDER BY 1)
$$;

-- Derives the tags and the exposure of a host wherever what they depend on changes. Whatever writes "tags" itself sets them
-- by hand. The exposure is what an operator set, else the first rule for one of its tags, else what its registration
-- token stated. A change of either rules waits for this lock.
DROP TRIGGER "hosts_exposure" ON "hosts";
DROP FUNCTION "set_host_exposure"();
CREATE FUNCTION "derive_host"() RETURNS trigger
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
CREATE TRIGGER "hosts_derived" BEFORE INSERT OR UPDATE OF "tags", "set_tags", "set_exposure", "enrolled_exposure",
  "display_name", "hostname", "ip_address", "approval_status", "registration_token_id" ON "hosts"
  FOR EACH ROW EXECUTE FUNCTION derive_host();

-- The system of a host is in another table.
CREATE FUNCTION "derive_host_of_system"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('exposure rules', 0));
  IF EXISTS (SELECT FROM policies WHERE name = 'tags' AND jsonb_path_exists(document, '$.rules[*].os')) THEN
    UPDATE hosts SET set_tags = set_tags WHERE id = NEW.host_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "host_state_added" AFTER INSERT ON "host_state"
  FOR EACH ROW WHEN (NEW."os_name" <> '') EXECUTE FUNCTION derive_host_of_system();
CREATE TRIGGER "host_state_system" AFTER UPDATE OF "os_name", "os_version" ON "host_state"
  FOR EACH ROW WHEN ((OLD."os_name", OLD."os_version") IS DISTINCT FROM (NEW."os_name", NEW."os_version"))
  EXECUTE FUNCTION derive_host_of_system();

-- Hosts whose tags changed by a rule are counted again if counts depend on tags; whoever changes tags by hand does it.
CREATE FUNCTION "recount_retagged_hosts"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  retagged uuid[];
BEGIN
  SELECT array_agg(n.id ORDER BY n.id) INTO retagged
    FROM after_it n JOIN before_it o USING (id) JOIN host_state s ON s.host_id = n.id
    WHERE n.tags IS DISTINCT FROM o.tags AND n.set_tags = o.set_tags AND s.snapshot_id IS NOT NULL;
  IF retagged IS NOT NULL AND (
    EXISTS (SELECT FROM policies WHERE name = 'due_dates')
    OR EXISTS (SELECT FROM waivers WHERE ended_at IS NULL AND tags <> '{}')) THEN
    INSERT INTO recount_pieces (hosts) VALUES (retagged);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "hosts_retagged" AFTER UPDATE ON "hosts"
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it
  FOR EACH STATEMENT EXECUTE FUNCTION recount_retagged_hosts();
