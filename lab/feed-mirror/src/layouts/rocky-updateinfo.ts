import type { FeedLayout } from '../layout.ts';
import { repository } from './repository.ts';

const style = { packedBy: 'gzip', digest: 'sha256', hasHashedNames: true } as const;
const builder: Readonly<Record<string, string>> = { '8': 'PowerTools', '9': 'CRB', '10': 'CRB' };
/** The first minor releases in the vault have no updateinfo. */
const minors = ['8.5', '8.6', '8.7', '8.8', '8.9', '9.0', '9.1', '9.2', '9.3', '9.4', '9.5', '9.6', '10.0'];

/**
 * Rocky's vault: the repositories of older minor releases, with their updateinfo. Current indexes name none
 * (aquasecurity/vuln-list-update#446).
 */
export const rockyUpdateinfoLayout: FeedLayout = {
  feedId: 'rocky-updateinfo',
  files: (context) =>
    minors.flatMap((minor) => {
      const number = minor.split('.')[0] ?? '';
      return ['BaseOS', 'AppStream', builder[number] ?? 'CRB'].flatMap((name) =>
        ['x86_64', 'aarch64'].flatMap((architecture) =>
          repository(
            `https://dl.rockylinux.org/vault/rocky/${minor}/${name}/${architecture}/os`,
            {
              idOf: (n) => `RLSA-2025:${1000 + n}`,
              collection: [`${name.toLowerCase()}-${minor}`, `Rocky Linux ${number}`],
              distTag: `el${number}`,
              architecture,
            },
            { style, context },
          ),
        ),
      );
    }),
};
