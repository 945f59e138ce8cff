/** Formats of the files of each kind of feed, in the order in which they are offered. */
const formats = {
  advisories: [
    'osv',
    'updateinfo',
    'almalinux-errata',
    'rocky-errata',
    'redhat-cve',
    'csaf-vex',
    'debian-tracker',
    'openvex',
  ],
  cves: ['kev', 'epss', 'ssvc'],
  repositories: ['repository-to-cpe'],
  lifecycles: ['lifecycles'],
} as const;

type Formats = typeof formats;

/** What a feed contains: advisories, facts about CVEs, the products of repositories, or the support of releases. */
export type FeedKind = keyof Formats;

/** Every kind of feed. */
export const feedKinds = Object.keys(formats) as readonly FeedKind[]; // The type of a constant table is exact.

/** A format that feeds of a kind come in. */
export type FeedFormat<K extends FeedKind = FeedKind> = Formats[K][number];

/** Every format that a file of a feed can have. */
export const feedFormats: readonly FeedFormat[] = Object.values(formats).flat();
