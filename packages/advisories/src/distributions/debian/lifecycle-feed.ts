import { distroInfoFeed } from '../../feeds/lifecycles/distro-info.ts';
import { debianRelease } from './releases.ts';

/** How long Debian supports its releases, long-term support included; extended LTS is a paid service. */
export const debianLifecycles = distroInfoFeed(
  { distribution: 'debian', title: 'Debian lifecycles' },
  {
    ownColumn: 'eol-lts',
    ends: ['eol', 'eol-lts'],
    extended: [{ column: 'eol-elts', service: 'elts' }],
    releaseOf: debianRelease,
  },
);
