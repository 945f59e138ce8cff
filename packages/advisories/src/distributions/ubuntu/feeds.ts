import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { osvFeed } from '../../osv/parse-osv-record.ts';
import { ubuntuOsv } from './osv-dialect.ts';
import { readOpenVex } from './read-openvex.ts';

/** CVE records and notices (USN) of Ubuntu's security team as published by OSV, including those for Ubuntu Pro. */
export const ubuntuOsvFeed = osvFeed({
  id: 'ubuntu-osv',
  distribution: 'ubuntu',
  title: 'Ubuntu',
  path: 'Ubuntu/all.zip',
  statesUnfixed: true,
  limits: [
    'It does not say why something has no fix: "needed", "deferred" and "ignored" look the same in it. ubuntu-vex has the reasons, once it is imported.',
  ],
  dialect: ubuntuOsv,
});

/**
 * Canonical's OpenVEX documents, one per CVE: they state why a package has no fix. OSV has the same packages
 * without the reason. The feed has no address: the archive lists each binary package of each architecture,
 * and is several times as large as OSV's.
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
