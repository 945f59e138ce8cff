-- Addresses of files with a user part, a query or a fragment may hold credentials: they are remembered by a hash from now
-- on (apps/advisory-worker/src/feeds/file-key.ts). The files are fetched once more.
DELETE FROM "feed_files" WHERE "url" ~ '://[^/]*@' OR "url" ~ '[?#]';
