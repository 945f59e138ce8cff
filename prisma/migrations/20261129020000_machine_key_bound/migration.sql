-- Binds the names of the function when it is defined, whatever the search_path of a caller. The results are the same, so the
-- index on it stays as it is.
CREATE OR REPLACE FUNCTION "machine_key"("machine_id" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
  WHEN translate("machine_id", '-{}', '') COLLATE "C" ~ '^[0-9A-Fa-f]{32}$'
  THEN lower(translate("machine_id", '-{}', '') COLLATE "C")
  ELSE lower("machine_id" COLLATE "C")
END;
