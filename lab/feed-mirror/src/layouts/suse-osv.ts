import type { OsvStyle } from '../content/osv-records.ts';
import { osvExport } from './osv-export.ts';

function style(ecosystem: string, prefix: string): OsvStyle {
  return {
    idOf: (n) => `${prefix}-SU-2026:${1000 + n}-1`,
    ecosystems: [ecosystem],
    packageOf: (n) => ({ name: `source${n}`, fixed: `1.${n}-150600.3.1` }),
    fieldsOf: (_n, cve) => ({ upstream: [cve] }),
    entryFieldsOf: (n) => ({
      ecosystem_specific: { binaries: [{ [`binary${n}`]: `1.${n}-150600.3.1` }] },
    }),
  };
}

/** SUSE's updates in the OSV export. */
export const suseOsvLayout = osvExport(
  'suse-osv',
  'SUSE',
  style('SUSE:Linux Enterprise Module for Basesystem 15 SP6', 'SUSE'),
);

/** openSUSE's updates in the OSV export. */
export const openSuseOsvLayout = osvExport(
  'opensuse-osv',
  'openSUSE',
  style('openSUSE:Leap 15.6', 'openSUSE'),
);
