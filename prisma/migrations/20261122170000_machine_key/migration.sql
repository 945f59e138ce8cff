-- What machine ids are compared by: without regard to case, and a UUID with or without dashes and braces is one id.
-- packages/model/src/machine-key.ts is the same rule.
CREATE FUNCTION "machine_key"("machine_id" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN translate(machine_id, '-{}', '') COLLATE "C" ~ '^[0-9A-Fa-f]{32}$'
    THEN lower(translate(machine_id, '-{}', '') COLLATE "C")
    ELSE lower(machine_id COLLATE "C")
  END
$$;

DROP INDEX "hosts_machine_id_idx";
CREATE INDEX "hosts_machine_key_idx" ON "hosts" ("machine_key"("machine_id"));
