import type { FeedLayout } from '../layout.ts';
import { repository } from './repository.ts';

const root = 'https://yum.oracle.com/repo/OracleLinux';
/** Oracle's tool names files and checksums by SHA-1 (oracle/oracle-linux#111 shows such names). */
const style = { packedBy: 'gzip', digest: 'sha', hasHashedNames: true } as const;

const both = (folder: string) => [`${folder}/x86_64`, `${folder}/aarch64`];
const system = [...both('baseos/latest'), ...both('appstream'), ...both('codeready/builder')];

/** Builds that are validated for FIPS. */
const validated = '4/security/validation';

const folders: Readonly<Record<string, readonly string[]>> = {
  '7': ['latest/x86_64', 'UEKR6/x86_64', 'optional/latest/x86_64'],
  '8': [...system, ...both('UEKR7'), 'UEKR6/x86_64', ...both(validated)],
  '9': [...system, 'UEKR7/x86_64', 'UEKR8/x86_64'],
  // The builder of release 10 is not public yet.
  '10': [...both('baseos/latest'), ...both('appstream'), 'UEKR8/x86_64'],
};

/** Oracle's public repositories. */
export const oracleUpdateinfoLayout: FeedLayout = {
  feedId: 'oracle-updateinfo',
  files: (context) =>
    Object.entries(folders).flatMap(([number, names]) =>
      names.flatMap((name) =>
        repository(
          `${root}/OL${number}/${name}`,
          {
            idOf: (n) => `ELSA-2026-${1000 + n}`,
            collection: [`ol${number}_${name.split('/')[0]}`, `Oracle Linux ${number}`],
            distTag: name.startsWith(validated) ? `el${number}_fips` : `el${number}`,
            architecture: name.endsWith('aarch64') ? 'aarch64' : 'x86_64',
          },
          { style, context },
        ),
      ),
    ),
};
