-- Which hosts are to be judged again, because a fact changed outside of host_state (packages/db/src/fleet/hosts/judge-due.ts).

-- A fact is noted only where it can change a judgement: a contact that keeps an active host active is not. The passing of
-- time needs no note: judged_until is before every deadline of the facts that were read. A time that moves on is noted if its
-- deadline has passed or is near: until the change is committed, another transaction can judge by the old one.
CREATE OR REPLACE FUNCTION "note_host_to_judge"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO judgements_due (host_id) VALUES (NEW.host_id);
  RETURN NULL;
END $$;

-- A report that people brought is as old as it says: both times count.
CREATE OR REPLACE TRIGGER "host_contacts_to_judge" AFTER UPDATE ON "host_contacts" FOR EACH ROW WHEN (
  OLD."repositories_state" <> NEW."repositories_state"
  OR (OLD."repository_error" = '') <> (NEW."repository_error" = '')
  OR OLD."stale_after_seconds" <> NEW."stale_after_seconds"
  OR (OLD."repositories_valid_until" IS DISTINCT FROM NEW."repositories_valid_until"
    AND (OLD."repositories_valid_until" IS NULL
      OR NEW."repositories_valid_until" < OLD."repositories_valid_until"
      OR OLD."repositories_valid_until" < clock_timestamp() + interval '1 hour'))
  OR ((OLD."last_confirmed_at", OLD."collected_at") IS DISTINCT FROM (NEW."last_confirmed_at", NEW."collected_at")
    AND ((OLD."last_confirmed_at" IS NULL) <> (NEW."last_confirmed_at" IS NULL)
      OR (OLD."collected_at" IS NULL) <> (NEW."collected_at" IS NULL)
      OR NEW."last_confirmed_at" < OLD."last_confirmed_at"
      OR NEW."collected_at" < OLD."collected_at"
      OR least(OLD."last_confirmed_at", OLD."collected_at") + make_interval(secs => OLD."stale_after_seconds")
        < clock_timestamp() + interval '5 minutes'))
  OR (OLD."lists_at" IS NULL) <> (NEW."lists_at" IS NULL)
  OR (OLD."lists_at" < OLD."last_confirmed_at" - interval '168 hours')
    IS DISTINCT FROM (NEW."lists_at" < NEW."last_confirmed_at" - interval '168 hours')
  OR (OLD."lists_at" < least(OLD."last_confirmed_at", OLD."collected_at") - interval '168 hours')
    IS DISTINCT FROM (NEW."lists_at" < least(NEW."last_confirmed_at", NEW."collected_at") - interval '168 hours'))
  EXECUTE FUNCTION note_host_to_judge();

CREATE OR REPLACE TRIGGER "patch_rhythms_to_judge" AFTER UPDATE ON "patch_rhythms" FOR EACH ROW
  WHEN (OLD."overdue_at" IS DISTINCT FROM NEW."overdue_at") EXECUTE FUNCTION note_host_to_judge();

CREATE OR REPLACE FUNCTION "note_itself_to_judge"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO judgements_due (host_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "hosts_to_judge" AFTER UPDATE OF "approval_status" ON "hosts" FOR EACH ROW
  WHEN (OLD."approval_status" <> NEW."approval_status") EXECUTE FUNCTION note_itself_to_judge();

CREATE OR REPLACE TRIGGER "ssh_targets_to_judge" AFTER UPDATE OF "failures", "first_pulled_at" ON "ssh_targets" FOR EACH ROW WHEN (
  (OLD."failures" >= 3 AND OLD."first_pulled_at" IS NOT NULL) <> (NEW."failures" >= 3 AND NEW."first_pulled_at" IS NOT NULL))
  EXECUTE FUNCTION note_host_to_judge();

CREATE OR REPLACE FUNCTION "note_release_to_judge"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO judgements_due (release_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "releases_to_judge" AFTER UPDATE ON "releases" FOR EACH ROW WHEN (
  (OLD."feed_id", OLD."covered", OLD."lists_unfixed", OLD."ends_at")
    IS DISTINCT FROM (NEW."feed_id", NEW."covered", NEW."lists_unfixed", NEW."ends_at"))
  EXECUTE FUNCTION note_release_to_judge();

CREATE OR REPLACE FUNCTION "note_feed_to_judge"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO judgements_due (release_id) SELECT id FROM releases WHERE feed_id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "feeds_to_judge" AFTER UPDATE ON "feeds" FOR EACH ROW WHEN (
  OLD."stale_after_seconds" <> NEW."stale_after_seconds"
  OR (OLD."updated_at" IS DISTINCT FROM NEW."updated_at" AND (OLD."updated_at" IS NULL
    OR coalesce(NEW."updated_at", '-infinity') < OLD."updated_at"
    OR OLD."updated_at" + make_interval(secs => OLD."stale_after_seconds") < clock_timestamp() + interval '1 hour')))
  EXECUTE FUNCTION note_feed_to_judge();

CREATE OR REPLACE FUNCTION "note_release_of_feed_to_judge"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  changed public.feed_releases := coalesce(NEW, OLD);
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.updated_at <= NEW.updated_at AND (SELECT OLD.updated_at + make_interval(secs => stale_after_seconds)
      > clock_timestamp() + interval '1 hour' FROM feeds WHERE id = changed.feed_id) THEN RETURN NULL; END IF;
  INSERT INTO judgements_due (release_id) SELECT id FROM releases WHERE feed_id = changed.feed_id AND name = changed.release;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "feed_releases_to_judge" AFTER INSERT OR DELETE ON "feed_releases" FOR EACH ROW
  EXECUTE FUNCTION note_release_of_feed_to_judge();
CREATE OR REPLACE TRIGGER "feed_releases_changed_to_judge" AFTER UPDATE ON "feed_releases" FOR EACH ROW
  WHEN (OLD."updated_at" IS DISTINCT FROM NEW."updated_at")
  EXECUTE FUNCTION note_release_of_feed_to_judge();
