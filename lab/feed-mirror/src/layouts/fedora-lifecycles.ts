import type { FeedLayout } from '../layout.ts';

/** Releases in the form of Bodhi's list; the fields that tools read. */
const releases = [
  { name: 'F42', version: '42', id_prefix: 'FEDORA', state: 'archived', eol: '2026-05-13' },
  { name: 'F43', version: '43', id_prefix: 'FEDORA', state: 'current', eol: '2026-12-02' },
  { name: 'F44', version: '44', id_prefix: 'FEDORA', state: 'current', eol: '2027-05-26' },
  { name: 'F46', version: '46', id_prefix: 'FEDORA', state: 'pending', eol: null },
  { name: 'ELN', version: 'eln', id_prefix: 'FEDORA-ELN', state: 'current', eol: null },
  { name: 'F43C', version: '43', id_prefix: 'FEDORA-CONTAINER', state: 'current', eol: '2026-12-02' },
  { name: 'EPEL-9', version: '9', id_prefix: 'FEDORA-EPEL', state: 'current', eol: '2032-05-31' },
].map((release) => ({ ...release, long_name: `${release.name} of Fedora`, package_manager: 'dnf' }));

/** Bodhi's list of releases, one page of it. */
export const fedoraLifecyclesLayout: FeedLayout = {
  feedId: 'fedora-lifecycles',
  files: ({ store }) => [
    {
      url: 'https://bodhi.fedoraproject.org/releases/?rows_per_page=500',
      content: store.keep([
        JSON.stringify({ page: 1, pages: 1, rows_per_page: 500, total: releases.length, releases }),
      ]),
    },
  ],
};
