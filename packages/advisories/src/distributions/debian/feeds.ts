import type { AdvisoryFeed } from '../../feeds/advisories/advisory-feed.ts';
import { osvFeed } from '../../osv/parse-osv-record.ts';
import { debianOsv } from './osv-dialect.ts';
import { readTrackerIssue } from './read-tracker-issue.ts';

/** Debian's security tracker as published by OSV. */
export const debianOsvFeed = osvFeed({
  id: 'debian-osv',
  distribution: 'debian',
  title: 'Debian',
  path: 'Debian/all.zip',
  statesUnfixed: true,
  dialect: debianOsv,
});

/**
 * The JSON of Debian's security tracker: each vulnerability of each source package with its state per
 * release, and Debian's reason for a missing fix. OSV is made from the same data, without the reasons and
 * with CVSS scores and errata.
 */
export const debianTrackerFeed: AdvisoryFeed = {
  id: 'debian-tracker',
  kind: 'advisories',
  distribution: 'debian',
  format: 'debian-tracker',
  title: 'Debian security tracker',
  statesUnfixed: true,
  leads: true,
  limits: ['It has no errata (DSA, DLA), no times and no CVSS scores: these are in debian-osv.'],
  files: [
    {
      url: 'https://security-tracker.debian.org/tracker/data/json',
      path: 'debian/security-tracker.json',
      release: null,
    },
  ],
  read: readTrackerIssue,
};
