/**
 * The folder of a new migration, `YYYYMMDDhhmmss_name` in UTC. Migrations are applied in the order of their folders, so
 * the result is later than every existing folder, even one dated in the future. Throws if the name is not snake_case.
 */
export function migrationFolder(name: string, existing: readonly string[], now: Date): string {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))
    throw new Error(
      `${name} is no name for a migration: lower-case words joined by _, for instance host_notes`,
    );
  const newest = existing
    .map((folder) => /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/.exec(folder))
    .map((found) => (found === null ? 0 : Date.UTC(...fieldsOf(found))))
    .reduce((latest, time) => Math.max(latest, time), 0);
  const time = new Date(Math.max(now.getTime(), newest + 1_000));
  return `${time.toISOString().slice(0, 19).replace(/\D/g, '')}_${name}`;
}

/** Year, month from 0, day, hour, minute and second. */
function fieldsOf(found: RegExpExecArray): [number, number, number, number, number, number] {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  return [year, month - 1, day, hour, minute, second];
}
