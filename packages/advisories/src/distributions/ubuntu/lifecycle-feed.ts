import { distroInfoFeed } from '../../feeds/lifecycles/distro-info.ts';
import { ubuntuRelease } from './releases.ts';

/** Ubuntu's support periods, with the additions of Ubuntu Pro. */
export const ubuntuLifecycles = distroInfoFeed(
  { distribution: 'ubuntu', title: 'Ubuntu lifecycles' },
  {
    ownColumn: 'eol-esm',
    ends: ['eol', 'eol-server'],
    extended: [
      { column: 'eol-esm', service: 'esm-infra' },
      { column: 'eol-legacy', service: 'esm-infra-legacy' },
    ],
    // `22.04 LTS`
    releaseOf: (version) => ubuntuRelease(version.split(' ', 1)[0] ?? ''),
  },
);
