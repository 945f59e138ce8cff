import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { osvFeed } from '../../osv/parse-osv-record.ts';
import { rpmUpdateDialect } from '../../rpm/update-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { redHatOsv } from './osv-dialect.ts';
import { readRedHatCve, rebuilds } from './read-cve.ts';
import { rhelFamily } from './rhel-family.ts';

/** Red Hat's feeds: errata as OSV, and unfixed packages by CVE. */
export const rhelFeeds: readonly AdvisoryFeed[] = [
  osvFeed({
    id: 'redhat-osv',
    distribution: 'rhel',
    title: 'Red Hat',
    path: 'Red Hat/all.zip',
    dialect: redHatOsv,
  }),
  {
    id: 'redhat-cve',
    kind: 'advisories',
    distribution: 'rhel',
    rebuilds: rebuilds.map(({ id }) => id),
    format: 'redhat-cve',
    listsFixes: false,
    statesUnfixed: true,
    limits: ['It lists what has no fix; fixes are in the feeds of errata.'],
    title: 'Red Hat CVE API',
    read: readRedHatCve,
  },
  updateinfoFeed({
    id: 'redhat-updateinfo',
    distribution: 'rhel',
    title: 'Red Hat updateinfo',
    dialect: rpmUpdateDialect(rhelFamily, {
      urlOf: (id) => `https://access.redhat.com/errata/${encodeURIComponent(id)}`,
    }),
  }),
];
