-- A first look is noted for each condition, so that one that an upgrade adds tells nothing of what is old.
INSERT INTO "notification_conditions" ("event", "subject", "since")
  SELECT "event", c, "since" FROM "notification_conditions",
    unnest(ARRAY['host.stale', 'repository.outdated', 'feed.stale', 'waiver.expiring']) AS c
  WHERE "event" = 'first look' AND "subject" = '';
DELETE FROM "notification_conditions" WHERE "event" = 'first look' AND "subject" = '';
