-- The end of what is kept of the past: docs/decisions/0081. As with audit events, the role that calls the functions
-- can delete nothing else of these tables, and never anything of the last day.

ALTER TABLE "snapshots" ALTER COLUMN "payload" DROP NOT NULL;

CREATE TABLE "history_bounds" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "starts_at" TIMESTAMPTZ(3),

    CONSTRAINT "history_bounds_pkey" PRIMARY KEY ("id")
);
INSERT INTO "history_bounds" ("id") VALUES (1);

-- Drops the raw reports of past snapshots from before `before` on the next `hosts` hosts after `after`. Answers the last
-- of these hosts; null: there are no more.
CREATE FUNCTION "drop_payloads"("before" timestamptz, "after" uuid, "hosts" int) RETURNS uuid
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH next AS (
    SELECT host_id, sequence FROM public.host_state WHERE $2 IS NULL OR host_id > $2 ORDER BY host_id LIMIT $3),
  dropped AS (
    UPDATE public.snapshots s SET payload = NULL FROM next n
    WHERE s.host_id = n.host_id AND s.sequence < n.sequence AND s.payload IS NOT NULL
      AND s.received_at < least($1, now() - interval '1 day'))
  SELECT host_id FROM next ORDER BY host_id DESC LIMIT 1
$$;
REVOKE ALL ON FUNCTION "drop_payloads"(timestamptz, uuid, int) FROM PUBLIC;

-- Moves the start of the history to `before`, and drops at most `most` rows of each kind from before its start: contents
-- and matches that ended, coverage of releases, and changes. Answers how many.
CREATE FUNCTION "drop_past_knowledge"("before" timestamptz, "most" int) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE public.history_bounds SET starts_at = greatest(starts_at, least($1, now() - interval '1 day'));
  WITH
  matches AS (DELETE FROM public.past_matches WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM public.past_matches WHERE until < least($1, now() - interval '1 day') LIMIT $2)) RETURNING 1),
  statements AS (DELETE FROM public.past_statements WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM public.past_statements WHERE until < least($1, now() - interval '1 day') LIMIT $2)) RETURNING 1),
  advisories AS (DELETE FROM public.past_advisories WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM public.past_advisories WHERE until < least($1, now() - interval '1 day') LIMIT $2)) RETURNING 1),
  facts AS (DELETE FROM public.past_cve_facts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM public.past_cve_facts WHERE until < least($1, now() - interval '1 day') LIMIT $2)) RETURNING 1),
  -- The newest row of each release from before the start counted at it.
  coverage AS (DELETE FROM public.release_coverage WHERE ctid = ANY (ARRAY(
    SELECT c.ctid FROM public.release_coverage c WHERE EXISTS (
      SELECT FROM public.release_coverage l WHERE l.release_id = c.release_id AND l.at > c.at
        AND l.at < least($1, now() - interval '1 day')) LIMIT $2)) RETURNING 1),
  changes AS (DELETE FROM public.knowledge_changes WHERE id IN (
    SELECT id FROM public.knowledge_changes
    WHERE counted AND at < least($1, now() - interval '1 day') ORDER BY at LIMIT $2) RETURNING 1)
  SELECT (SELECT count(*) FROM coverage) + (SELECT count(*) FROM matches) + (SELECT count(*) FROM statements) + (SELECT count(*) FROM advisories)
       + (SELECT count(*) FROM facts) + (SELECT count(*) FROM changes)
$$;
REVOKE ALL ON FUNCTION "drop_past_knowledge"(timestamptz, int) FROM PUBLIC;

-- Drops what the next `hosts` hosts after `after` had before the start of the history: snapshots and ledger, except the
-- newest ones from before it, which still counted at the start. Answers the last of these hosts; null: there are no more.
CREATE FUNCTION "drop_past_hosts"("after" uuid, "hosts" int) RETURNS uuid
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH next AS (
    SELECT host_id, sequence, starts_at FROM public.host_state, public.history_bounds
    WHERE $1 IS NULL OR host_id > $1 ORDER BY host_id LIMIT $2),
  kept AS (
    SELECT n.host_id, n.starts_at,
      (SELECT max(s.sequence) FROM public.snapshots s
       WHERE s.host_id = n.host_id AND s.sequence <= n.sequence AND s.received_at < n.starts_at) AS snapshot,
      (SELECT max(c.sequence) FROM public.host_changes c WHERE c.host_id = n.host_id AND c.at < n.starts_at) AS change
    FROM next n),
  snapshots AS (
    DELETE FROM public.snapshots s USING kept k WHERE s.host_id = k.host_id AND s.sequence < k.snapshot),
  changes AS (
    DELETE FROM public.host_changes c USING kept k WHERE c.host_id = k.host_id AND c.sequence < k.change)
  SELECT host_id FROM next ORDER BY host_id DESC LIMIT 1
$$;
REVOKE ALL ON FUNCTION "drop_past_hosts"(uuid, int) FROM PUBLIC;
