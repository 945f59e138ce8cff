import type { FeedLayout } from '../layout.ts';
import { repository } from './repository.ts';

const style = { packedBy: 'gzip', digest: 'sha256', hasHashedNames: true } as const;
const builder: Readonly<Record<string, string>> = { '8': 'PowerTools', '9': 'CRB', '10': 'CRB' };

/**
 * Rocky's repositories as they are since May 2026: the indexes of the current minors name no updateinfo any more
 * (aquasecurity/vuln-list-update#446).
 */
export const rockyUpdateinfoLayout: FeedLayout = {
  feedId: 'rocky-updateinfo',
  files: (context) =>
    Object.entries(builder).flatMap(([number, extra]) =>
      ['BaseOS', 'AppStream', extra, 'extras', 'HighAvailability'].flatMap((name) =>
        ['x86_64', 'aarch64'].flatMap((architecture) =>
          repository(`https://dl.rockylinux.org/pub/rocky/${number}/${name}/${architecture}/os`, null, {
            style,
            context,
          }),
        ),
      ),
    ),
};
