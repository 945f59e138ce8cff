import type { FileFormat } from './feed-record.ts';

/**
 * The form of a JSON record by the fields it has and no other form has. OSV where none shows, because it has the fewest
 * that must be there: its parser says what is wrong.
 */
export function recordFormatOf(json: unknown): FileFormat {
  if (typeof json !== 'object' || json === null) return 'osv';
  for (const [format, fields] of tellingFields)
    if (fields.some((field) => Object.hasOwn(json, field))) return format;
  return 'osv';
}

const tellingFields: readonly (readonly [FileFormat, readonly string[]])[] = [
  ['osv', ['affected', 'schema_version']],
  ['updateinfo', ['Pkglist', 'collections']],
  ['rocky-errata', ['rpms', 'affectedProducts']],
  ['redhat-cve', ['package_state', 'affected_release', 'threat_severity', 'public_date']],
  ['kev', ['cveID']],
  ['repository-to-cpe', ['data']],
  ['almalinux-errata', ['issued_date', 'updateinfo_id', 'updated_date']],
];
