import { osvExport } from './osv-export.ts';

/** Red Hat's errata in the OSV export; the name of the ecosystem has a space. */
export const redHatOsvLayout = osvExport('redhat-osv', 'Red Hat', {
  idOf: (n) => `RHSA-2026:${1000 + n}`,
  ecosystems: ['Red Hat:enterprise_linux:9::baseos'],
  packageOf: (n) => ({ name: `binary${n}`, fixed: `0:1.${n}-2.el9_6` }),
  fieldsOf: (_n, cve) => ({
    upstream: [cve],
    references: [
      { type: 'WEB', url: 'https://access.redhat.com/security/updates/classification/#important' },
    ],
  }),
});
