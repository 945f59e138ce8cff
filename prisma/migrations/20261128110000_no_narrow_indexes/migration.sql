-- Statements about specific builds are read with the errata of their packages, and kept: see SideStatementReader.
DROP INDEX "advisory_packages_narrow";
DROP INDEX "past_statements_narrow";
DROP INDEX "advisory_packages_of_builds";
