import type { FeedKindDefinition } from '../feed.ts';
import type { CveFeed } from './cve-feed.ts';
import { epssFeed } from './epss.ts';
import { kevFeed } from './kev.ts';
import { ssvcFeed } from './ssvc.ts';

/** Feeds of facts about CVEs. */
export const cveKind: FeedKindDefinition<'cves', CveFeed> = {
  feeds: [kevFeed, epssFeed, ssvcFeed],
  formats: {
    kev: { jsonFields: ['cveID'] },
    epss: { jsonFields: [] },
    ssvc: { jsonFields: ['cveMetadata'] },
  },
};
