import type { MigrationStep, SchemaVersion } from '@plimsoll/db';

/** What the terminal says before a step of a migration; nothing while the tables of an empty database are made. */
export function describeStep({ from, to, n, of, migration }: MigrationStep): readonly string[] {
  if (from === null) return n === 1 ? [`Making the tables of the database: ${describeVersion(to)}`] : [];
  const step = `  ${n} of ${of}: ${migration ?? 'functions, triggers and views'}`;
  if (n > 1) return [step];
  return [`Migrating the database from ${describeVersion(from)} to ${describeVersion(to)}`, step];
}

function describeVersion({ program, migration }: SchemaVersion): string {
  return program === null ? migration : `version ${program} (${migration})`;
}
