-- What hosts observed of their repositories, what those are copies of, and how each copy is judged.
CREATE TABLE "host_refreshes" (
    "host_id" UUID NOT NULL,
    "refreshes" JSONB NOT NULL,
    "digest" BYTEA NOT NULL,
    "due" BOOLEAN NOT NULL DEFAULT true,
    "judged_by" TEXT NOT NULL DEFAULT '',
    CONSTRAINT "host_refreshes_pkey" PRIMARY KEY ("host_id")
);

CREATE TABLE "repositories" (
    "id" SERIAL NOT NULL,
    "key" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "suite" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "architecture" TEXT NOT NULL,
    "base" TEXT NOT NULL,
    "publisher_at" TIMESTAMPTZ(3),
    "newest_at" TIMESTAMPTZ(3),
    "newest_source" TEXT,
    "judged_newest_at" TIMESTAMPTZ(3),
    CONSTRAINT "repositories_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "repositories_key_key" ON "repositories"("key");
CREATE INDEX "repositories_name_id_idx" ON "repositories"("name", "id");

CREATE TABLE "host_repositories" (
    "host_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "repository_id" INTEGER,
    "url" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "suite" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "used" BOOLEAN NOT NULL,
    "counted" BOOLEAN NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "valid_until" TIMESTAMPTZ(3),
    "error" TEXT NOT NULL,
    "max_lag_days" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    CONSTRAINT "host_repositories_pkey" PRIMARY KEY ("host_id", "source")
);

CREATE INDEX "host_repositories_repository_id_published_at_idx" ON "host_repositories"("repository_id", "published_at");

ALTER TABLE "host_refreshes" ADD CONSTRAINT "host_refreshes_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "host_repositories" ADD CONSTRAINT "host_repositories_host_id_fkey"
  FOREIGN KEY ("host_id") REFERENCES "hosts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "host_repositories" ADD CONSTRAINT "host_repositories_repository_id_fkey"
  FOREIGN KEY ("repository_id") REFERENCES "repositories"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Written by hand: what the schema file cannot say.

-- What is to be judged again, and the few copies that are behind.
CREATE INDEX "host_refreshes_due" ON "host_refreshes"("host_id") WHERE "due";
CREATE INDEX "host_repositories_outdated" ON "host_repositories"("repository_id") WHERE "state" = 'outdated';

-- Unchanged uploads only move what is there.
INSERT INTO "host_refreshes" ("host_id", "refreshes", "digest", "due") SELECT "id", '[]', '', false FROM "hosts";
