-- drop_expired of prisma/sql/people.sql takes its place.
DROP FUNCTION IF EXISTS "drop_expired_sessions"(timestamptz);
