import type { FeedLayout } from '../layout.ts';
import { almalinuxErrataLayout } from './almalinux-errata.ts';
import { almalinuxOsvLayout } from './almalinux-osv.ts';
import { amazonUpdateinfoLayout } from './amazon-updateinfo.ts';
import { cisaKevLayout } from './cisa-kev.ts';
import { cisaSsvcLayout } from './cisa-ssvc.ts';
import { debianOsvLayout } from './debian-osv.ts';
import { debianTrackerLayout } from './debian-tracker.ts';
import { debianLifecyclesLayout, ubuntuLifecyclesLayout } from './distro-info.ts';
import { epelUpdateinfoLayout } from './epel-updateinfo.ts';
import { epssLayout } from './epss.ts';
import { fedoraLifecyclesLayout } from './fedora-lifecycles.ts';
import { fedoraUpdateinfoLayout } from './fedora-updateinfo.ts';
import { oracleUpdateinfoLayout } from './oracle-updateinfo.ts';
import { redHatOsvLayout } from './redhat-osv.ts';
import { repositoryToCpeLayout } from './redhat-repository-to-cpe.ts';
import { redHatVexLayout } from './redhat-vex.ts';
import { rockyErrataLayout } from './rocky-errata.ts';
import { rockyUpdateinfoLayout } from './rocky-updateinfo.ts';
import { suseCsafLayout } from './suse-csaf.ts';
import { openSuseOsvLayout, suseOsvLayout } from './suse-osv.ts';
import { ubuntuOsvLayout } from './ubuntu-osv.ts';

/** The layout of every feed that has an address; a test compares it with the registry of feeds. */
export const feedLayouts: readonly FeedLayout[] = [
  almalinuxErrataLayout,
  almalinuxOsvLayout,
  amazonUpdateinfoLayout,
  cisaKevLayout,
  cisaSsvcLayout,
  debianLifecyclesLayout,
  debianOsvLayout,
  epelUpdateinfoLayout,
  debianTrackerLayout,
  epssLayout,
  fedoraLifecyclesLayout,
  fedoraUpdateinfoLayout,
  openSuseOsvLayout,
  oracleUpdateinfoLayout,
  redHatOsvLayout,
  repositoryToCpeLayout,
  redHatVexLayout,
  rockyErrataLayout,
  rockyUpdateinfoLayout,
  suseCsafLayout,
  suseOsvLayout,
  ubuntuLifecyclesLayout,
  ubuntuOsvLayout,
];
