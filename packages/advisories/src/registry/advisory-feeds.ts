import { almalinuxFeeds } from '../distributions/almalinux/feeds.ts';
import { amazonFeeds } from '../distributions/amazon/feeds.ts';
import { centosFeeds } from '../distributions/centos/feeds.ts';
import { debianOsvFeed, debianTrackerFeed } from '../distributions/debian/feeds.ts';
import { epelFeed } from '../distributions/epel/feeds.ts';
import { fedoraFeeds } from '../distributions/fedora/feeds.ts';
import { oracleFeeds } from '../distributions/oracle/feeds.ts';
import { rhelFeeds } from '../distributions/rhel/feeds.ts';
import { rockyFeeds } from '../distributions/rocky/feeds.ts';
import { openSuseFeeds, suseFeeds } from '../distributions/suse/feeds.ts';
import { ubuntuOsvFeed, ubuntuVexFeed } from '../distributions/ubuntu/feeds.ts';
import type { AdvisoryFeed } from '../feeds/advisories/advisory-feed.ts';
import type { FeedKindDefinition } from '../feeds/feed.ts';

/**
 * Every feed of advisories, one line per distribution; a distribution's first feed is the default for its releases.
 */
export const advisoryFeeds: readonly AdvisoryFeed[] = [
  debianOsvFeed,
  debianTrackerFeed,
  ubuntuOsvFeed,
  ubuntuVexFeed,
  ...almalinuxFeeds,
  ...rockyFeeds,
  ...rhelFeeds,
  ...centosFeeds,
  epelFeed,
  ...oracleFeeds,
  ...amazonFeeds,
  ...fedoraFeeds,
  ...suseFeeds,
  ...openSuseFeeds,
];

/** Feeds of advisories. */
export const advisoryKind: FeedKindDefinition<'advisories', AdvisoryFeed> = {
  feeds: advisoryFeeds,
  formats: {
    osv: { jsonFields: ['affected', 'schema_version'] },
    updateinfo: { jsonFields: ['Pkglist', 'collections'], isSplit: true },
    'rocky-errata': { jsonFields: ['rpms', 'affectedProducts', 'affected_products', 'red_hat_advisory_id'] },
    'redhat-cve': { jsonFields: ['package_state', 'affected_release', 'threat_severity', 'public_date'] },
    openvex: { jsonFields: ['statements'] },
    'csaf-vex': { jsonFields: ['product_tree', 'document'] },
    // Split while it is read: the packages of a CVE are in many places of the file.
    'debian-tracker': { jsonFields: [], isSplit: 'by_record' },
    'almalinux-errata': { jsonFields: ['issued_date', 'updateinfo_id', 'updated_date'], isSplit: true },
  },
};
