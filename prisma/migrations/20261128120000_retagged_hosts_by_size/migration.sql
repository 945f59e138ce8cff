-- EXECUTE plans the statement each time, by the number of changed hosts. A plan that was kept from a change of one host compares
-- each old row with each new one: of 100,000 hosts at once it took many minutes.
CREATE OR REPLACE FUNCTION "recount_retagged_hosts"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path TO 'pg_catalog', 'public', 'pg_temp' AS $$
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
  RETURN NULL;
END $$;
