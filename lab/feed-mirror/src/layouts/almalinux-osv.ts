import { osvExport } from './osv-export.ts';

/** AlmaLinux' errata in the OSV export. */
export const almalinuxOsvLayout = osvExport('almalinux-osv', 'AlmaLinux', {
  idOf: (n) => `ALSA-2026:${1000 + n}`,
  ecosystems: ['AlmaLinux:9'],
  packageOf: (n) => ({ name: `binary${n}`, fixed: `1.${n}-2.el9_6` }),
  fieldsOf: (_n, cve) => ({ related: [cve] }),
});
