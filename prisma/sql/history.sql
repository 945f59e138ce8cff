-- What is kept of the past, and what is dropped.

-- What is known with what was known before: a row for each content, from `since` to before `until` (`infinity`: it counts now).
-- Corrections of past statements are not kept.
CREATE OR REPLACE VIEW "advisories_ever" AS
  SELECT id, since, 'infinity'::timestamptz(3) AS until, feed_id, external_id, modified_at, kind, title, url, published_at,
    withdrawn_at, aliases, cves, cvss_score, cvss_vector FROM public.advisories
  UNION ALL
  SELECT id, since, until, feed_id, external_id, modified_at, kind, title, url, published_at,
    withdrawn_at, aliases, cves, cvss_score, cvss_vector FROM public.past_advisories;

CREATE OR REPLACE VIEW "statements_ever" AS
  SELECT id, since, 'infinity'::timestamptz(3) AS until, advisory_id, release_id, name, severity, severity_source, stated_severity,
    stated_source, fixed_version, fixed_key, fixed_service, unfixed_reason, unfixed_detail, cves, architectures, module, line,
    names, builds, first_seen_at, override_id FROM public.advisory_packages
  UNION ALL
  SELECT id, since, until, advisory_id, release_id, name, severity, severity_source, stated_severity,
    stated_source, fixed_version, fixed_key, fixed_service, unfixed_reason, unfixed_detail, cves, architectures, module, line,
    names, builds, first_seen_at, NULL FROM public.past_statements;

CREATE OR REPLACE VIEW "matches_ever" AS
  SELECT package_version_id, advisory_package_id, open_cves, severity, since, since_cause, known_at,
    'infinity'::timestamptz(3) AS until, NULL::text AS until_cause FROM public.package_version_advisories
  UNION ALL
  SELECT package_version_id, advisory_package_id, open_cves, severity, since, since_cause, known_at, until, until_cause
  FROM public.past_matches;

-- Drops the raw reports of past snapshots from before `before` on the next `hosts` hosts after `after`. Answers the last
-- of these hosts; null: there are no more.
CREATE OR REPLACE FUNCTION "drop_payloads"("before" timestamptz, "after" uuid, "hosts" int) RETURNS uuid
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE OR REPLACE FUNCTION "drop_past_knowledge"("before" timestamptz, "most" int) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE OR REPLACE FUNCTION "drop_past_hosts"("after" uuid, "hosts" int) RETURNS uuid
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Folds the past snapshots of the next `hosts` hosts after `after` that were received from `from` on and before `to`, never
-- one of the last day. `resolution`: day or month (UTC). Of consecutive ones of one day or month with the same release and
-- the same running kernel only the last one stays; what the others alone say is kept in `folded_snapshots`. Rows of the
-- ledger that begin no kernel are dropped. Answers the last of these hosts; null: there are no more.
CREATE OR REPLACE FUNCTION "fold_snapshots"("resolution" text, "from" timestamptz, "to" timestamptz, "after" uuid, "hosts" int) RETURNS uuid
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- What is received later than a report that waits to be matched is not its past yet.
  WITH next AS MATERIALIZED (
    SELECT host_id, least(sequence, (SELECT min(u.sequence) FROM public.uploads u
      WHERE u.host_id = s.host_id AND u.state = 'parsed')) AS sequence
    FROM public.host_state s WHERE $4 IS NULL OR host_id > $4 ORDER BY host_id LIMIT $5),
  -- Only where there is something to fold, so that no other row is locked.
  full_buckets AS MATERIALIZED (
    SELECT s.host_id, date_trunc($1, s.received_at, 'UTC') AS bucket
    FROM next n JOIN public.snapshots s ON s.host_id = n.host_id AND s.sequence < n.sequence
    WHERE s.received_at >= $2 AND s.received_at < least($3, now() - interval '1 day')
    GROUP BY 1, 2 HAVING count(*) > 1),
  locked AS MATERIALIZED (
    SELECT s.id, s.host_id, s.sequence, s.received_at, s.reported_at, s.prior_confirmed_at, s.upgrade_ids,
      concat_ws(' ', b.bucket, s.release_id, s.running_kernel_id, s.facts #>> '{kernel,runningRelease}',
        s.facts #>> '{kernel,runningVersion}', s.facts #>> '{kernel,runningPackage}') AS kind,
      s.facts #>> '{services,restartRequired}' = 'no' AND s.facts #> '{services,toRestart}' = '[]'
        AND NOT jsonb_path_exists(s.facts, '$.failures[*] ? (@.section == "services")') AS is_restarted
    FROM full_buckets b JOIN next n USING (host_id) JOIN public.snapshots s ON s.host_id = b.host_id AND s.sequence < n.sequence
      AND date_trunc($1, s.received_at, 'UTC') = b.bucket AND s.received_at < least($3, now() - interval '1 day')
    ORDER BY s.host_id, s.sequence FOR UPDATE OF s),
  runs AS (
    SELECT *, sum(is_new) OVER (PARTITION BY host_id ORDER BY sequence) AS run
    FROM (SELECT *, CASE WHEN kind = lag(kind) OVER (PARTITION BY host_id ORDER BY sequence) THEN 0 ELSE 1 END AS is_new
          FROM locked) l),
  members AS MATERIALIZED (
    SELECT r.*, f.snapshot_id IS NOT NULL AS is_folded, coalesce(f.first_at, r.received_at) AS first_at,
      f.offer_ids, f.offered_at, f.restarted_at, f.silent_from, f.silent_until,
      count(*) OVER (PARTITION BY r.host_id, r.run) AS size,
      row_number() OVER w AS place,
      lag(coalesce(r.reported_at, r.received_at)) OVER w AS before_at,
      lag(r.is_restarted AND f.snapshot_id IS NULL) OVER w AS was_restarted,
      first_value(r.sequence) OVER w AS first_sequence,
      last_value(r.id) OVER (PARTITION BY r.host_id, r.run ORDER BY r.sequence
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS kept
    FROM runs r LEFT JOIN public.folded_snapshots f ON f.snapshot_id = r.id
    WINDOW w AS (PARTITION BY r.host_id, r.run ORDER BY r.sequence)),
  folding AS MATERIALIZED (SELECT * FROM members WHERE size > 1),
  groups AS MATERIALIZED (
    SELECT kept, host_id, first_sequence, min(first_at) AS first_at,
      (array_agg(prior_confirmed_at ORDER BY sequence))[1] AS prior_confirmed_at
    FROM folding GROUP BY kept, host_id, first_sequence),
  offers AS (
    SELECT o.kept, array_agg(o.id ORDER BY o.at, o.id) AS ids, array_agg(o.at ORDER BY o.at, o.id) AS times
    FROM (
      SELECT kept, id, min(at) AS at FROM (
        SELECT kept, u.id, received_at AS at FROM folding CROSS JOIN LATERAL unnest(upgrade_ids) AS u (id) WHERE folding.id <> kept
        UNION ALL
        SELECT kept, u.id, u.at FROM folding CROSS JOIN LATERAL unnest(offer_ids, offered_at) AS u (id, at)) each_offer
      GROUP BY kept, id) o
    JOIN groups g USING (kept)
    -- The snapshot before them says it already.
    WHERE NOT coalesce((SELECT o.id = ANY (p.upgrade_ids) FROM public.snapshots p
      WHERE p.host_id = g.host_id AND p.sequence < g.first_sequence ORDER BY p.sequence DESC LIMIT 1), false)
    GROUP BY o.kept),
  -- The first time after each change of packages at which no service had to be restarted.
  restarts AS (
    SELECT kept, array_agg(DISTINCT at ORDER BY at) AS times FROM (
      SELECT kept, received_at AS at FROM folding f
      WHERE id <> kept AND is_restarted AND (place = 1 OR is_folded OR NOT coalesce(was_restarted, false)
        OR EXISTS (SELECT FROM public.package_changes c WHERE c.host_id = f.host_id AND c.sequence = f.sequence))
      UNION ALL
      SELECT kept, unnest(restarted_at) FROM folding) r
    GROUP BY kept),
  silences AS (
    SELECT kept, array_agg(since ORDER BY since) AS since, array_agg(until ORDER BY since) AS until FROM (
      SELECT kept, greatest(prior_confirmed_at, before_at) AS since, first_at AS until FROM folding
      WHERE place > 1 AND first_at - greatest(prior_confirmed_at, before_at) > interval '6 hours'
      UNION ALL
      SELECT kept, u.since, u.until FROM folding CROSS JOIN LATERAL unnest(silent_from, silent_until) AS u (since, until)) s
    GROUP BY kept),
  dropped AS (DELETE FROM public.snapshots s USING folding f WHERE s.id = f.id AND f.id <> f.kept),
  begun AS (
    UPDATE public.snapshots s SET prior_confirmed_at = g.prior_confirmed_at FROM groups g
    WHERE s.id = g.kept AND s.prior_confirmed_at IS DISTINCT FROM g.prior_confirmed_at),
  stored AS (
    INSERT INTO public.folded_snapshots
      (snapshot_id, resolution, first_at, offer_ids, offered_at, restarted_at, silent_from, silent_until)
    SELECT g.kept, $1, g.first_at, coalesce(o.ids, '{}'), coalesce(o.times, '{}'), coalesce(r.times, '{}'),
      coalesce(s.since, '{}'), coalesce(s.until, '{}')
    FROM groups g LEFT JOIN offers o USING (kept) LEFT JOIN restarts r USING (kept) LEFT JOIN silences s USING (kept)
    ON CONFLICT (snapshot_id) DO UPDATE SET resolution = excluded.resolution, first_at = excluded.first_at,
      offer_ids = excluded.offer_ids, offered_at = excluded.offered_at, restarted_at = excluded.restarted_at,
      silent_from = excluded.silent_from, silent_until = excluded.silent_until),
  changes AS (
    DELETE FROM public.host_changes c USING (
      SELECT h.host_id, h.sequence, h.at, h.booted_kernel_id IS NOT DISTINCT FROM lag(h.booted_kernel_id)
          OVER (PARTITION BY h.host_id ORDER BY h.sequence)
        AND row_number() OVER (PARTITION BY h.host_id ORDER BY h.sequence) > 1 AS is_same_kernel
      FROM next n JOIN public.host_changes h ON h.host_id = n.host_id AND h.sequence < n.sequence) o
    WHERE c.host_id = o.host_id AND c.sequence = o.sequence AND o.is_same_kernel
      AND o.at >= $2 AND o.at < least($3, now() - interval '1 day'))
  SELECT host_id FROM next ORDER BY host_id DESC LIMIT 1
$$;
REVOKE ALL ON FUNCTION "fold_snapshots"(text, timestamptz, timestamptz, uuid, int) FROM PUBLIC;

-- Notes that all hosts are folded up to a time; never back.
CREATE OR REPLACE FUNCTION "note_folded"("resolution" text, "to" timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE public.history_bounds SET
    days_folded_to = CASE WHEN $1 = 'day' THEN greatest(days_folded_to, $2) ELSE days_folded_to END,
    months_folded_to = CASE WHEN $1 = 'month' THEN greatest(months_folded_to, $2) ELSE months_folded_to END
$$;
REVOKE ALL ON FUNCTION "note_folded"(text, timestamptz) FROM PUBLIC;
