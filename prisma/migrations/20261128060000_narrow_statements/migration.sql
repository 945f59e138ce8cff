-- Statements about specific builds are looked for apart from all others: a kernel has thousands of statements, few of them so.
CREATE INDEX "advisory_packages_narrow" ON "advisory_packages" ("release_id", "name") WHERE "builds" <> '';
CREATE INDEX "past_statements_narrow" ON "past_statements" ("release_id", "name") WHERE "builds" <> '';
