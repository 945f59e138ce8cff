import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { osvFeed } from '../../osv/parse-osv-record.ts';
import { rpmUpdateDialect } from '../../updateinfo/rpm-dialect.ts';
import { updateinfoFeed } from '../../updateinfo/updateinfo-feed.ts';
import { oracleFamily } from '../oracle/oracle.ts';
import { rockyFamily } from '../rocky/rocky.ts';
import { redHatOsv } from './osv-dialect.ts';
import { readRedHatCve } from './read-cve.ts';
import { readRedHatVex } from './read-vex.ts';
import { rebuilds } from './rebuilds.ts';
import { rhelFamily } from './rhel-family.ts';

const vexFolder = 'https://security.access.redhat.com/data/csaf/v2/vex-feed';

/**
 * Red Hat's feeds: errata as OSV, fixed and unfixed packages by CVE as VEX, and, for import only, the CVE API
 * that VEX replaces.
 */
export const rhelFeeds: readonly AdvisoryFeed[] = [
  osvFeed({
    id: 'redhat-osv',
    distribution: 'rhel',
    rebuilds: [rockyFamily.id],
    limits: [
      "For Rocky Linux it is upstream's word: where Rocky's own errata name an advisory or its CVEs, these count.",
    ],
    title: 'Red Hat',
    path: 'Red Hat/all.zip',
    dialect: redHatOsv,
  }),
  {
    id: 'redhat-vex',
    kind: 'advisories',
    distribution: 'rhel',
    rebuilds: rebuilds.map(({ id }) => id),
    format: 'csaf-vex',
    listsFixes: false,
    statesUnfixed: true,
    silentFor: [oracleFamily.id],
    limits: [
      'It complements the feeds of errata, and cannot cover a release alone: errata without a CVE are missing.',
      "For AlmaLinux, Rocky Linux and Oracle Linux it is upstream's word: where their own errata name a CVE, these count.",
      "Packages that only these distributions have, such as Oracle's kernels, are not in it.",
    ],
    title: 'Red Hat VEX',
    files: [{ url: `${vexFolder}/archive_latest.txt`, path: 'redhat/vex/archive_latest.txt', release: null }],
    read: readRedHatVex,
  },
  {
    id: 'redhat-cve',
    kind: 'advisories',
    distribution: 'rhel',
    rebuilds: rebuilds.map(({ id }) => id),
    format: 'redhat-cve',
    listsFixes: false,
    statesUnfixed: true,
    silentFor: [oracleFamily.id],
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
