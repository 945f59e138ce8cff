import type { MigrationStep, SchemaVersion } from '@plimsoll/db';

/** What the terminal says before a step of a migration: of an empty database once, then null. */
export function describeStep({ from, to, n, of, migration }: MigrationStep): string | null {
  if (from === null) return n === 1 ? `Making the tables of the database: ${describeVersion(to)}` : null;
  return `  ${n} of ${of}: ${migration ?? 'functions, triggers and views'}`;
}

/** For example `version 0.1.0 (20261129000100_schema_state)`. */
export function describeVersion({ program, migration }: SchemaVersion): string {
  return program === null ? migration : `version ${program} (${migration})`;
}
