import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { readOpenVex } from './read-openvex.ts';

/**
 * Canonical's OpenVEX documents, one per CVE: why a package has no fix. OSV states the same packages without the reason.
 * It has no address of its own: its archive of all documents lists each binary package of each architecture, and is
 * several times as large as that of OSV.
 */
export const ubuntuVexFeed: AdvisoryFeed = {
  id: 'ubuntu-vex',
  kind: 'advisories',
  distribution: 'ubuntu',
  format: 'openvex',
  title: 'Ubuntu OpenVEX',
  listsFixes: false,
  statesUnfixed: true,
  leads: true,
  limits: ['It has only what has no fix, with the reason; fixes and priorities are in ubuntu-osv.'],
  read: readOpenVex,
};
