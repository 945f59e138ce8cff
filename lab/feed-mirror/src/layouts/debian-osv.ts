import { cveOfRecord } from '../content/osv-records.ts';
import { osvExport } from './osv-export.ts';

/** Debian's security tracker in the OSV export; every fifth record has no fix. */
export const debianOsvLayout = osvExport('debian-osv', 'Debian', {
  idOf: (n) => `DEBIAN-${cveOfRecord(n)}`,
  ecosystems: ['Debian:12', 'Debian:13'],
  packageOf: (n) => ({ name: `source${n}`, fixed: n % 5 === 4 ? null : `1.${n}-1+deb12u1` }),
  fieldsOf: (_n, cve) => ({ upstream: [cve] }),
  entryFieldsOf: () => ({ ecosystem_specific: { urgency: 'not yet assigned' } }),
});
