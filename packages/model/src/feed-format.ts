/** Every kind of feed with the formats its files come in, and what an operator calls each format. */
const formats = {
  advisories: {
    osv: 'OSV (zip, JSON, JSON Lines)',
    updateinfo: 'updateinfo XML',
    'almalinux-errata': 'AlmaLinux errata',
    'rocky-errata': 'Rocky Linux errata',
    'redhat-cve': 'Red Hat CVEs',
  },
  cves: { kev: 'CISA known exploited (KEV)', epss: 'EPSS scores' },
  repositories: { 'repository-to-cpe': 'Red Hat repositories and their CPEs' },
  lifecycles: { lifecycles: 'Lifecycles of releases (distro-info)' },
} as const;

type Formats = typeof formats;

/** What a feed is about: advisories, facts about CVEs, the products of repositories, or the support of releases. */
export type FeedKind = keyof Formats;

/** Every kind of feed. */
export const feedKinds = Object.keys(formats) as readonly FeedKind[]; // The type of a constant table is exact.

/** A format that feeds of a kind come in. */
export type FeedFormat<K extends FeedKind = FeedKind> = { [P in K]: keyof Formats[P] & string }[K];

const titles = new Map<FeedFormat, string>(
  Object.values(formats).flatMap((ofKind) => Object.entries(ofKind) as [FeedFormat, string][]),
);

/** Every format that a file of a feed can have, in the order in which they are offered. */
export const feedFormats: readonly FeedFormat[] = [...titles.keys()];

/** What an operator calls a format. */
export function feedFormatTitle(format: FeedFormat): string {
  return titles.get(format) ?? format;
}
