import type { FeedFormat, ImportState } from '@plimsoll/model';
import type { Label } from './word.ts';

/** Progress of an import. */
export const importWords: Readonly<Record<ImportState, Label>> = {
  queued: { words: 'Waiting', tone: 'neutral' },
  running: { words: 'Running', tone: 'low' },
  done: { words: 'Done', tone: 'good' },
  failed: { words: 'Failed', tone: 'critical' },
};

/** Formats of an import file; `auto`: detect it from the content. */
const formatTitles: Readonly<Record<FeedFormat | 'auto', string>> = {
  auto: 'Recognise it by its content',
  osv: 'OSV (zip, JSON, JSON Lines)',
  updateinfo: 'updateinfo XML',
  'almalinux-errata': 'AlmaLinux errata',
  'rocky-errata': 'Rocky Linux errata',
  'redhat-cve': 'Red Hat CVEs',
  'csaf-vex': 'CSAF, VEX',
  'debian-tracker': "Debian's security tracker",
  openvex: 'OpenVEX',
  kev: 'CISA known exploited (KEV)',
  epss: 'EPSS scores',
  ssvc: 'SSVC decisions (CISA Vulnrichment)',
  'repository-to-cpe': 'Red Hat repositories and their CPEs',
  lifecycles: 'Lifecycles of releases (distro-info)',
  'bodhi-releases': 'Releases of Fedora (Bodhi)',
};

/** Values and titles of the formats of an import file, in the order in which they are offered. */
export const formatOptions = Object.entries(formatTitles) as readonly (readonly [
  FeedFormat | 'auto',
  string,
])[]; // The type of a constant table is exact.
