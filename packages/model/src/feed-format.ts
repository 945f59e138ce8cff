/** Formats of the files of each kind of feed, in display order. */
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
  lifecycles: ['lifecycles', 'bodhi-releases'],
} as const;

type Formats = typeof formats;

/** What a feed contains: advisories, facts about CVEs, the products of repositories, or the support of releases. */
export type FeedKind = keyof Formats;

/** Every kind of feed. */
export const feedKinds = Object.keys(formats) as readonly FeedKind[]; // The type of a constant table is exact.

/** A format of a kind of feed. */
export type FeedFormat<K extends FeedKind = FeedKind> = Formats[K][number];

/** Every format of a feed's file. */
export const feedFormats: readonly FeedFormat[] = Object.values(formats).flat();
