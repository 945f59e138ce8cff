import { distroInfoFeed } from '../../feeds/lifecycles/distro-info.ts';
import { debianRelease } from './releases.ts';

/** Debian's support periods, including long-term support; extended LTS is a paid service. */
export const debianLifecycles = distroInfoFeed(
  { distribution: 'debian', title: 'Debian lifecycles' },
  {
    ownColumn: 'eol-lts',
    ends: ['eol', 'eol-lts'],
    extended: [{ column: 'eol-elts', service: 'elts' }],
    releaseOf: debianRelease,
  },
);
