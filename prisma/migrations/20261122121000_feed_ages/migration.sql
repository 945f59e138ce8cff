-- Whether a feed that has data of a release states what is unfixed of it: by the feeds that do, not by single statements.

UPDATE "releases" r SET "lists_unfixed" = EXISTS (
  SELECT FROM "advisory_packages" ap JOIN "advisories" a ON a."id" = ap."advisory_id"
  WHERE ap."release_id" = r."id" AND a."feed_id" IN ('debian-osv', 'ubuntu-osv', 'redhat-cve'));

-- Until when an imported file is all there is to know, by the word of its sender.
ALTER TABLE "feed_imports" ADD COLUMN "as_of" TIMESTAMPTZ(3);

-- Rocky's releases are spoken for by the feed that can be fetched, unless the other one was imported.
INSERT INTO "feeds" ("id") SELECT 'rocky-updateinfo' WHERE EXISTS (SELECT FROM "releases" WHERE "feed_id" = 'rocky-errata')
ON CONFLICT DO NOTHING;
UPDATE "releases" SET "feed_id" = 'rocky-updateinfo' WHERE "feed_id" = 'rocky-errata' AND NOT "covered";
