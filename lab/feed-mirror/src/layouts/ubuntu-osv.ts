import { cveOfRecord } from '../content/osv-records.ts';
import { osvExport } from './osv-export.ts';

/** Ubuntu's CVE records in the OSV export, with the lists of binary packages that make them large. */
export const ubuntuOsvLayout = osvExport('ubuntu-osv', 'Ubuntu', {
  idOf: (n) => `UBUNTU-${cveOfRecord(n)}`,
  ecosystems: ['Ubuntu:22.04:LTS', 'Ubuntu:24.04:LTS', 'Ubuntu:Pro:20.04:LTS'],
  packageOf: (n) => ({ name: `source${n}`, fixed: n % 3 === 2 ? null : `2.${n}-0ubuntu0.1` }),
  fieldsOf: (_n, cve) => ({ upstream: [cve], severity: [{ type: 'Ubuntu', score: 'medium' }] }),
  entryFieldsOf: (n) => ({
    ecosystem_specific: {
      binaries: Array.from({ length: 1 + (n % 40) }, (_, at) => ({
        binary_name: `binary${n}-${at}`,
        binary_version: `2.${n}-0ubuntu0.1`,
      })),
    },
  }),
});
